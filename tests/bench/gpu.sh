#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that a GPU is borrowed for, in a few minutes: the op table and trainings against the CPU,
# compute-sanitizer over every op, rows of the table with odd sizes and steps of a training, and the speed
# beside PyTorch's, where Python has it, as a table. Exit codes: 1 if something failed, 2 if nothing did but
# some of it could not be done here. TFM_GPU_LIMIT: the most seconds for one program, 300 if not set, so that
# one that hangs does not cost the rest.
#
#   gpu.sh [BUILD]        with what ./dev build --with cuda has made (build/release)
#   gpu.sh pack [BUILD]   packs all that it needs into build/gpu.tar.gz, for a machine that has a driver
#                         and a C and C++ library that are new enough: there, `sh gpu/gpu.sh` is the one command
set -eu
here=$(dirname "$(readlink -f "$0")")
pack=
[ "${1:-}" != pack ] || { pack=yes; shift; }
build=${1:-$here/../../build/release}
[ ! -d "$here/app" ] || build=$here # a pack
tool=$build/app/transformarium-cli
tests=$build/tests/core/backend/tests_cuda
plugins=$build/lib/transformarium/plugins

for file in "$tool" "$tests" "$plugins/transformarium_cuda.so"; do
  [ -f "$file" ] || {
    echo "gpu.sh: there is no $file; make it with ./dev build --with cuda" >&2
    exit 1
  }
done

# A file of NVIDIA's wheels for Python, if there is one.
of_wheels() { python3 "$here/gpu_table.py" --find "$1" 2>/dev/null || true; }
find_sanitizer() {
  for place in "$here/sanitizer/compute-sanitizer" \
    "$(PATH="$PATH:${CUDA_HOME:-/usr/local/cuda}/bin" command -v compute-sanitizer || true)" \
    "$(of_wheels compute-sanitizer/compute-sanitizer)"; do
    [ ! -x "$place" ] || { readlink -f "$place"; return; }
  done
}
sanitizer=$(find_sanitizer)

# What compute-sanitizer looks at of the op table: an odd size of each kernel with a mind of its own.
set --
while read -r row; do
  set -- "$@" "everyCallIsThatOfTheCpu:$row"
done <<'ROWS'
attention causal 70 on 40
attention with bias, 33 on 50
attention without maps, with bias, dropout, causal
relative scores 9 on 17, [CLS], pooled
segment scores of two, [CLS]
sequence pool, maximum of 7, [CLS], truncated
up-sample 2 -> 8, [CLS] and zeros
grouped linear 3 groups 5x17->9 shuffled bias
linear 5x65->67 bias
layer norm, 3 groups of 17
masked layer norm 13 of 30, weight 0.4
RMS norm 30
embedding, repeated ids
cross-entropy 7x28
mean pool, pads
dropout 0.1, later rows
ROWS

if [ -n "$pack" ]; then
  # On the simulated device, so that nobody finds out on a borrowed one that a row has another name.
  "$tests" test_cuda_ops "$@" >/dev/null || {
    echo "gpu.sh: a row of the op table fails on the simulated device, or is not there" >&2
    exit 1
  }
  to=$here/../../build/gpu
  rm -rf "$to"
  mkdir -p "$to/app" "$to/tests/core/backend" "$to/lib/transformarium/plugins" "$to/libs"
  cp "$tool" "$to/app"
  cp "$tests" "$to/tests/core/backend"
  cp "$plugins/transformarium_cuda.so" "$to/lib/transformarium/plugins"
  strip "$to/app/transformarium-cli" "$to/tests/core/backend/tests_cuda"
  cp "$here"/gpu.sh "$here"/gpu_table.py "$here"/torch_bench.py "$here"/bench_torch_rot13.py \
    "$here"/bench_torch_decoder.py "$to"
  # All libraries but those of C and C++, which must be the machine's own, as its driver's are.
  ldd "$tool" "$tests" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*|libstdc\+\+|libgcc_s)\.so' |
    xargs -I{} cp {} "$to/libs"
  versions=$(find "$to" -type f | xargs objdump -T 2>/dev/null | grep -oE 'GLIBC(XX)?_[0-9.]+' | sort -uV)
  for library in GLIBC GLIBCXX; do
    echo "$versions" | grep "^${library}_" | tail -n 1
  done | paste -sd ' ' >"$to/needs"
  if [ -n "$sanitizer" ]; then
    # bin/ has a script that calls the program in a folder beside it.
    folder=$(dirname "$sanitizer")
    [ -f "$folder/libsanitizer-collection.so" ] || folder=$folder/../compute-sanitizer
    mkdir "$to/sanitizer"
    find "$folder" -maxdepth 1 ! -type d -exec cp {} "$to/sanitizer" \;
  else
    echo "gpu.sh: there is no compute-sanitizer to pack (pip install nvidia-cuda-sanitizer-api)" >&2
  fi
  tar -C "$to/.." -czf "$to.tar.gz" gpu
  echo "$(readlink -f "$to.tar.gz"), $(du -h "$to.tar.gz" | cut -f1), for a machine with $(cat "$to/needs")"
  exit
fi

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || {
  echo "gpu.sh: there is no NVIDIA driver on this machine" >&2
  exit 1
}
libs=
[ ! -d "$here/libs" ] || libs=$here/libs
# Runs a program of ours. Others, such as Python, must not meet the libraries packed with it.
ours() (
  [ -z "$libs" ] || export LD_LIBRARY_PATH="$libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  exec timeout -k 5 "${TFM_GPU_LIMIT:-300}" "$@"
)
ours "$tool" --version || {
  echo "gpu.sh: $tool does not start here" >&2
  [ ! -f "$here/needs" ] || echo "It needs $(cat "$here/needs"); here is $(ldd --version | head -n 1)" >&2
  exit 1
}
# The tests take the plugin for the simulated device; the program finds it beside its own folder.
export TFM_GPU_PLUGINS="$plugins"
# PyTorch keeps its cuBLASLt where no loader looks.
library=$(of_wheels 'lib/libcublasLt.so.*')
[ -z "$library" ] || export TFM_CUBLASLT="${TFM_CUBLASLT-$library}"

failed=
left=
attempt() {
  title=$1
  shift
  echo "-- $title"
  "$@" || failed="$failed
  $title"
}
leave() {
  echo "-- $1"
  left="$left
  $1"
}
attempt "The op table against the CPU" ours "$tests" test_cuda_ops
attempt "Trainings against the CPU" ours "$tests" test_cuda_training
if python3 -c 'import torch' 2>/dev/null; then
  attempt "Speed" python3 "$here/gpu_table.py" --program "$tool" ${libs:+--libraries "$libs"}
else
  leave "There is no PyTorch: our speed stands alone"
  for device in cuda cuda-tf32 cuda-bf16; do
    for benchmark in rot13 decoder large; do
      attempt "$benchmark on $device" ours "$tool" bench --device "$device" --only "$benchmark"
    done
  done
fi
if [ -n "$sanitizer" ]; then
  for check in memcheck racecheck; do
    attempt "compute-sanitizer, $check: ops" ours "$sanitizer" --tool "$check" --error-exitcode 1 "$tests" \
      test_cuda_ops aProgramIsThatOfTheCpu largeTilesAreThoseOfTheCpu productsAreOfRoundedNumbers "$@"
    attempt "compute-sanitizer, $check: a training" ours "$sanitizer" --tool "$check" --error-exitcode 1 \
      "$tests" test_cuda_training theSameRunGivesTheSameBits
  done
else
  leave "There is no compute-sanitizer (pip install nvidia-cuda-sanitizer-api): memory and races were not checked"
fi
[ -z "$failed" ] || echo "-- Failed:$failed"
[ -z "$left" ] || echo "-- Not done:$left"
[ -z "$failed" ] || exit 1
[ -z "$left" ] || exit 2
echo "-- All was done, and nothing failed"
