#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_display.sh SOURCE: ./dev opens its window on a display that answers, and on no other.
set -eu
functions=$(sed -n '/^answers()/,/^}/p; /^have_display()/,/^}/p' "$1/dev")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# found VARIABLE=VALUE...: what ./dev thinks of these displays.
found() {
  env -u DISPLAY -u WAYLAND_DISPLAY XDG_RUNTIME_DIR="$folder" "$@" bash -euc "$functions
have_display"
}
fail() {
  echo "$1" >&2
  exit 1
}

for gone in A=b DISPLAY= DISPLAY=:77 DISPLAY=localhost:77.0 DISPLAY=nonsense WAYLAND_DISPLAY=gone; do
  if found "$gone"; then fail "a display that is not there: $gone"; fi
done
perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die; sleep 20' \
  "$folder/here" &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$folder/here" ] || sleep 0.2; done
found WAYLAND_DISPLAY=here || fail "a display that answers is not found"
kill "$server"
wait "$server" || true
if found WAYLAND_DISPLAY=here; then fail "a socket without a listener is no display"; fi
