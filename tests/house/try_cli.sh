#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# try_cli.sh PROGRAM: the command-line tool trains, saves, reads back and decodes, and no window library comes with it.
set -eu
cli=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
model="$work/a model.safetensors"

fail() {
  echo "$1"
  exit 1
}

if ldd "$cli" | grep -E 'libQt|libvtk|libGL|libEGL|libX11|qcustomplot'; then
  fail "transformarium-cli links window libraries"
fi
"$cli" --help >/dev/null || fail "--help failed"
"$cli" train --preset rot13 --steps 3 --seed 1 --out "$model" --json >"$work/train.json" || fail "train failed"
grep -q '"steps": *3' "$work/train.json" || fail "train --json did not tell its steps: $(cat "$work/train.json")"
"$cli" info "$model" --json | grep -q '"parameters": *[1-9]' || fail "info tells no parameters"
"$cli" decode "$model" hey there --json | grep -q '"outputs"' || fail "decode tells no outputs"
if "$cli" info "$work/absent.safetensors" >/dev/null 2>"$work/message"; then
  fail "info accepted a file that is not there"
fi
grep -q 'absent.safetensors' "$work/message" || fail "the message does not name the file that is not there"
echo "transformarium-cli works without a window system"
