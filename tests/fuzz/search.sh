#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# search.sh BUILD NAME [SECONDS]: searches the fuzz target NAME of a build with libFuzzer by coverage, for SECONDS (900)
# or a million inputs, whichever is later, and keeps what reaches different code as tests/fuzz/corpus/NAME.txt.
# Fails where an input is a bug; the message names its file.
set -euo pipefail
build=$1 name=$2 seconds=${3:-900}
kept="$(dirname "$(readlink -f "$0")")/corpus/$name.txt"
program="$build/tests/fuzz/fuzz_$name"
work="$build/search/$name"
longest_input=8192 # bytes tried
longest_line=1500  # characters of an input that is kept
most_lines=80
needed=1000000

mkdir -p "$work/found" "$(dirname "$kept")"
search() {
  "$program" -seed=1 -timeout=60 -rss_limit_mb=4096 -max_len=$longest_input -print_final_stats=1 \
    -artifact_prefix="$work/" "$@" "$work/found" >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
  }
  awk '/^stat::number_of_executed_units:/ { print $2 }' "$work/log"
}
tried=$(search -max_total_time="$seconds")
if ((tried < needed)); then
  more=$(search -runs=$((needed - tried)))
  tried=$((tried + more))
fi
covered=$(grep -o 'cov: [0-9]*' "$work/log" | tail -n 1)

rm -rf "$work/few"
mkdir "$work/few"
"$program" -set_cover_merge=1 "$work/few" "$work/found" >"$work/merge.log" 2>&1
"$program" --lines "$work/few" 2>/dev/null |
  awk -v most=$longest_line -v lines=$most_lines 'length($0) <= most && ++count <= lines' >"$kept.new"
mv "$kept.new" "$kept"
printf '%-18s %9d inputs, %s, %d kept\n' "$name" "$tried" "$covered" "$(wc -l <"$kept")"
