#!/bin/sh
# Installs Beisitzer as a service on Raspberry Pi OS Bookworm or Trixie (or plain Debian), or
# removes it again. Safe to run as often as one likes, also after one that was cut off. Files of
# others are changed only where it says so, and a copy of each is kept beside it.
#
# SCREEN=window   the companion also draws on a screen without a desktop; SCREEN=none takes it back
# SETTINGS=FILE   the service's settings, checked and then copied; the old ones are kept beside
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
root=${DESTDIR:-}
home=$root/opt/beisitzer
state=$root/var/lib/beisitzer
dropin=$root/etc/systemd/system/beisitzer.service.d/window.conf

say() { echo "beisitzer: $*"; }
fail() { echo "beisitzer: $*" >&2; exit 1; }

# put FILE PLACE: our own file into its place, only if it is another one
put() {
  if cmp -s "$1" "$2"; then return; fi
  install -D -m 644 "$1" "$2"
  say "wrote $2"
}

# each_file COMMAND ...: call it with every file of the list and its place
each_file() {
  while read -r file place; do
    case "$file" in "" | "#"*) continue ;; esac
    "$@" "$here/systemd/$file" "$root/etc/$place"
  done < "$here/systemd/files"
}

# --- what the distribution has

# have PACKAGE: install it; what is there is not asked of apt, which takes seconds to say so on a small Pi
have() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" != installed ] || return 0
  [ -n "$lists" ] || apt-get update -q || say "the lists of packages are as old as they were: is there a network?"
  lists=fetched
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$1"
}

# wish PACKAGE WITHOUT: a package that can be done without, and what that means
wish() { have "$1" || say "no package $1 here: $2"; }

# Raspberry Pi OS has this package, plain Debian has not; finished ones elsewhere end at Python 3.12.
without_lgpio() {
  say "no package python3-lgpio here: the library for the pins is fetched elsewhere, where there is one for this machine, or built"
  python3 -c 'import sys; sys.exit(sys.version_info >= (3, 13))' || wish swig "the library for the pins cannot be built"
}

install_packages() {
  say "installing packages"
  lists=""
  dpkg --configure -a || true # what an installation that was cut off left behind
  have python3-venv \
    || fail "python3-venv could not be installed: is there a network? The messages are above."
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || fail "this needs Python 3.11 or newer, as Raspberry Pi OS Bookworm has it"
  case $(uname -m) in
    armv6l | armv7l)
      have python3-cbor2 && have python3-pil || fail "python3-cbor2 and python3-pil could not be installed: is there a network? The messages are above."
      ;;
  esac
  have python3-lgpio || without_lgpio
  wish gcc "the companion thinks some fifty times slower"
  wish python3-dev "the companion thinks some fifty times slower"
  wish python3-evdev "number pads and keyboards cannot be used"
  wish python3-spidev "an OLED on SPI is fetched elsewhere, where that can be built"
  if [ "$screen" = window ]; then
    wish python3-pygame "without pygame there is no window"
    # SDL draws on a bare screen through these and names none of them as needed
    for each in libegl1 libgles2 libgl1-mesa-dri; do
      wish $each "without it there is no window on a screen without a desktop"
    done
  fi
  wish avahi-utils "phones find this machine by its address or its own name, not as beisitzer.local"
}

# --- the program

# What an environment is made of, so that one that is whole and the same is left alone.
fingerprint() {
  (cd "$here" && find beisitzer engines hardware pi_app ai pyproject.toml setup.py systemd/requirements*.txt \
    -type f ! -name '*.pyc' ! -name '*.mo' ! -name '*.so' -exec cksum {} + | sort -k 3)
  python3 -V
  compiles || echo plain # a compiler that comes later is made use of
}

compiles() { command -v "${CC:-gcc}" > /dev/null; }

# install_part MODULE: from the hashed versions, only if the distribution did not bring it
install_part() {
  "$fresh/bin/python" -c "import $1" 2> /dev/null && return
  awk -v part="$1==" 'index($0, part) == 1 { on = 1 } on { print } on && !/\\$/ { exit }' \
    "$here/systemd/requirements-parts.txt" > "$fresh/part.txt"
  # PYPI: what is built brings its own C library, which no distribution but the Pi's has
  PYPI=1 pip_install --require-hashes -r "$fresh/part.txt" > /dev/null 2>&1 || say "no $1 for this machine: $2"
}

# nothing that is not listed by its hash, nor what root's own configuration of pip adds; builders too
pip_install() {
  "$fresh/bin/python" "$here/tools/installing.py" \
    "$fresh/bin/python" -m pip --quiet install --no-deps --no-compile --no-build-isolation "$@"
}

# without NAME ...: take these libraries off the list
without() {
  for name in "$@"; do
    awk -v name="$name==" '/^[a-z]/ { left = index($0, name) == 1 } !left { print }' \
      "$fresh/requirements.txt" > "$fresh/part.txt"
    mv "$fresh/part.txt" "$fresh/requirements.txt"
  done
}

# A new environment beside the one in use; only when it is whole does the name `venv` go over to
# it. One that was cut off is not repaired but thrown away.
install_program() {
  mkdir -p "$home"
  fingerprint > "$home/wanted"
  if cmp -s "$home/wanted" "$home/venv/installed" && "$home/venv/bin/python" -m pi_app --version > /dev/null 2>&1; then
    rm "$home/wanted"
    say "the program in $home is up to date"
    return
  fi
  sweep
  fresh=$(mktemp -d "$home/env.XXXXXX")
  chmod 755 "$fresh"
  say "installing the program in $home; on a Zero this takes some minutes"
  python3 -m venv --system-site-packages "$fresh"
  cp "$here/systemd/requirements.txt" "$fresh/requirements.txt"
  # for 32 bits nobody but the distribution compiles these, and signs them
  case $(uname -m) in armv6l | armv7l) without cbor2 pillow ;; esac
  builders="cython babel"
  # what only a compiler has a use for takes minutes on a Zero
  if ! compiles; then
    export BEISITZER_PLAIN=1
    builders=babel
    without cython
  fi
  pip_install --require-hashes -r "$fresh/requirements.txt" \
    || fail "the libraries could not be installed: is there a network? The messages are above. What was installed before goes on; repeat this once it is mended."
  install_part lgpio "keys and lamps on the header cannot be used; the serial panel and a screen can"
  install_part spidev "an OLED on SPI cannot be used; one on I2C can"
  # built from a copy: nothing of root's stays in the checkout, and nothing old in it is built in;
  # the time zone is of no matter, but Babel stops where the machine's cannot be read
  mkdir "$fresh/source"
  (cd "$here" && tar -c --exclude=__pycache__ --exclude='*.mo' --exclude='*.so' beisitzer engines hardware pi_app ai pyproject.toml setup.py README.md LICENSE) > "$fresh/source.tar"
  tar -x --no-same-owner -f "$fresh/source.tar" -C "$fresh/source"
  TZ=UTC pip_install "$fresh/source" || fail "the program could not be installed: the messages are above"
  "$fresh/bin/python" -m pip --disable-pip-version-check --quiet uninstall -y $builders
  # once, and only what stays; on all cores
  "$fresh/bin/python" -m compileall -q -j 0 "$fresh/lib" > /dev/null 2>&1 || true
  rm -r "$fresh/source" "$fresh/source.tar" "$fresh/requirements.txt"
  rm -f "$fresh/part.txt"
  mv "$home/wanted" "$fresh/installed"
  sync
  [ -L "$home/venv" ] || [ ! -e "$home/venv" ] || mv "$home/venv" "$home/env.before"
  ln -sfn "${fresh##*/}" "$home/venv.new"
  mv -T "$home/venv.new" "$home/venv"
  say "the program is in $home"
}

# Remove what is not in use: older environments, and what an installation that was cut off left.
sweep() {
  used=$(readlink "$home/venv" || true)
  for each in "$home"/env.*; do
    [ ! -d "$each" ] || [ "${each##*/}" = "$used" ] || rm -r "$each"
  done
}

# --- together

install_all() {
  case "${SCREEN:-}" in
    window | none) screen=$SCREEN ;;
    "") if [ -e "$dropin" ]; then screen=window; else screen=none; fi ;;
    *) fail "SCREEN is window or none" ;;
  esac
  [ ! -e "$root/usr/lib/beisitzer" ] || fail "the package beisitzer is installed: remove it first, the games stay: sudo apt-get remove beisitzer"
  install_packages
  install_program
  put "$here/docs/build.md" "$home/build.md"
  put "$here/systemd/helper.py" "$home/helper.py"
  each_file put
  [ -e "$root/etc/default/beisitzer" ] || put "$here/systemd/beisitzer.default" "$root/etc/default/beisitzer"
  PROGRAM=$home/venv/bin/beisitzer sh "$here/systemd/setup.sh"
  systemctl enable beisitzer-helper.socket
  systemctl restart beisitzer-helper.socket || say "a USB stick cannot be used: systemctl status beisitzer-helper.socket says why"
  systemctl enable beisitzer-wifi.socket
  systemctl restart beisitzer-wifi.socket || say "the table opens no Wi-Fi of its own: systemctl status beisitzer-wifi.socket says why"
  # the companion starts phones and the link again, if they are on, with the program of today
  systemctl stop beisitzer-web.socket beisitzer-web.service beisitzer-link.service || true
  systemctl enable beisitzer.service
  if systemctl restart beisitzer.service; then
    say "installed and started; its log: journalctl -u beisitzer"
  else
    say "everything is in place, but the service does not start yet. After a first installation restart the Pi, so that its buses are there. Else:"
    say "  systemctl status beisitzer; journalctl -u beisitzer -n 50"
    say "  /opt/beisitzer/venv/bin/beisitzer doctor"
  fi
  sweep
}

# away FILE PLACE: take a file of ours out of its place
away() { [ ! -e "$2" ] || { rm "$2"; say "removed $2"; }; }

uninstall_all() {
  systemctl disable --now $(sed -n 's|.* systemd/system/||p' "$here/systemd/files" | grep -v @) 2> /dev/null || true
  each_file away
  away - "$dropin"
  rmdir "${dropin%/*}" 2> /dev/null || true
  if cmp -s "$here/systemd/beisitzer.default" "$root/etc/default/beisitzer"; then away - "$root/etc/default/beisitzer"; fi
  [ ! -d "$home" ] || { rm -r "$home"; say "removed $home"; }
  systemctl daemon-reload || true
  udevadm control --reload || true
  say "kept: the games in $state, the passwords of the own Wi-Fi and of the link in /var/lib/beisitzer-wifi and /var/lib/beisitzer-link, the users beisitzer, beisitzer-wifi and beisitzer-link, the lines in config.txt (its copy from before: config.txt.before-beisitzer), the apt packages"
}

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs root: sudo make ${1:-install}"
case "${1:-}" in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) fail "say install or uninstall" ;;
esac
