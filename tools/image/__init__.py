"""Makes the image of a memory card from Debian's packages: `make image`."""
