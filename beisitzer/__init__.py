"""What other people's games stand on: `plugin` has the names they use, `testing` the suite.

All else in this distribution may change with any version.
"""
