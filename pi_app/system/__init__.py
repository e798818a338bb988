"""System services: files replaced whole, the log, the run state, the worker."""
