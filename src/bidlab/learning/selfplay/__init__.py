"""Networks that learn to bid: imitation of recorded auctions, then self-play held near the imitation.

Needs torch and numpy alone: nothing here imports the rest of bidlab, so that it runs on a bare machine with
a GPU (`bare.py` beside this file starts it there). Everything is batched tensors on one device, from dealing
to learning. Tables are kept as their dealer sees them: place 0 is the dealer, places 1, 2, 3 follow him, and
side 0 is the dealer's; that makes the rotation of a deal and the choice of its dealer one and the same.
"""
