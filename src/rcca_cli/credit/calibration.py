"""The numbers of attribution and credit, as data: what each kind of evidence is worth, and the caps.

BETA, QUOTE and CERTAINTY were fitted by `rcca bench align --fit` on the mutants of half of the families, all but the
row "passed", the weight of omissions, which few mutants are, and those of plain words (words, control, wiring, body,
sheet), which were chosen on 54 verdicts that were written by hand (docs/log.md). That row and MASK_POWER were fitted on
261 passed items of 12 groups of synthetic apps with known faults, rounded towards the reference algorithm's start
values where the fit had little to go by. All others are its start values.
"""

# β[kind of failure][feature]: how much a pointer at full score multiplies a unit's share, as a power of e.
# "visibility" is a visual failure that no CSS property names: something is shown or hidden that should not be.
# "passed" is for items that hold: which code earned it.
BETA = {
    "exception": {
        "decision": 0.2,
        "dom": 0.3,
        "lexical": 0.3,
        "listener": 1.0,
        "sibling": 2.9,
        "spec": 0.7,
        "stack": 4.1,
        "body": 1.0,
        "words": 4.0,
    },
    "silent": {
        "decision": 1.1,
        "dom": 0.6,
        "effect": 0.4,
        "lexical": 1.9,
        "listener": 0.9,
        "omission": 5.0,
        "sibling": 5.6,
        "slice": 0.5,
        "spec": 0.2,
        "control": 0.5,
        "wiring": 0.7,
        "body": 1.5,
        "words": 4.0,
    },
    "dead": {
        "control": 4.0,
        "wiring": 2.5,
        "body": 0.5,
        "words": 3.0,
        "dom": 1.9,
        "lexical": 2.5,
        "listener": 0.2,
        "omission": 5.0,
        "sibling": 4.8,
        "spec": 0.5,
    },
    "visual": {
        "sheet": 2.5,
        "words": 5.0,
        "cssprop": 0.8,
        "effect": 0.7,
        "lexical": 2.9,
        "omission": 5.0,
        "selector": 3.2,
        "sibling": 4.5,
    },
    "visibility": {"dom": 3.1, "effect": 0.7, "selector": 0.5, "sibling": 6.2},
    "absent": {"lexical": 3.0, "omission": 5.0, "sibling": 4.9},
    "passed": {"lexical": 3.0, "sibling": 5.5, "spec": 0.4, "dom": 0.8, "listener": 1.0},
}

# c_q: how often a quote of full quality names the place of the fault.
QUOTE = {"exception": 0.17, "silent": 0.73, "dead": 0.66, "visual": 0.51, "visibility": 0.69, "absent": 0.69}
NEVER_RAN = 1 / 3  # what is left of c_q for quoted JavaScript that never ran, under exception and silent
QUOTE_AT_FRAME = 0.6  # c_q under an exception where the quoted code is in the function of one of the stack's frames
QUOTE_POWER = 2.0  # of c_q: how much more the surest of several references counts than the others
QUOTE_FLOOR = 0.3  # what a quoted unit without any other evidence gets, next to the best one's 1

# The mask of a unit that no mark speaks of, by language, where the source of its masks spoke of others.
MASK = {"script": ("coverage", 0.6), "style": ("css", 0.05), "markup": ("element", 0.05)}
MASK_UNSEEN = 0.6  # the same where that source said nothing at all
MASK_POWER = 2.0  # of all masks: what code did not do counts for more than the reference's values say
MASK_NOT_VISUAL = 0.1  # a factor on the mask of style sheets unless the failure is visual
LENGTH = 0.9  # given equal evidence, blame goes with the length of a unit to this power
LENGTH_TOLD = 0.4  # the same where an evaluator's words are all there is: a long unit shares more of them by chance
DECISION = 30.0  # the length, in characters, that the part of a unit counts with that a sibling has in another form

# c, the probability that the units with 80 % of the mass hold the fault: log-odds by kind of failure, and what each
# sign adds to them (certainty.py).
CERTAINTY = {
    "any": 2.57,
    "exception": 0.03,
    "silent": -0.39,
    "dead": -0.09,
    "visual": 0.51,
    "visibility": -0.09,
    "absent": 0.04,
    "passed": 0.0,
    "stack": 0.11,
    "listener": 0.15,
    "sibling": 0.54,
    "omission": 0.49,
    "heaviest": 0.24,
    "many": -0.47,
    "quoted": -0.8,
    "agreed": -0.13,
}
PASSED = 0.3  # where no failing member of the group could be placed
ABSENT = 0.5  # an omission put on an anchor

# Omissions, found by aligning an answer with a sibling that passes.
ALIKE = 0.6  # share of the sibling's units that the answer must have word for word to be aligned with it
PRESENT = 0.75  # a unit with this much mask times lexical overlap means that the feature is there
ANCHOR = 0.5  # Σ α of an anchor: the closing of the sibling's container, not the decision itself
ANCHOR_TOKENS = 16
SHORTER = 0.8  # an anchor is only used in an answer shorter than this share of the group's longest (no length race)

KAPPA = 8.0  # most that one token gets, in means
KAPPA_PRESENCE = 20.0  # the same for the one token that decided to leave a feature out
# η: the scale of the localised term next to the sequence's. rms(A_seq) / rms(L) of the same groups was 5.3.
ETA = 5.0
MU = 0.5  # the weight of the gates' channel
CLIP = 5.0  # of a token's advantage
STD_FLOOR = 0.1  # of a group's rewards
LOST = 0.5  # share of failed weight without a place beyond which a whole rollout gets its sequence advantage
THETA = 0.05  # mode paper: a unit with this share of a failed item's mass is a direct one
TOP_MASS = 0.85  # of each item's mass goes into align.spans
TOP_UNITS = 12  # at most this many spans an item
