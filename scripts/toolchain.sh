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
apt_dir=$prefix/.apt
debs=$apt_dir/debs

say() { printf '  %s\n' "$*"; }
die() { printf 'toolchain: %s\n' "$*" >&2; exit 1; }

# A part is up to date when its stamp holds the checksum of the function that made it.
checksum() { declare -f "install_$1" | sha256sum | cut -c1-16; }
up_to_date() { [ "$(cat "$prefix/.stamp-$1" 2>/dev/null)" = "$(checksum "$1")" ]; }
stamp() { checksum "$1" > "$prefix/.stamp-$1"; }

# The Debian archive this machine uses already, from apt's sources in both of their formats.
host_archive() {
  {
    awk '/^URIs:/ { uri = $2 } /^Suites:.*(bookworm|trixie|forky|stable|testing|unstable|sid)([ \t]|$)/ { print uri }' /etc/apt/sources.list.d/*.sources
    awk '$1 == "deb" { i = 2; if ($2 ~ /^\[/) while ($(i++) !~ /\]$/); if ($(i + 1) ~ /^(bookworm|trixie|forky|stable|testing|unstable|sid)$/) print $i }' \
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

# The archives unpack into a new tree, which takes the old one's place when it is complete.
install_emscripten() {
  [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || die "only amd64 has these packages: install emsdk instead"
  fetch trixie emscripten binaryen node-acorn libc6 libstdc++6 libgcc-s1
  fetch bookworm clang-19 libclang-cpp19 libclang-common-19-dev libllvm19 lld-19 llvm-19 llvm-19-linker-tools
  local new=$prefix/.new-emscripten package file name
  rm -rf "$new"
  mkdir -p "$new"/{tree,other,binaryen/bin,binaryen/libexec,binaryen/lib}

  say "unpacking"
  # The libraries built as position-independent code serve dynamic linking only: 800 MB.
  local skip=(--exclude=./usr/share/{doc,man,lintian,emscripten/test} --exclude='*/wasm32-emscripten/pic'
              --exclude='*/wasm32-emscripten/lto-pic')
  for package in clang-19 libclang-cpp19 libclang-common-19-dev libllvm19 lld-19 llvm-19 llvm-19-linker-tools \
                 emscripten node-acorn; do
    dpkg-deb --fsys-tarfile "$(deb $package)" | tar -x -C "$new/tree" --no-same-owner "${skip[@]}"
  done
  for package in binaryen libc6 libstdc++6 libgcc-s1; do dpkg-deb -x "$(deb $package)" "$new/other"; done
  mv "$new/tree/usr" "$new/usr"

  # LLVM's programs look for their two big libraries in ../lib.
  for file in libLLVM.so.19.1 libclang-cpp.so.19.1; do
    ln -sf "../../x86_64-linux-gnu/$file" "$new/usr/lib/llvm-19/lib/$file"
  done
  local missing
  missing=$(ldd "$new"/usr/lib/llvm-19/bin/{clang,lld,llvm-ar} | grep 'not found' | sort -u || true)
  [ -z "$missing" ] || die "LLVM needs libraries that this system lacks (libedit2 libxml2 libz3-4 libffi8 libzstd1): $missing"

  # Binaryen's programs, each started through Debian 13's dynamic loader with Debian 13's libraries.
  find "$new/other" -name 'libbinaryen.so*' -exec cp -a {} "$new/binaryen/lib/" \;
  for name in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6; do
    cp -L "$(find "$new/other" -name "$name" | head -n 1)" "$new/binaryen/lib/$name"
  done
  chmod +x "$new/binaryen/lib/ld-linux-x86-64.so.2"
  for file in "$new"/other/usr/bin/*; do
    name=${file##*/}
    case $name in wasm*|binaryen*) ;; *) continue ;; esac   # libc6 brings programs too
    mv "$file" "$new/binaryen/libexec/$name"
    cat > "$new/binaryen/bin/$name" <<LAUNCHER
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")/..
exec "\$here/lib/ld-linux-x86-64.so.2" --library-path "\$here/lib" "\$here/libexec/$name" "\$@"
LAUNCHER
    chmod +x "$new/binaryen/bin/$name"
  done

  # The package expects acorn in Debian's folder of Node modules, which other Nodes do not search.
  local emscripten=$new/usr/share/emscripten
  mkdir -p "$emscripten/node_modules"
  ln -sfn ../../nodejs/acorn "$emscripten/node_modules/acorn"
  # Its scripts are CommonJS; without this they would take our own package.json's "type": "module".
  printf '{ "type": "commonjs" }\n' > "$emscripten/package.json"
  # Paths relative to the file, so the folder can be moved. FROZEN_CACHE: the package carries its
  # system libraries built, and emcc must never clear or rebuild them.
  cat > "$emscripten/.emscripten" <<'CONFIG'
import os, shutil
from tools.utils import path_from_root
_prefix = os.path.abspath(path_from_root('..', '..', '..'))
LLVM_ROOT = os.path.join(_prefix, 'usr', 'lib', 'llvm-19', 'bin')
BINARYEN_ROOT = os.path.join(_prefix, 'binaryen')
NODE_JS = shutil.which('node') or '/usr/bin/node'
FROZEN_CACHE = True
CONFIG

  rm -rf "$new/tree" "$new/other" "$prefix/emscripten"
  mv "$new" "$prefix/emscripten"

  say "compiling a first program"
  local trial=$prefix/.trial
  rm -rf "$trial"
  mkdir "$trial"
  printf '{ "type": "commonjs" }\n' > "$trial/package.json"   # what emcc writes is no ES module
  printf '#include <cstdio>\nint main() { std::puts("works"); }\n' > "$trial/a.cc"
  EM_CONFIG=$prefix/emscripten/usr/share/emscripten/.emscripten \
    "$prefix/emscripten/usr/share/emscripten/em++" -O2 "$trial/a.cc" -o "$trial/a.js"
  [ "$(node "$trial/a.js")" = works ] || die "Emscripten does not work"
  rm -rf "$trial"
}

for part in "$@"; do
  if up_to_date "$part"; then continue; fi
  rm -f "$prefix/.stamp-$part"
  "install_$part"
  stamp "$part"
done
rm -rf "$apt_dir"
