"""The parsers, each the only importer of its library: where everything is written in a page's text.

All places are code points of the text that was given, half-open.
"""

from rcca_cli.source.html import Attribute, Block, Document, Element
from rcca_cli.source.positions import Offsets, newlines_as_page

__all__ = ["Attribute", "Block", "Document", "Element", "Offsets", "newlines_as_page"]
