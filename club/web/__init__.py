"""The pages of an evening: the hall's for everybody, the organiser's with a password."""
