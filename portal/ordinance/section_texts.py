"""What each section says, in plain words; `sections.py` fills in the numbers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SectionText:
    """Title and paragraphs of a section's page."""

    title: str
    paragraphs: tuple[str, ...]


TEXTS: dict[str, SectionText] = {
    "purpose": SectionText(
        "Why the city has these rules",
        (
            "When soil is laid bare, rain carries it away. It clogs storm sewers, clouds streams "
            "and takes other pollutants with it. These rules are there to keep that soil on the "
            "site.",
            "The city makes them under a law of the state that lets cities regulate runoff from "
            "building sites and other work that disturbs land (Wis. Stat. § 62.234). They apply "
            "to the five kinds of work that the section on activities lists.",
        ),
    ),
    "penalty": SectionText(
        "What a violation can cost",
        (
            "A violation can bring a forfeiture of {forfeiture_min} to {forfeiture_max}, and the "
            "cost of taking the matter to court on top. Each day on which a violation exists is a "
            "violation of its own.",
            "The city does not impose this money. A court does, if the city brings the case and "
            "proves it. Where these pages speak of exposure, they mean what a court could impose "
            "for the days on which the {inspector} saw and recorded the violation.",
        ),
    ),
    "permit": SectionText(
        "The permit",
        (
            "Whoever owns, uses or works on land in the city must have an erosion control permit "
            "before starting any of the listed activities. The {inspector} grants it.",
            "An application has three parts: the form, an erosion control plan and a fee of {fee}. "
            "It counts as received on the day the last of the three comes in. From the next day "
            "the {inspector} has {decision_working_days} working days to grant or deny the permit. "
            "A decision after that is late, but lateness alone never grants a permit.",
            "A denial must list what has to be added to the plan or changed in it. Once the plan "
            "has been revised well enough, the permit is issued; no new application and no new fee "
            "are needed.",
            "Two uses need no permit: growing crops or keeping livestock, and work that the state "
            "pays for or does itself when the state asks for an erosion control plan much like "
            "this one.",
        ),
    ),
    "activities": SectionText(
        "Work that needs a permit",
        (
            "Five kinds of work need a permit. One of them is enough: laying bare or reshaping "
            "{trigger_area_sq_ft} square feet of ground or more; digging, filling or both with "
            "{trigger_volume_cu_yd} cubic yards of soil or more; building or rebuilding a street, "
            "highway, road or bridge of any size; laying or repairing {trigger_pipe_ft} feet of "
            "underground pipe or more; and pumping water off a site when that could carry soil.",
            "A limit is reached at the very figure: work on exactly {trigger_area_sq_ft} square "
            "feet needs a permit. Digging and filling are added together. An acre is 43,560 square "
            "feet and a cubic yard is 27 cubic feet.",
        ),
    ),
    "inspection": SectionText(
        "Inspections",
        (
            "The {inspector} visits a site as often as it takes to see that the rules are "
            "followed. The ordinance sets no number of visits and no fixed days.",
            "Owners and contractors should look at their controls too. For larger sites the state "
            "asks for a check every week and after a good rain.",
        ),
    ),
    "enforcement": SectionText(
        "When work goes wrong",
        (
            "The {inspector} may stop the work on a site for three reasons: there is no permit, "
            "the plan is not carried out in good faith, or the conditions of the permit are not "
            "met. The order has two dates, the day it is issued and the day it is posted on the "
            "site, and different periods run from each. If heavy rain or other unusual conditions "
            "make the plan too weak, the {inspector} orders more controls and says by when.",
            "A permittee has {stop_work_period} from issuing to stop and to follow the plan. "
            "After that the permit may be revoked. A person without a permit has "
            "{stop_work_period} from issuing to obey or to obtain one. After that the {attorney} "
            "may be asked for a cease and desist order.",
            "From {notice_wait_period} after the order was posted, the {inspector} may give "
            "notice that the city intends to do the work itself. After {entry_wait_period} from "
            "that notice the city may go on the land and begin. The bill goes to the permittee or "
            "the landowner; if it stays unpaid, the {clerk} enters it on the tax roll as a special "
            "charge against the property.",
            "None of this happens by itself. Each date only says from when the city may act.",
        ),
    ),
    "appeal": SectionText(
        "Appeals",
        (
            "Anyone harmed by the grant or denial of a permit, or by an order of the "
            "{inspector}, may take it to the {board}. Neighbors may do so as well.",
            "The ordinance names no period. The city has set {appeal_days} days from notice of the "
            "decision unless the {council} sets another. An appeal is a filing, so a last day on a "
            "Saturday, a Sunday or a legal holiday moves on.",
            "While an appeal is open, the clocks under the order stand still, for the city and for "
            "the person alike, unless the {inspector} certifies that life or property is in "
            "immediate danger. When the appeal ends, the days that were left run on.",
        ),
    ),
    "plan": SectionText(
        "The erosion control plan",
        (
            "The plan shows how soil is kept on the site. It needs a drawing to scale that places "
            "the best suited controls, and it names everything on the site and next to it that "
            "could affect erosion, such as slopes, soils, ditches and inlets.",
            "It also needs a timetable. For each activity the timetable gives the dates, the area, "
            "and what holds the soil while work goes on and afterward.",
            "The {inspector} keeps standards for plans, together with those of the state (Wis. "
            "Admin. Code ch. NR 151). They can be read in the office and at city hall.",
        ),
    ),
    "devices": SectionText(
        "Control devices",
        (
            "Many things can hold soil in place: basins that let it settle, silt fences, straw "
            "bales, mulch, tarps, seed, sod, and channels that lead water around bare ground.",
            "The list is open. Anything in the state's own rules may be used too. The state "
            "describes many devices in numbered technical standards; where we show such a number, "
            "it is the one from the Department of Natural Resources.",
        ),
    ),
    "escrow": SectionText(
        "The guarantee",
        (
            "Before a permit is issued, the applicant posts a guarantee that the controls will be "
            "finished. It can be cash, a bond or a letter of credit. The {administrator} or the "
            "{inspector} sets the amount.",
            "The city gives it back once all controls are in and permanent plants have taken hold. "
            "We take that to mean perennial plants that cover {density} percent of the ground. The "
            "guarantee is released whole: there are no releases in part.",
        ),
    ),
    "completion": SectionText(
        "When the permanent controls are due",
        (
            "Permanent controls must be complete by the date in the permit or before the "
            "certificate of occupancy is issued, whichever comes first.",
            "Winter is different, because nothing grows. When the certificate is issued from "
            "{winter_begins} to {winter_ends}, both days included, the permanent controls and the "
            "plant cover are due by the {cover_due} after that {winter_month}. If that day is a "
            "Sunday, the next day will do.",
            "Temporary controls stay in place all winter. Where the permit names an earlier date, "
            "that date is still a condition of the permit.",
        ),
    ),
    "draws": SectionText(
        "Using the guarantee",
        (
            "If the city has to repair or finish controls, the cost is taken from the guarantee. "
            "The city may also draw on it when disturbed ground is not restored in time. If the "
            "work is not finished in time, all that is still held is forfeited.",
            "Before it does the work and draws, the city mails the property owner a written notice "
            "and waits {mailed_notice_days} days. The notice counts from the day the post accepts "
            "it. The owner may be somebody other than the permittee.",
            "If the work costs more than the guarantee, the city may assess the rest against the "
            "property. The {council} sets the interest rate, which runs for at most {years}, and a "
            "fee for the city's own effort, which becomes part of the assessment.",
        ),
    ),
    "maintenance": SectionText(
        "Upkeep after the permit",
        (
            "Some controls must work long after the building is done. For these the owner signs a "
            "maintenance agreement. It is recorded with the county register of deeds as a "
            "restriction on the property, so that it binds every later owner.",
            "The agreement has seven provisions: what the facilities are and what drains to them, "
            "a schedule of upkeep, who is responsible, the duty to maintain, the city's access for "
            "inspections, notice of problems with a fair time to fix them, and the city's right to "
            "do the work and charge the property if they are not fixed.",
        ),
    ),
    "site": SectionText(
        "What every site must do",
        (
            "Waste, leftover materials and wash water must be disposed of properly. Nothing may be "
            "left where rain could wash it into a stream, a ditch or a storm sewer.",
            "Gravel drives and parking areas keep soil off the road. Soil that reaches a road is "
            "swept up before the workday ends. It must not be flushed away with water.",
            "Every storm drain inlet is protected with a straw bale, filter fabric or something "
            "that works as well.",
        ),
    ),
}
