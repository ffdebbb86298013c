"""How a thinker thinks: calls that a mind proposes, deals that fit the auction, what each call comes to."""
