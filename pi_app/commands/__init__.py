"""The commands of the command line, each group in a module loaded when it is called."""
