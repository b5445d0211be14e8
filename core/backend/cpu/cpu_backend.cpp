// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/cpu_backend.h"

#include <cblas.h>
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <string>

#include "core/backend/cpu/target.h"
#include "core/base/error.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {
namespace {

class HostMemory final : public DeviceMemory {
 public:
  // Large memory takes no place before it is written: that of gradients and moments of a model that
  // is only looked at never does.
  void* allocate(std::size_t bytes) const override {
    if (bytes < kMapped) return std::memset(Small().allocate(bytes), 0, bytes);
    void* address =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) throw std::bad_alloc();
    return address;
  }
  void release(void* address, std::size_t bytes) const noexcept override {
    if (bytes < kMapped)
      Small().deallocate(static_cast<std::byte*>(address), bytes);
    else
      ::munmap(address, bytes);
  }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  bool isHost() const override { return true; }

 private:
  using Small = CacheLineAllocator<std::byte>;
  static constexpr std::size_t kMapped = std::size_t{1} << 24;
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
