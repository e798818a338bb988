"""Who plays whom, and who leads: pure functions that know no hub, no clock and no file."""
