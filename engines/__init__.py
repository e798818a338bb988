"""The rules of the games: values in, values out; only the standard library."""
