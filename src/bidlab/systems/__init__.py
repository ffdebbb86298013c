"""Bidding systems as text: the language, the state of an auction, and the book that bids by them."""
