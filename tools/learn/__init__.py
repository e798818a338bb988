"""Fits the value model that rates the end of short play-outs.

`python -m tools.learn GAME [GAMES]` plays games of two against itself by the score, with one
move in seventeen by chance. From every position it takes the features and whether the player to
move won; the model is their logistic regression, slightly regularised. The seed is fixed, so a run
can be repeated. It prints TOML for `ai/GAME/value_model.toml` and needs numpy, which nothing else
here does.
"""
