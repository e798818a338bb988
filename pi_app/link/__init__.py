"""One table among many: the results that a club's hub must get, and what comes back from it."""
