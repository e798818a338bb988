"""Tools for developers: pictures and pages of the documentation, packages, tuning of the AI."""
