"""For other people's games: `plugin` has the names to import, `testing` the tests to pass.

Everything else in this distribution may change with any version.
"""
