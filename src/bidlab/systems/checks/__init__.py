"""The parts of the linter for systems: reading with all errors, lines by themselves, places of auctions."""
