"""Makes a version: tag, packages for each way in, bill of materials, checksums; no upload."""
