#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that a GPU is borrowed for, in a few minutes: the op table and trainings against the CPU,
# compute-sanitizer over them, and the speed beside PyTorch's, where Python has it, as a table.
#
#   gpu.sh [BUILD]        with what ./dev build --with cuda has made (build/release)
#   gpu.sh pack [BUILD]   packs all that it needs into build/gpu.tar.gz, for a machine that has a driver
#                         and nothing else: there, `sh gpu/gpu.sh` is the one command
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

if [ -n "$pack" ]; then
  to=$here/../../build/gpu
  rm -rf "$to"
  mkdir -p "$to/app" "$to/tests/core/backend" "$to/lib/transformarium/plugins" "$to/libs"
  cp "$tool" "$to/app"
  cp "$tests" "$to/tests/core/backend"
  cp "$plugins/transformarium_cuda.so" "$to/lib/transformarium/plugins"
  strip "$to/app/transformarium-cli" "$to/tests/core/backend/tests_cuda"
  cp "$here"/gpu.sh "$here"/gpu_table.py "$here"/torch_bench.py "$here"/bench_torch_rot13.py \
    "$here"/bench_torch_decoder.py "$to"
  # All libraries but the C library's, which must be the machine's own, as its driver's is.
  ldd "$tool" "$tests" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' | xargs -I{} cp {} "$to/libs"
  tar -C "$to/.." -czf "$to.tar.gz" gpu
  echo "$(readlink -f "$to.tar.gz"), $(du -h "$to.tar.gz" | cut -f1)"
  exit
fi

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || {
  echo "gpu.sh: there is no NVIDIA driver on this machine" >&2
  exit 1
}
[ ! -d "$here/libs" ] || export LD_LIBRARY_PATH="$here/libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# The tests take the plugin for the simulated device; the program finds it beside its own folder.
export TFM_GPU_PLUGINS="$plugins"

failed=
attempt() {
  echo "-- $1"
  shift
  "$@" || failed="$failed
  $*"
}
attempt "The op table against the CPU" "$tests" test_cuda_ops
attempt "Trainings against the CPU" "$tests" test_cuda_training
sanitizer=$(PATH="$PATH:/usr/local/cuda/bin:$here/sanitizer" command -v compute-sanitizer || true)
if [ -n "$sanitizer" ]; then
  for check in memcheck racecheck; do
    for test in aProgramIsThatOfTheCpu largeTilesAreThoseOfTheCpu productsAreOfRoundedNumbers; do
      attempt "compute-sanitizer, $check: $test" \
        "$sanitizer" --tool "$check" --error-exitcode 1 "$tests" test_cuda_ops "$test"
    done
  done
else
  echo "-- There is no compute-sanitizer (pip install nvidia-cuda-sanitizer-api): nothing is checked by it"
fi
if python3 -c 'import torch' 2>/dev/null; then
  attempt "Speed" python3 "$here/gpu_table.py" --program "$tool"
else
  echo "-- There is no PyTorch: our speed alone"
  for device in cuda cuda-tf32 cuda-bf16; do
    for benchmark in rot13 decoder large; do
      attempt "$benchmark on $device" "$tool" bench --device "$device" --only "$benchmark"
    done
  done
fi
[ -z "$failed" ] || {
  echo "-- Failed:$failed"
  exit 1
}
