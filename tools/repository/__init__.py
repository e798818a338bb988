"""Makes the signed apt repository from which cards, and other machines, are brought up to date."""
