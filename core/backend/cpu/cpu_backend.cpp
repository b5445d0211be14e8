// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/cpu_backend.h"

#include <cblas.h>

#include <cstring>
#include <string>

#include "core/backend/cpu/target.h"
#include "core/base/error.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {
namespace {

class HostMemory final : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override {
    return std::memset(CacheLineAllocator<std::byte>().allocate(bytes), 0, bytes);
  }
  void release(void* address, std::size_t bytes) const noexcept override {
    CacheLineAllocator<std::byte>().deallocate(static_cast<std::byte*>(address), bytes);
  }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  bool isHost() const override { return true; }
};

template <class Real>
class CpuBackend final : public Backend<Real> {
 public:
  explicit CpuBackend(KernelSet set) : set_(set) {}

  std::string_view name() const override { return set_ == KernelSet::Fixed ? kSameNumbers : "cpu"; }
  std::string details() const override {
    return std::string(cpu::chooseTarget(set_)) + " kernels, matrix products by " +
           cpu::productsText(set_);
  }
  const DeviceMemory& memory() const override { return memory_; }

  void forward(const OpCall<Real>& call) const override {
    call.op->template kernels<Real>(set_).forward(call);
  }
  void backward(const OpCall<Real>& call) const override {
    call.op->template kernels<Real>(set_).backward(call);
  }

 private:
  KernelSet set_;
  HostMemory memory_;
};

}  // namespace

template <class Real>
std::unique_ptr<Backend<Real>> makeCpuBackend(KernelSet set) {
  const std::string_view wanted = cpu::wantedTarget();
  if (!wanted.empty() && wanted != cpu::chooseTarget())
    throw Error("TFM_CPU is '" + std::string(wanted) + "', which this processor does not support",
                "TFM_CPU", "Unset it to use " + std::string(cpu::chooseTarget()));
  // The engine has its own threads: those of OpenBLAS would compete with them, and sums would
  // depend on their number.
  openblas_set_num_threads(1);
  return std::make_unique<CpuBackend<Real>>(set);
}

template std::unique_ptr<Backend<float>> makeCpuBackend(KernelSet);
template std::unique_ptr<Backend<double>> makeCpuBackend(KernelSet);

}  // namespace tfm
