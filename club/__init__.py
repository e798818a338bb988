"""A club's evening at many tables: an extra that nothing else imports."""

COMMAND = (
    "club.commands.cli",
    "club",
    "Hold a club's evening at many tables.",
    "club round --people 14 --rounds 4",
)
"""What `beisitzer` lists of it: module, function, first line of the help, example."""
