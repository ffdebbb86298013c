"""The laws as values: cards, hands, deals, boards, calls, auctions, contracts, scores."""
