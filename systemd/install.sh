#!/bin/sh
# Installs Beisitzer as a service on Raspberry Pi OS Bookworm or Trixie, or removes it again.
# Safe to run as often as one likes. Files of others are changed only where it says so, and a
# copy of each is kept beside it.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
root=${DESTDIR:-}
home=$root/opt/beisitzer
units=$root/etc/systemd/system
rules=$root/etc/udev/rules.d
modules=$root/etc/modules-load.d
packages="python3-venv python3-lgpio python3-pygame python3-pil"
groups="dialout gpio i2c spi"

say() { echo "beisitzer: $*"; }
fail() { echo "beisitzer: $*" >&2; exit 1; }

# put FILE PLACE: our own file into its place, only if it is another one
put() {
  if cmp -s "$1" "$2"; then return; fi
  install -D -m 644 "$1" "$2"
  say "wrote $2"
}

# The boot configuration is the system's: lines are added, none is changed.
configure_boot() {
  config=$root/boot/firmware/config.txt
  [ -f "$config" ] || config=$root/boot/config.txt
  if [ ! -f "$config" ]; then
    say "no config.txt here: switch I2C on yourself, at 400 kHz"
    return
  fi
  missing=
  for line in dtparam=i2c_arm=on dtparam=i2c_arm_baudrate=400000 dtoverlay=gpio-shutdown,gpio_pin=7,active_low=1,gpio_pull=up; do
    grep -qxF "$line" "$config" || missing="$missing $line"
  done
  [ -n "$missing" ] || return 0
  copy=$config.before-beisitzer
  [ -e "$copy" ] || cp -p "$config" "$copy"
  { cat "$config"; printf '\n[all]\n# for Beisitzer: the OLED on I2C at 400 kHz, the power button on pin 7\n'; printf '%s\n' $missing; } > "$config.new"
  sync "$config.new"
  mv "$config.new" "$config"
  say "added to $config:$missing (a copy is $copy); it counts after a restart"
}

make_user() {
  for group in $groups; do
    getent group "$group" > /dev/null || { groupadd --system "$group"; say "made the group $group"; }
  done
  if ! getent passwd beisitzer > /dev/null; then
    useradd --system --user-group --no-create-home --home-dir /var/lib/beisitzer --shell /usr/sbin/nologin beisitzer
    say "made the user beisitzer"
  fi
  usermod --append --groups "$(echo $groups | tr ' ' ,)" beisitzer
}

install_program() {
  mkdir -p "$home"
  # with the system's packages: lgpio and pygame come from apt, built for this very system
  [ -x "$home/venv/bin/python" ] || python3 -m venv --system-site-packages "$home/venv"
  "$home/venv/bin/python" -m pip --disable-pip-version-check --quiet install --upgrade "$here[pi]" \
    || fail "the program could not be installed: is there a network? The messages are above."
  "$home/venv/bin/python" -m compileall -q "$home/venv/lib" > /dev/null 2>&1 || true
  put "$here/README.md" "$home/README.md"
  say "the program is in $home"
}

install_all() {
  say "installing the packages $packages"
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages
  make_user
  install_program
  put "$here/systemd/beisitzer.service" "$units/beisitzer.service"
  put "$here/systemd/beisitzer-stopped.service" "$units/beisitzer-stopped.service"
  put "$here/systemd/60-beisitzer.rules" "$rules/60-beisitzer.rules"
  put "$here/systemd/70-beisitzer-panel.rules" "$rules/70-beisitzer-panel.rules"
  put "$here/systemd/beisitzer-modules.conf" "$modules/beisitzer.conf"
  configure_boot
  udevadm control --reload
  udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=tty
  modprobe i2c-dev 2> /dev/null || true
  systemctl daemon-reload
  systemctl enable beisitzer.service
  systemctl restart beisitzer.service
  say "installed and started; its log: journalctl -u beisitzer"
}

uninstall_all() {
  systemctl disable --now beisitzer.service beisitzer-stopped.service 2> /dev/null || true
  for file in "$units/beisitzer.service" "$units/beisitzer-stopped.service" \
    "$rules/60-beisitzer.rules" "$rules/70-beisitzer-panel.rules" "$modules/beisitzer.conf"; do
    [ ! -e "$file" ] || { rm "$file"; say "removed $file"; }
  done
  [ ! -d "$home" ] || { rm -r "$home"; say "removed $home"; }
  systemctl daemon-reload
  udevadm control --reload
  say "kept: the games in $root/var/lib/beisitzer, the user beisitzer, the lines in config.txt (its copy from before: config.txt.before-beisitzer), the apt packages"
}

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs root: sudo make ${1:-install}"
case "${1:-}" in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) fail "say install or uninstall" ;;
esac
