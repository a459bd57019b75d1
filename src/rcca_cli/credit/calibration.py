"""The numbers of attribution and credit, as data: what each kind of evidence is worth, and the caps.

Start values of the reference algorithm unless a comment says how they were measured.
"""

# β[kind of failure][feature]: how much a pointer at full score multiplies a unit's share, as a power of e.
# "passed" is for items that hold: which code earned it.
BETA = {
    "exception": {"stack": 4.0, "spec": 1.8, "listener": 0.4, "lexical": 0.5, "sibling": 4.0, "omission": 4.0},
    "silent": {"spec": 2.7, "lexical": 1.5, "dom": 0.5, "listener": 0.4, "sibling": 4.0, "omission": 4.0},
    "dead": {"lexical": 2.0, "listener": 1.0, "dom": 1.0, "sibling": 4.0, "omission": 4.0},
    "visual": {"cssprop": 2.5, "selector": 1.5, "lexical": 1.0, "dom": 0.5, "sibling": 4.0, "omission": 4.0},
    "absent": {"lexical": 1.5, "spec": 2.7, "dom": 0.5, "sibling": 4.0, "omission": 4.0},
    "passed": {"spec": 0.7, "lexical": 0.7, "dom": 0.7, "listener": 0.7, "sibling": 4.0, "omission": 4.0},
}

# c_q: how often a quote of full quality names the place of the fault.
QUOTE = {"exception": 0.3, "silent": 0.6, "dead": 0.6, "visual": 0.7, "absent": 0.6}
NEVER_RAN = 1 / 3  # what is left of c_q for quoted JavaScript that never ran, under exception and silent
QUOTE_FLOOR = 0.3  # what a quoted unit without any other evidence gets, next to the best one's 1

# The mask of a unit that no mark speaks of, by language, where the source of its masks spoke of others.
MASK = {"script": ("coverage", 0.6), "style": ("css", 0.05), "markup": ("element", 0.05)}
MASK_UNSEEN = 0.6  # the same where that source said nothing at all
MASK_NOT_VISUAL = 0.3  # a factor on the mask of style sheets unless the failure is visual
LENGTH = 0.9  # given equal evidence, blame goes with the length of a unit to this power
DECISION = 30.0  # the length, in characters, that the part of a unit counts with that a sibling has in another form

# c: the probability that the units with 80 % of the mass hold the fault, by the best evidence there was.
CONFIDENCE = {"stack": 0.8, "sibling": 0.8, "omission": 0.8, "pointer": 0.5, "mask": 0.3}
PASSED = 0.3  # where no failing member of the group could be placed
ABSENT = 0.6  # a presence token found by aligning with a passing sibling

# Omissions, found by aligning an answer with a sibling that passes.
ALIKE = 0.6  # share of the sibling's units that the answer must have word for word to be aligned with it
PRESENT = 0.75  # a unit with this much mask times lexical overlap means that the feature is there
ANCHOR = 0.5  # Σ α of an anchor: the closing of the sibling's container, not the decision itself
ANCHOR_TOKENS = 16
SHORTER = 0.8  # an anchor is only used in an answer shorter than this share of the group's longest (no length race)

KAPPA = 8.0  # most that one token gets, in means
KAPPA_PRESENCE = 20.0  # the same for the one token that decided to leave a feature out
ETA = 1.0  # the scale of the localised term next to the sequence's; 1 until it is measured on the synth families
MU = 0.5  # the weight of the gates' channel
CLIP = 5.0  # of a token's advantage
STD_FLOOR = 0.1  # of a group's rewards
LOST = 0.5  # share of failed weight without a place beyond which a whole rollout gets its sequence advantage
THETA = 0.05  # mode paper: a unit with this share of a failed item's mass is a direct one
TOP_MASS = 0.85  # of each item's mass goes into align.spans
TOP_UNITS = 12  # at most this many spans an item
