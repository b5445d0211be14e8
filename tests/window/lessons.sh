#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lessons.sh PROGRAM CLI FOLDER: all lessons are played in the window, page by page, and each page is ticked.
set -eu
program=$1
folder=$3
"$program" "$folder" no-pictures || { echo "FAILED: the exit code of the lessons is $?" >&2; exit 1; }
