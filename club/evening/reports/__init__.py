"""What organisers and the hall are shown of an evening: export, overview, how a round goes."""
