"""The companion: loop, screens, displays, store, settings, texts, command line."""
