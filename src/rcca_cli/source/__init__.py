"""The parsers, each the only importer of its library: where everything is written in a page's text.

All places are code points of the text that was given, half-open.
"""

from rcca_cli.source.html import Attribute, Block, Document, Element
from rcca_cli.source.positions import Offsets, newlines_as_page
from rcca_cli.source.problems import Problem, check, count_parts
from rcca_cli.source.regions import Unit
from rcca_cli.source.split import units
from rcca_cli.source.uses import Flow, flow

__all__ = [
    "Attribute",
    "Block",
    "Document",
    "Element",
    "Flow",
    "Offsets",
    "Problem",
    "Unit",
    "check",
    "count_parts",
    "flow",
    "newlines_as_page",
    "units",
]
