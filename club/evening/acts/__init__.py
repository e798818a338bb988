"""The organiser's acts: each is logged, and most can be taken back."""
