#!/usr/bin/env bash
# Builds the solver as one static executable, without CMake or Python: tools/gpu/build-solver.sh OUTPUT
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
output=$(realpath -m "$1")
build=$(mktemp -d)
trap 'rm -r "$build"' EXIT
cd "$root/native"
compile="${CXX:-g++} -std=c++20 -O3 -DNDEBUG -I. -c"
search="-fno-tree-pre -fno-code-hoisting -fno-tree-loop-im -fno-tree-slp-vectorize"
v3=
if [ "$(uname -m)" = x86_64 ]; then
  v3=-DBIDLAB_HAS_X86_64_V3
  $compile -march=x86-64-v3 -DBIDLAB_PROCESSOR=x86_64_v3 doubledummy/search.cpp -o "$build/search_v3.o" &
fi
$compile $v3 $search doubledummy/search.cpp -o "$build/search.o" &
for file in doubledummy/engine doubledummy/solver doubledummy/main dealing/dealing; do
  $compile $v3 "$file.cpp" -o "$build/$(basename "$file").o" &
done
wait
mkdir -p "$(dirname "$output")"
${CXX:-g++} -static -pthread "$build"/*.o -o "$output"
