"""LIN, the format of Bridge Base Online: single boards, lists of them and vugraph files."""
