#!/usr/bin/env bash
# Builds bidlab's extension for the Python of a machine without package registries:
#     tools/gpu/build-package.sh FOLDER
# FOLDER holds what the package needs beside numpy, as pip unpacks it: nanobind and lark
# (pip install --target FOLDER --no-deps nanobind lark). Afterwards PYTHONPATH=src:FOLDER runs bidlab.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(realpath "$1")
build=$(mktemp -d)
trap 'rm -r "$build"' EXIT
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$(command -v python3)" \
  -Dnanobind_DIR="$packages/nanobind/cmake" >"$build/log" || { cat "$build/log"; exit 1; }
cmake --build "$build" --target _native >"$build/log" || { cat "$build/log"; exit 1; }
cp "$build"/_native*.so "$root/src/bidlab/"
# What tells Python the version of an installed package.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/pyproject.toml")
mkdir -p "$packages/bidlab-$version.dist-info"
printf 'Metadata-Version: 2.1\nName: bidlab\nVersion: %s\n' "$version" >"$packages/bidlab-$version.dist-info/METADATA"
