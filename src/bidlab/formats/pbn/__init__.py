"""PBN, Portable Bridge Notation 2.1."""
