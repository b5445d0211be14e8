#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# portable.sh BUILD OUT: one archive with the programs of a build and all they need but the C library, started by one
# script; and a table of what is in it and why. Runs where glibc is at least that of this system.
set -euo pipefail

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
build=$(readlink -f "$1") out=$(readlink -f "$2")
version=$(sed -n 's/^project(transformarium VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
name=transformarium-$version-$(uname -m)
to="$out/$name"
system=/usr/lib/$(uname -m)-linux-gnu

rm -rf "$to"
mkdir -p "$to"/{lib/cxx,lib/gl,plugins,etc,share/fonts,share/licences}
cmake --install "$build" --prefix "$to" >/dev/null
rm -rf "$to"/share/{bash-completion,fish,zsh,mime,metainfo,applications}

# What plays a part: Qt's ways to a screen, input of accents, and icons of dialogs.
plugins=(platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland-generic.so platforms/libqwayland-egl.so
  platforminputcontexts/libcomposeplatforminputcontextplugin.so platforminputcontexts/libibusplatforminputcontextplugin.so
  xcbglintegrations/libqxcb-egl-integration.so xcbglintegrations/libqxcb-glx-integration.so
  wayland-shell-integration/libxdg-shell.so wayland-graphics-integration-client/libqt-plugin-wayland-egl.so
  wayland-decoration-client/libbradient.so imageformats/libqsvg.so iconengines/libqsvgicon.so)
for plugin in "${plugins[@]}"; do
  [[ -f $system/qt6/plugins/$plugin ]] || continue
  install -D -m 644 "$system/qt6/plugins/$plugin" "$to/plugins/$plugin"
done

# Software drawing, for systems without a driver of OpenGL.
gl=("$system"/libEGL_mesa.so.0 "$system"/libGLX_mesa.so.0)
install -D -m 644 "$system/dri/swrast_dri.so" "$to/lib/gl/dri/swrast_dri.so"
for file in "${gl[@]}"; do install -m 644 "$(readlink -f "$file")" "$to/lib/gl/$(basename "$file")"; done
sed 's|libEGL_mesa|../lib/gl/libEGL_mesa|' /usr/share/glvnd/egl_vendor.d/50_mesa.json >"$to/etc/egl_mesa.json"

# needed FILE...: the libraries that these load, but not the C library, which belongs to the system.
needed() {
  ldd "$@" 2>/dev/null | awk '/=> \// { print $3 }' | sort -u |
    grep -vE '/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util|nsl))\.so'
}
mapfile -t programs < <(find "$to/bin" "$to/plugins" -type f)
while read -r library; do
  file=$(basename "$library")
  case $file in
    libstdc++.so.* | libgcc_s.so.*) place=lib/cxx ;; # the system's, where it is newer
    *) place=lib ;;
  esac
  install -m 644 "$(readlink -f "$library")" "$to/$place/$file"
done < <(needed "${programs[@]}" "$system"/libGLX.so.0 "$system"/libEGL.so.1)
while read -r library; do
  file=$(basename "$library")
  [[ -e $to/lib/$file || -e $to/lib/cxx/$file ]] || install -m 644 "$(readlink -f "$library")" "$to/lib/gl/$file"
done < <(needed "$to/lib/gl/dri/swrast_dri.so" "${gl[@]}")

# Each finds the others from where it lies, so that no variable leaks into programs that ours starts.
strip --strip-unneeded "$to"/bin/*
for file in "$to"/bin/transformarium*; do patchelf --set-rpath '$ORIGIN/../lib' "$file"; done
for file in "$to"/lib/*.so*; do patchelf --set-rpath '$ORIGIN' "$file"; done
for file in "$to"/lib/gl/*.so*; do patchelf --set-rpath '$ORIGIN:$ORIGIN/..' "$file"; done
patchelf --set-rpath '$ORIGIN/..:$ORIGIN/../..' "$to/lib/gl/dri/swrast_dri.so"
for file in "$to"/plugins/*/*.so; do patchelf --set-rpath '$ORIGIN/../../lib' "$file"; done

cat >"$to/bin/qt.conf" <<'CONF'
[Paths]
Prefix = ..
Plugins = plugins
CONF
find /usr/share/fonts -name 'Inter*.[ot]tf' -o -name 'JetBrainsMono-*.[ot]tf' | while read -r font; do
  case $font in
    *Inter-Regular.* | *Inter-Medium.* | *Inter-SemiBold.* | *Inter-Bold.* | *Inter-Italic.* | *InterVariable.* | \
      *JetBrainsMono-Regular.* | *JetBrainsMono-Bold.*) install -m 644 "$font" "$to/share/fonts" ;;
  esac
done
cat >"$to/etc/fonts.conf" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">../share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
CONF
# Of which version it is, as the name of the file no longer tells.
basename "$(readlink -f "$system/libstdc++.so.6")" | sed "s/.*so\.//" >"$to/lib/cxx/version"
cp -r /usr/share/X11/xkb "$to/share/xkb"
cp -r /usr/share/X11/locale "$to/share/x11-locale"

for program in transformarium transformarium-cli; do
  install -m 755 "$root/packaging/portable_start.sh" "$to/$program"
done

# origin FILE: the package that a file of the archive came from. Debian lists some libraries without their /usr.
origin() {
  local name path
  name=$(basename "$1")
  path=$(readlink -f "$system/$name" || true)
  [[ -f $path ]] || path="*/$name"
  { dpkg -S "$path" 2>/dev/null || dpkg -S "${path#/usr}"; } | head -n 1 | cut -d: -f1
}

# Licences of all that is bundled, by the package that it came from.
table="$out/$name.txt"
mapfile -t files < <(cd "$to" && find lib plugins share/fonts -type f ! -name version | LC_ALL=C sort)
{
  printf '%-52s %9s  %s\n' file bytes "from the package"
  for file in "${files[@]}"; do
    printf '%-52s %9s  %s\n' "$file" "$(stat -c %s "$to/$file")" "$(origin "$file")"
  done
} >"$table"
awk 'NR > 1 { print $3 }' "$table" | sort -u | while read -r package; do
  cp -L "/usr/share/doc/$package/copyright" "$to/share/licences/$package"
done
cp "$root/LICENSE" "$to/share/licences/transformarium"
cp "$table" "$to/share/contents.txt"

# The same files give the same bytes.
date=$(git -C "$root" log -1 --format=%ct)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$date" -C "$out" -cf - "$name" | xz -8 -T0 --block-size=16MiB >"$out/$name.tar.xz"
du -sh "$to" "$out/$name.tar.xz"
