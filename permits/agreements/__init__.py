"""Maintenance agreements: drafted, signed, recorded, amended, released. Former § 17.19(4)(f)"""
