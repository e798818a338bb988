"""A club's evening at many tables: an extra that nothing else imports."""

COMMAND = "club.commands.cli:club"
"""The command that `beisitzer` lists of it."""
