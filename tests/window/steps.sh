# SPDX-License-Identifier: GPL-3.0-or-later
# Simulates keyboard and mouse on a screen without a window manager; sourced by the tests beside it.
# Needs: $program, $folder. Offers: $pid, $window.

fail() {
  echo "FAILED: $*" >&2
  if command -v import >/dev/null; then import -window root "$folder/failed.png"; fi
  exit 1
}

# until_true WHAT COMMAND...: tries again for up to a minute.
until_true() {
  what=$1
  shift
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "$what"
    sleep 0.2
  done
}

# start ARGUMENT...: starts the program with default settings, keeping only earlier recovery copies, and waits for
# its window. No other may run: its settings are removed.
rm -rf "$folder.cache"
start() {
  rm -rf "$folder"
  mkdir -p "$folder/config/Transformarium" "$folder/run"
  # With $first_start, as a first start, which offers ways to begin.
  [ -n "${first_start:-}" ] || printf '[General]\nwelcomed=true\n' >"$folder/config/Transformarium/transformarium.ini"
  chmod 700 "$folder/run"
  export XDG_CONFIG_HOME="$folder/config" XDG_RUNTIME_DIR="$folder/run" XDG_CACHE_HOME="$folder.cache"
  unset DBUS_SESSION_BUS_ADDRESS
  start_beside "$@"
}

# start_beside ARGUMENT...: the same beside a program that runs, with its settings.
start_beside() {
  "$program" "$@" &
  pid=$!
  trap 'kill $pid 2>/dev/null || true' EXIT
  until_true "a window appears" has_window
  # Without a window manager, nothing else gives the window the keyboard focus.
  xdotool windowfocus --sync "$window"
  until_true "the window comes to rest" rests
}

# Two pictures half a second apart are the same: a busy machine takes its time to draw the first one.
rests() {
  picture before
  sleep 0.5
  ! changed_since before
}

has_window() {
  kill -0 $pid 2>/dev/null || fail "the program ended by itself"
  window=$(xdotool search --all --onlyvisible --pid $pid --name Transformarium 2>/dev/null | head -n 1)
  [ -n "$window" ]
}

title() { xdotool getwindowname "$window"; }
title_has() { title | grep -q -F -- "$1"; }
dialog() { xdotool search --all --onlyvisible --pid $pid --name "$1" 2>/dev/null | tail -n 1; }
has_dialog() { [ -n "$(dialog "$1")" ]; }
lacks_dialog() { ! has_dialog "$1"; }

# picture NAME, changed_since NAME: saves what the window looks like; whether it has changed since.
picture() { import -window "$window" "$folder/$1.png"; }
changed_since() {
  picture now
  [ "$(convert "$folder/$1.png" "$folder/now.png" -metric AE -compare -format '%[distortion]' info:)" != 0 ]
}

# ended: waits for the program and fails unless it exited with 0.
ended() {
  until_true "the program ends" gone
  trap - EXIT
  code=0
  wait $pid || code=$?
  [ $code -eq 0 ] || fail "exit code $code"
}
gone() { [ ! -d /proc/$pid ] || grep -q '^State:.Z' /proc/$pid/status; }
