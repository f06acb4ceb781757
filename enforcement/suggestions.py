"""What an order can say must stop and must be done: sentences to tick, beside one's own."""

from __future__ import annotations

__all__ = ["ACTIVITIES", "MUST_DO", "MUST_STOP"]

ACTIVITIES = {
    "grading": "Grading, or removal of ground cover or vegetation",
    "excavation": "Excavation or filling",
    "street": "Street, highway, road or bridge work",
    "pipe": "Laying or repair of underground pipe",
    "dewatering": "Pumping water off the site",
}
"""The land disturbing activities of § 40-887, as one sees them from the road."""

MUST_STOP = {
    "all": "All land disturbing activity on the site.",
    "hauling": "All hauling of soil or fill to and from the site.",
    "dewatering": "All pumping of water off the site.",
}

MUST_DO = {
    "controls": "Put up or repair the control devices, so that no soil leaves the site.",
    "inlets": "Protect every storm drain inlet that takes water from the site.",
    "sweep": "Remove soil from the road by sweeping, not by flushing.",
    "cover": "Cover bare soil and stockpiles with mulch, matting or seed.",
    "apply": "Apply for an erosion control permit: form, plan and fee.",
    "plan": "Carry out the approved plan, and keep to its timetable.",
}
