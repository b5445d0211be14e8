#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gpu.sh [BUILD]: everything that a GPU is borrowed for, in a few minutes, from a build made elsewhere with
# `./dev build --with cuda` (BUILD, else build/release; it needs the libraries of this program and a driver, no nvcc):
# the op table and a training against the CPU, compute-sanitizer where there is one, and the speed beside the CPU's.
# Not `bench --trace`: kernels run on after their call returns.
set -eu
root=$(dirname "$(readlink -f "$0")")/../..
build=${1:-$root/build/release}
tool=$build/app/transformarium-cli
tests=$build/tests/core/backend/tests_cuda
export TFM_GPU_PLUGINS="$build/lib/transformarium/plugins"

[ -f "$TFM_GPU_PLUGINS/transformarium_cuda.so" ] || {
  echo "gpu.sh: there is no plugin in $TFM_GPU_PLUGINS; make it with ./dev build --with cuda" >&2
  exit 1
}
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || {
  echo "gpu.sh: there is no NVIDIA driver on this machine" >&2
  exit 1
}

echo "-- The op table and a training against the CPU"
"$tests" test_cuda_ops
"$tests" test_cuda_training
if command -v compute-sanitizer >/dev/null; then
  for check in memcheck racecheck; do
    echo "-- compute-sanitizer: $check"
    compute-sanitizer --tool "$check" --error-exitcode 1 "$tests" test_cuda_ops aProgramIsThatOfTheCpu
  done
else
  echo "-- There is no compute-sanitizer: memory and races are not checked"
fi
for device in cuda cpu; do
  echo "-- Speed: $device"
  "$tool" bench --device "$device" --json
done
