"""Learns what positions are worth, from games of two that the AI plays against itself.

`python -m tools.learn GAME [GAMES]` prints the game's file of weights. For Just 4 Fun and Sequence
it is a logistic regression, slightly regularised, over features of the positions and whether the
player to move won, with one move in seventeen by chance. For numeri it is a small net, which plays
and learns in turn; for Einmaleins a linear score of moves, which does so too. Seeds are fixed, so a
run can be repeated. It needs numpy, which nothing else here does.
"""
