"""The process `beisitzer link`: one connection to a broker, and one to the companion."""
