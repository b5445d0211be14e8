#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# debian.sh OUT: the source package and the packages of the last commit, into OUT. Tests do not run here: ./dev test
# runs them; without nocheck in DEB_BUILD_OPTIONS, debian/rules does.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
out=$1
version=$(sed -n 's/^project(transformarium VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
folder=transformarium-$version
work="$out/work"

rm -rf "$work"
mkdir -p "$work"
# git's own archive has one date, that of the commit; the same commit gives the same bytes.
git -C "$root" archive --prefix="$folder/" HEAD -- . ':!debian' | gzip -n9 >"$work/transformarium_$version.orig.tar.gz"
tar xf "$work/transformarium_$version.orig.tar.gz" -C "$work"
git -C "$root" archive HEAD debian | tar x -C "$work/$folder"

export DEB_BUILD_OPTIONS="nocheck parallel=${JOBS:-$(nproc)} ${DEB_BUILD_OPTIONS:-}"
export CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} # debhelper takes HOME away
(cd "$work/$folder" && dpkg-buildpackage -us -uc)
find "$work" -maxdepth 1 -type f -exec mv -f {} "$out" \;
rm -rf "$work"
