"""What a call says about a hand: features, meanings, and what is known of a table."""

from bidlab.meaning.knowledge import Knowledge
from bidlab.meaning.meaning import Meaning

__all__ = ["Knowledge", "Meaning"]
