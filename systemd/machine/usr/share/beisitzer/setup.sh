#!/bin/sh
# Makes the machine ready for the installed companion: its users, its settings, the buses that they
# need, the screen. The package calls it; safe to repeat. As a command it is
# `beisitzer-setup`, with wishes behind it:
#
# SCREEN=window   the companion also draws on a screen without a desktop; SCREEN=none takes it back
# SETTINGS=FILE   the service's settings, checked and then copied; the old ones are kept beside
set -eu

for wish in "$@"; do
  case "$wish" in
    SCREEN=*) SCREEN=${wish#SCREEN=} ;;
    SETTINGS=*) SETTINGS=${wish#SETTINGS=} ;;
    *) echo "beisitzer: say SCREEN=window, SCREEN=none or SETTINGS=FILE" >&2; exit 2 ;;
  esac
done

here=$(dirname "$(readlink -f "$0")")
root=${DESTDIR:-}
program=${PROGRAM:-/usr/bin/beisitzer}
state=$root/var/lib/beisitzer
dropin=$root/etc/systemd/system/beisitzer.service.d/window.conf

say() { echo "beisitzer: $*"; }
fail() { echo "beisitzer: $*" >&2; exit 1; }

# --- its settings

# as_user COMMAND ...: as the service's user, who owns its folder and could have put a link in any
# place there: root itself changes nothing in it
as_user() { runuser -u beisitzer -- "$@"; }

# ask ARGUMENT ...: let the installed program read or change the service's settings; a version that
# hangs must not hold up the installation that is to show that
ask() {
  as_user timeout 120 env BEISITZER_APPLIANCE=1 BEISITZER_CONFIG="$state/settings.toml" "$program" config "$@"
}

# Takes settings from standard input, in the folder $1; the old ones, if they differ, are kept.
take_settings='
  cd "$1"
  new=$(mktemp settings.toml.XXXXXX)
  trap "rm -f $new" EXIT
  cat > "$new"
  chmod 640 "$new"
  if [ -e settings.toml ] || [ -L settings.toml ]; then
    if [ -f settings.toml ] && cmp -s "$new" settings.toml; then exit; fi
    mv -T settings.toml settings.toml.before
    echo "beisitzer: kept the old settings as $1/settings.toml.before"
  fi
  mv -T "$new" settings.toml
'

install_settings() {
  if [ -n "${SETTINGS:-}" ]; then
    BEISITZER_CONFIG=$SETTINGS "$program" config > /dev/null || fail "$SETTINGS was not taken"
    as_user sh -euc "$take_settings" sh "$state" < "$SETTINGS" \
      || fail "$SETTINGS was not taken: look into $state, which the user beisitzer must be able to change"
  fi
  case "${SCREEN:-}" in
    window) ask --set 'display.show=["oled", "window"]' > /dev/null || say "the settings do not take the window: mend them and repeat this" ;;
    none) ask --set 'display.show="auto"' > /dev/null || say "the settings still name the window: mend them and repeat this" ;;
  esac
  if [ "$screen" = window ]; then
    [ -d "$root/usr/lib/python3/dist-packages/pygame" ] \
      || say "a window needs: sudo apt-get install python3-pygame libegl1 libgles2 libgl1-mesa-dri"
    install -D -m 644 "$here/window.conf" "$dropin"
  elif [ -e "$dropin" ]; then
    rm "$dropin"
    say "removed $dropin"
  fi
}

# The boot configuration is the system's: a block of ours is added, and only that is ever changed.
configure_boot() {
  [ ! -e "$root/etc/beisitzer-card" ] || return 0 # card-header.service writes that of a card
  config=$root/boot/firmware/config.txt
  [ -f "$config" ] || config=$root/boot/config.txt
  if [ ! -f "$config" ]; then
    say "no config.txt here: switch the display's bus on yourself, I2C at 400 kHz"
    return
  fi
  begin="# Beisitzer begins: what its settings need; renewed by each installation"
  end="# Beisitzer ends"
  if ! lines=$(ask --boot); then
    say "the settings have a mistake, so $config stays as it is"
    return
  fi
  if [ "$(grep -c '^# Beisitzer begins' "$config")" != "$(grep -cxF "$end" "$config")" ]; then
    say "the block of Beisitzer in $config lost its begin or its end: mend it, so that it can be renewed"
    return
  fi
  sed "/^# Beisitzer begins/,/^$end\$/d" "$config" > "$config.new"
  if [ "$screen" = window ] && ! grep -qE '^dtoverlay=vc4-f?kms-v3d' "$config.new"; then
    lines="$lines
dtoverlay=vc4-kms-v3d"
  fi
  missing=
  for line in $lines; do
    case "$line" in
      dtoverlay=gpio-shutdown,gpio_pin=[37],*) ;; # where nothing but a button holds the pin low
      dtoverlay=gpio-shutdown,*)
        # a pin that is held low powers the Pi off at each start: the owner names it, not the table
        if [ -z "${SETTINGS:-}" ] && ! grep -qxF "$line" "$config"; then
          say "the power button has another pin now: to take it, repeat this with SETTINGS=FILE, a file of yours that names it"
          continue
        fi
        ;;
    esac
    grep -qxF "$line" "$config.new" || missing="$missing $line"
  done
  if grep -qE '^dtparam=(.*,)?spi=on' "$config.new" && ! echo "$lines" | grep -q spi=on; then
    say "SPI is switched on in $config: it takes GPIO 7 and 8 from the power button and the encoder's push. Take dtparam=spi=on out, or give these parts other pins."
  fi
  [ -z "$missing" ] || { echo "$begin"; echo "[all]"; printf '%s\n' $missing; echo "$end"; } >> "$config.new"
  if cmp -s "$config" "$config.new"; then
    rm "$config.new"
    return
  fi
  copy=$config.before-beisitzer
  [ -e "$copy" ] || cp -p "$config" "$copy"
  sync "$config.new"
  mv "$config.new" "$config"
  say "$config now has:${missing:- nothing of ours} (a copy from before is $copy); it counts after a restart"
}

# --- together

[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs root: sudo beisitzer-setup"
case "${SCREEN:-}" in
  window | none) screen=$SCREEN ;;
  "") if [ -e "$dropin" ]; then screen=window; else screen=none; fi ;;
  *) fail "SCREEN is window or none" ;;
esac
systemd-sysusers --root="$root/" beisitzer.conf
systemd-tmpfiles --root="$root/" --create beisitzer.conf
install_settings
configure_boot
udevadm control --reload || true # where no udev runs, the rules count from the next start on
udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=tty --subsystem-match=drm || true
modprobe i2c-dev 2> /dev/null || true
systemctl daemon-reload || true
# systemd starts no service that has failed too often, even if it is set up anew
systemctl reset-failed beisitzer.service 2> /dev/null || true
