"""A whole machine in an emulator: Debian, its systemd, the installed companion, our firmware."""
