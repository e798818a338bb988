"""What players practise: the times tables, and moments of their games; asked again after days."""
