"""What 1.x keeps (docs/promises.md): each version's files are opened by all later ones."""
