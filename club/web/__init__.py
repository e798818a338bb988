"""The pages of an evening: the hall's for everybody, and the organiser's behind a password."""
