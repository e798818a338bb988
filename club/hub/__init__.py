"""The hub's process: its broker, its certificates, its connection, and how tables join."""
