"""Learning: bidders that improve themselves."""
