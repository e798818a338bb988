"""What the games that were played tell: places, evenings, statistics, files for other programs."""
