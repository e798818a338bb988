"""The verbs of `beisitzer club`."""
