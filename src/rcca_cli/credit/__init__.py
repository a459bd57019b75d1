"""Credit: from evidence to responsibility, from responsibility to group-relative advantages of tokens."""

from rcca_cli.credit.advantages import Credit, token_advantages
from rcca_cli.credit.evidence import Mark
from rcca_cli.credit.fusion import Attribution, fuse
from rcca_cli.credit.member import Member, Options, Place, Verdict
from rcca_cli.credit.unit_map import UnitMap

__all__ = [
    "Attribution",
    "Credit",
    "Mark",
    "Member",
    "Options",
    "Place",
    "UnitMap",
    "Verdict",
    "fuse",
    "token_advantages",
]
