"""Reports of an evening: the export, and a round's progress."""
