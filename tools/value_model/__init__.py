"""Fits the model of positions that short play-outs ask: `python -m tools.value_model GAME [GAMES]`.

The score plays so many games of two against itself, one move in seventeen by chance. Every
position gives its features, and what became of the player to move; the model is their logistic
regression, slightly held to zero. The seed is fixed, so a run can be repeated. It prints TOML for
`ai/GAME/value_model.toml`. It needs numpy, which nothing else here does.
"""
