"""How our processes talk: messages that check themselves, and lines of JSON."""
