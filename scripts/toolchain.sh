#!/usr/bin/env bash
# Fetches what the build needs and a system does not have, into one folder that git ignores.
#
#   toolchain.sh PREFIX PART...      parts: headers sentencepiece emscripten
#
#   headers        xsimd 13.2 and nlohmann-json                  -> PREFIX/include
#   sentencepiece  the library's own source, 0.1.97              -> PREFIX/sentencepiece
#   emscripten     Emscripten 3.1.69, LLVM 19 and binaryen 120   -> PREFIX/emscripten
#
# It needs no root and changes nothing outside PREFIX: apt only downloads, with a source list and a
# state folder of its own, and dpkg-deb unpacks. So it works on Debian and its derivatives whose apt
# sources name a Debian archive; elsewhere set MIRROR to one, or let CMake fetch the libraries.
#
# Debian 12's own Emscripten (3.1.6) and xsimd (8.1) are too old, those of Debian 13 are new enough.
# Emscripten is scripts and prebuilt WASM libraries, so it runs anywhere; LLVM 19 comes built for
# Debian 12; binaryen is a Debian 13 binary and is started through Debian 13's own libc, kept beside it.
set -euo pipefail

prefix=$(mkdir -p "$1" && cd "$1" && pwd)
shift
script=${BASH_SOURCE[0]}
apt_dir=$prefix/.apt
debs=$apt_dir/debs

say() { printf '  %s\n' "$*"; }
die() { printf 'toolchain: %s\n' "$*" >&2; exit 1; }

# A part is up to date when its stamp holds this script's checksum.
checksum=$(sha256sum "$script" | cut -c1-16)
up_to_date() { [ "$(cat "$prefix/.stamp-$1" 2>/dev/null)" = "$checksum" ]; }
stamp() { echo "$checksum" > "$prefix/.stamp-$1"; }

# The Debian archive this machine uses already, from apt's sources in both of their formats.
host_archive() {
  {
    awk '/^URIs:/ { uri = $2 } /^Suites:.*(bookworm|trixie)([ \t]|$)/ { print uri }' /etc/apt/sources.list.d/*.sources
    awk '$1 == "deb" { i = 2; if ($2 ~ /^\[/) while ($(i++) !~ /\]$/); if ($(i + 1) ~ /^(bookworm|trixie)$/) print $i }' \
      /etc/apt/sources.list /etc/apt/sources.list.d/*.list
  } 2>/dev/null | head -n 1 || true
}

apt_ready=
prepare_apt() {
  [ -z "$apt_ready" ] || return 0
  apt_ready=1
  for tool in apt-get dpkg-deb; do command -v $tool >/dev/null || die "$tool is missing: this works on Debian only"; done
  mirror=${MIRROR:-$(host_archive)}
  [ -n "$mirror" ] || die "apt's sources name no Debian archive: set MIRROR to one"
  mkdir -p "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial" "$debs"
  cat > "$apt_dir/archive.sources" <<SOURCES
Types: deb deb-src
URIs: $mirror
Suites: bookworm trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
  : > "$apt_dir/status"
  apt=(apt-get -q -o Dir::Etc::sourcelist="$apt_dir/archive.sources" -o Dir::Etc::sourceparts=-
       -o Dir::State="$apt_dir" -o Dir::State::Lists="$apt_dir/lists" -o Dir::State::status="$apt_dir/status"
       -o Dir::Cache="$apt_dir/cache" -o APT::Sandbox::User="$(id -un)"
       -o Acquire::Retries=3 -o Acquire::Languages=none -o Dpkg::Use-Pty=0)
  say "reading the package lists of Debian 12 and 13"
  "${apt[@]}" update >/dev/null
}

# fetch SUITE PACKAGE...
fetch() {
  local suite=$1
  shift
  prepare_apt
  (cd "$debs" && "${apt[@]}" download "${@/%//$suite}" | sed -un 's/^Get:[0-9]* [^ ]* [^ ]* [^ ]* \([^ ]*\) .* \[\(.*\)\]$/  downloading \1, \2/p')
}
deb() { find "$debs" -name "$1_*.deb" | sort | tail -n 1; }

install_headers() {
  fetch trixie libxsimd-dev
  fetch bookworm nlohmann-json3-dev
  local new=$prefix/.new-include
  rm -rf "$new" "$prefix/include"
  mkdir -p "$new"
  dpkg-deb -x "$(deb libxsimd-dev)" "$new"
  dpkg-deb -x "$(deb nlohmann-json3-dev)" "$new"
  mv "$new/usr/include" "$prefix/include"
  rm -rf "$new"
}

# The original tarball: Debian's patches take the static library away, which is the one we link.
install_sentencepiece() {
  prepare_apt
  say "downloading the source of SentencePiece"
  (cd "$debs" && "${apt[@]}" source --download-only --tar-only sentencepiece=0.1.97-3 >/dev/null)
  rm -rf "$prefix/sentencepiece"
  mkdir "$prefix/sentencepiece"
  tar -x -C "$prefix/sentencepiece" --strip-components=1 --no-same-owner -f "$debs"/sentencepiece_*.orig.tar.*
}

for part in "$@"; do
  if up_to_date "$part"; then continue; fi
  rm -f "$prefix/.stamp-$part"
  "install_$part"
  stamp "$part"
done
rm -rf "$apt_dir"
