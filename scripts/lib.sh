# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# What the scripts of this folder share. Sourced by them after `set -euo pipefail`; changes to the
# repository's root and reads no other state.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root" || exit 3

# What a build needs, what the tests need besides, and what clang-tidy and fuzzing need besides.
# ccache is used where it is, and not installed: it slows a first build down by a third.
build_packages=(
  g++ cmake ninja-build
  libgtest-dev libgmock-dev nlohmann-json3-dev libspdlog-dev libbenchmark-dev libcli11-dev
  libarchive-dev libyaml-cpp-dev libssl-dev
  python3 procps
)
# chromium and xmllint judge the HTML and the JUnit report, python3-yaml reads what docs/ci.md offers;
# busybox (busybox-static would replace it, and has other programs), dash and mawk are what the machine is
# compared with; the last three are for the installed package.
test_packages=(
  clang-format git libxml2-utils chromium python3-yaml dash busybox mawk pkg-config dpkg-dev file
)
tidy_packages=(clang-16 clang-tidy-16 git)
fuzz_packages=(clang-16 libclang-rt-16-dev)

say() { printf '%s\n' "$*" >&2; }
die() {
  local status=$1
  shift
  printf 'scripts/%s: %s\n' "$(basename "$0")" "$*" >&2
  exit "$status"
}

# Builds, tests and mutants in parallel: one job per core.
cores() { nproc 2>/dev/null || echo 2; }

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# as_root CMD...: as root, or through sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -- "$@"
  fi
}

# need_packages NAME...: installs the Debian packages that are missing; does nothing, and asks for
# no rights, when none is. Elsewhere than on Debian, CMake says what it does not find.
need_packages() {
  local missing=() name log
  command -v dpkg-query >/dev/null 2>&1 || return 0
  for name in "$@"; do
    installed "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    die 3 "these Debian packages are missing, and there is neither root nor sudo to install them:" \
      "${missing[*]}. As root: apt-get install ${missing[*]}"
  fi
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  mkdir -p build
  log="$root/build/install.log"
  # The lock wait covers a machine that has just booted and is still updating itself.
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  if ! { as_root "${apt[@]}" update &&
    as_root "${apt[@]}" install --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    die 3 "apt-get could not install ${missing[*]}; the whole log is in $log"
  fi
}

# configure PRESET: once; afterwards ninja itself notices changed CMake files.
configure() {
  local tree="build/$1"
  if [ -f "$tree/build.ninja" ] && [ ! CMakePresets.json -nt "$tree/CMakeCache.txt" ]; then
    return 0
  fi
  mkdir -p "$tree"
  if ! cmake --preset "$1" >"$tree/configure.log" 2>&1; then
    tail -n 30 "$tree/configure.log" >&2
    die 3 "CMake could not configure the preset '$1'; the whole log is in $tree/configure.log"
  fi
  touch "$tree/CMakeCache.txt"
}
