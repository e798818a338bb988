"""What was before tells: places, evenings, statistics, what is learnt, files for other programs."""
