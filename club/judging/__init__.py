"""Takes in what tables send, and judges which results count."""
