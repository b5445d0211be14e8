#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tour.sh PROGRAM CLI FOLDER: the tour through the main features passes and saves its pictures.
set -eu
program=$1
cli=$2
folder=$3
rm -rf "$folder"

"$program" "$folder" || { echo "FAILED: the tour's exit code is $?" >&2; exit 1; }
grep -q '"passed": true' "$folder/tour.json"
pictures=$(find "$folder" -name '[0-9]*.png' -size +10k | wc -l)
[ "$pictures" -ge 10 ] || { echo "FAILED: $pictures pictures" >&2; exit 1; }
# The trained model of 4,665 parameters after its six expansions.
"$cli" info "$folder/rot13.safetensors" --json | grep -q '"parameters": *21210'

# The control: an unwritable folder is an error.
: >"$folder/file"
if "$program" "$folder/file/pictures" >"$folder/control.txt" 2>&1; then
  echo "FAILED: a tour without a folder to write to passes" >&2
  exit 1
fi
