"""A club's evening at many tables: an extra that nothing else imports."""

COMMAND = "club.commands.cli:club"
"""Its entry in the list of commands."""
