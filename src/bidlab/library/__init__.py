"""Libraries: sets of solved deals in compact files, each with a name, a seed and a purpose."""

from bidlab.library.blocks import Contents, Damage
from bidlab.library.building import Built, build
from bidlab.library.header import Header, Purpose
from bidlab.library.packing import packed_deals, packed_tables, unpacked_deals, unpacked_tables
from bidlab.library.reading import Library, library, shipped
from bidlab.library.symmetry import all_symmetries, stream, symmetric

__all__ = [
    "Built",
    "Contents",
    "Damage",
    "Header",
    "Library",
    "Purpose",
    "all_symmetries",
    "build",
    "library",
    "packed_deals",
    "packed_tables",
    "shipped",
    "stream",
    "symmetric",
    "unpacked_deals",
    "unpacked_tables",
]
