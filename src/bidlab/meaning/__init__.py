"""What a call says about a hand: features, meanings, and what is known of a table."""
