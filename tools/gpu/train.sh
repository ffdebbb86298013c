#!/usr/bin/env bash
# One training on a bare machine with a GPU: imitation while deals are solved, then self-play on all of them.
#
#   tools/gpu/train.sh OUT [NAME "SETTINGS"]...     for example
#   tools/gpu/train.sh trained base "" table "--set critic=table" zero nothing few first=20000
#
# Two words of SETTINGS are this script's: `nothing`, no start and no anchor; `first=N`, the first N carried deals
# and no others.
# Each NAME is a self-play of its own from the same imitation; they share what time is left equally, one after
# the other, or with PARALLEL=1 all at once: slower each, but what one leaves of the GPU others use. It reads
# carry/ (tools/gpu/prepare.py fills it) and leaves in OUT: log.txt, solved.bin (records that follow those of
# the library `train` and of carry/solved*.bin), imitation.tar and NAME.tar, each a run's folder less its
# checkpoint. From the environment:
#   LIMIT     seconds for everything (570)       IMITATE   more words for the imitation
#   THREADS   for the solver (14); 0: no solving   START   weights to start from, instead of an imitation
#   ANCHOR    weights of the imitation to stay near, where START has learned more than that
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
out=$(realpath -m "$1")
shift
[ $# -gt 0 ] || set -- selfplay ""
mkdir -p "$out"
work=$(mktemp -d)
exec > >(tee "$out/log.txt") 2>&1
export PYTHONUNBUFFERED=1
limit=${LIMIT:-570} threads=${THREADS:-14} solver_pid=
train="${PYTHON:-python3} src/bidlab/learning/selfplay/bare.py"

# The deals that follow those solved before: 23 bytes each.
deals=()
first=1
for file in carry/deals.bin carry/solved*.bin; do
  [ -e "$file" ] || continue
  deals+=(--data "$file")
  first=$((first + $(stat -c %s "$file") / 23))
done

start_solver() {
  local solver=carry/solve-deals
  if ! "$solver" 1003 1 0 1 whole; then
    echo "the carried solver does not run here: building it"
    solver=$work/solve-deals
    tools/gpu/build-solver.sh "$solver" || return 1
  fi
  nice -n 5 "$solver" 1003 "$first" 100000000 "$threads" whole > "$work/solved.bin" &
  solver_pid=$!
}

finish() {
  [ -z "$solver_pid" ] || kill "$solver_pid" 2> /dev/null
  if [ -s "$work/solved.bin" ]; then
    local size
    size=$(stat -c %s "$work/solved.bin")
    head -c $((size / 23 * 23)) "$work/solved.bin" > "$out/solved.bin"
    echo "$((size / 23)) deals solved from number $first on"
  fi
  rm -rf "$work"
}
trap finish EXIT

keep() { # NAME: what is worth keeping of a run, as one file
  (cd "$work/$1" && tar cf "$out/$1.tar" config.json curves.csv weights.npz $(ls agreement.json 2> /dev/null))
}

nproc; nvidia-smi -L 2> /dev/null
[ "$threads" = 0 ] || start_solver || echo "no solver: only the carried deals"
imitation=${START:-$work/imitation/weights.npz}
if [ -z "${START:-}" ]; then
  $train imitate --data carry/expert-auctions.npz --out "$work/imitation" --minutes 3 --steps 10000 \
    ${IMITATE:-} || exit 1
  keep imitation
fi
growing=()
[ "$threads" = 0 ] || growing=(--growing "$work/solved.bin")
anchor=()
[ -z "${ANCHOR:-}" ] || anchor=(--anchor "$ANCHOR")

selfplay() { # NAME SECONDS SETTINGS
  echo "== $1: $2 seconds, settings: ${3:-as they are}"
  local minutes start=(--start "$imitation")
  minutes=$(awk "BEGIN { print $2 / 60 }")
  local settings=$3 used=("${deals[@]}" "${growing[@]}")
  [[ " $settings " != *" nothing "* ]] || start=()
  if [[ $settings =~ first=([0-9]+) ]]; then
    head -c $((BASH_REMATCH[1] * 23)) carry/deals.bin > "$work/$1-deals.bin"
    used=(--data "$work/$1-deals.bin")
    settings=${settings/${BASH_REMATCH[0]}/}
  fi
  $train selfplay "${used[@]}" "${start[@]}" "${anchor[@]}" --validation carry/tune.bin \
    --auctions carry/expert-auctions.npz --out "$work/$1" --minutes "$minutes" ${settings/nothing/}
}

status=0
if [ -n "${PARALLEL:-}" ]; then
  seconds=$((limit - SECONDS - 20)) names=() running=()
  while [ $# -gt 0 ]; do
    names+=("$1")
    selfplay "$1" "$seconds" "${2:-}" > "$out/$1.txt" 2>&1 &
    running+=($!)
    shift $(($# > 1 ? 2 : 1))
  done
  for pid in "${running[@]}"; do wait "$pid" || status=1; done
  for name in "${names[@]}"; do
    cat "$out/$name.txt"
    rm "$out/$name.txt"
    keep "$name" || status=1
  done
  exit $status
fi
while [ $# -gt 0 ]; do
  # Loading, the last validation and the copies take some seconds of each.
  seconds=$(((limit - SECONDS) / ((($# + 1) / 2)) - 20))
  [ $seconds -gt 10 ] || { echo "no time left for $1"; status=1; break; }
  selfplay "$1" "$seconds" "${2:-}" || status=1
  keep "$1" || status=1
  shift $(($# > 1 ? 2 : 1))
done
exit $status
