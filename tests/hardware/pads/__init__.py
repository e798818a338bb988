"""Number pads without a kernel: scripted events, fake devices, a fake /sys."""
