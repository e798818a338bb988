"""What our processes say to each other: messages that check themselves, and lines of JSON."""
