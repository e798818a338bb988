"""The club's database: results, decisions, and a journal of all acts; nothing is deleted."""
