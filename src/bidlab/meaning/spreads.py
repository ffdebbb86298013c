"""How much each kind of feature varies from hand to hand: the unit in which misfit is measured.

Standard deviations over a million random hands (deals 1 to 1,000,000 of seed 20261116, North).
"""

SPREADS = {
    "hcp": 4.126,
    "points": 4.223,
    "webb": 4038,
    "adjusted": 4.222,
    "controls": 1.815,
    "aces": 0.8405,
    "kings": 0.8398,
    "quick tricks": 2.247,
    "losers": 1.571,
    "playing tricks": 3.259,
    "texture": 2.142,
    "class": 1.725,
    "longest": 0.8347,
    "shortest": 0.7237,
    "major": 1.1,
    "minor": 1.1,
    "length": 1.366,
    "suit hcp": 2.317,
    "top three": 0.7354,
    "top five": 0.9301,
    "suit texture": 1.07,
    "stopper": 0.9242,
    "key cards": 0.9295,
    "quality": 0.9023,
    "support": 4.361,
    "control": 0.8337,
    "suit losers": 0.78,
}
