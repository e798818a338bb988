"""The surface for other people's games: `plugin` has the names they use, `testing` the suite.

Everything else in this distribution may change with any version.
"""
