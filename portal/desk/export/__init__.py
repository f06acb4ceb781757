"""The whole case in one file: a BagIt bag in a ZIP, for the city, a court or the public."""
