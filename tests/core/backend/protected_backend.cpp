// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/backend/protected_backend.h"

#include <sys/mman.h>

#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include "core/backend/backend_decorator.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/registry.h"

namespace tfm::test {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kReserved = std::size_t{1} << 30;

/// A range of addresses that may be touched only while somebody has it open.
class ProtectedMemory final : public DeviceMemory {
 public:
  ProtectedMemory()
      : begin_(static_cast<std::byte*>(::mmap(
            nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    if (begin_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~ProtectedMemory() override { ::munmap(begin_, kReserved); }
  ProtectedMemory(const ProtectedMemory&) = delete;
  ProtectedMemory& operator=(const ProtectedMemory&) = delete;

  void* allocate(std::size_t bytes) const override {
    void* address = take((bytes + 63) / 64 * 64);
    const Opened opened(*this);
    return std::memset(address, 0, bytes);
  }
  void release(void* address, std::size_t bytes) const noexcept override {
    const std::lock_guard lock(mutex_);
    free_.emplace((bytes + 63) / 64 * 64, address);
  }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    const Opened opened(*this);
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    const Opened opened(*this);
    std::memcpy(to, from, bytes);
  }
  bool isHost() const override { return false; }

  void requireInside(const void* address, std::int64_t numbers) const {
    const auto* at = static_cast<const std::byte*>(address);
    check(numbers == 0 || at == nullptr || (begin_ <= at && at < begin_ + kReserved),
          "a call's numbers lie in the memory of its backend");
  }

  class Opened {
   public:
    explicit Opened(const ProtectedMemory& memory) : memory_(memory) { memory_.open(1); }
    ~Opened() { memory_.open(-1); }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    const ProtectedMemory& memory_;
  };

 private:
  void* take(std::size_t bytes) const {
    const std::lock_guard lock(mutex_);
    if (const auto known = free_.find(bytes); known != free_.end()) {
      void* address = known->second;
      free_.erase(known);
      return address;
    }
    if (used_ + bytes > kReserved) throw std::bad_alloc();
    used_ += bytes;
    return begin_ + used_ - bytes;
  }
  void open(int more) const {
    const std::lock_guard lock(mutex_);
    users_ += more;
    const std::size_t whole = (used_ + kPage - 1) / kPage * kPage;
    const int access = users_ > 0 ? PROT_READ | PROT_WRITE : PROT_NONE;
    if (::mprotect(begin_, whole, access) != 0) std::abort();
  }

  mutable std::mutex mutex_;
  std::byte* begin_;
  mutable std::size_t used_ = 0;
  mutable int users_ = 0;
  mutable std::multimap<std::size_t, void*> free_;  // by size
};

template <class Real>
class ProtectedBackend final : public BackendDecorator<Real> {
 public:
  ProtectedBackend() : BackendDecorator<Real>(makeCpuBackend<Real>()) {}

  std::string_view name() const override { return "protected"; }
  const DeviceMemory& memory() const override { return memory_; }
  void forward(const OpCall<Real>& call) const override {
    require(call);
    const ProtectedMemory::Opened opened(memory_);
    this->inner().forward(call);
  }
  void backward(const OpCall<Real>& call) const override {
    require(call);
    const ProtectedMemory::Opened opened(memory_);
    this->inner().backward(call);
  }

 private:
  void require(const OpCall<Real>& call) const {
    const auto inside = [this](const auto& m) { memory_.requireInside(m.data, m.size()); };
    for (const auto& input : call.inputs) {
      inside(input.values);
      inside(input.gradient.sum);
      memory_.requireInside(input.ids.data(), std::ssize(input.ids));
    }
    for (const auto& output : call.outputs) {
      inside(output.values);
      inside(output.gradient);
    }
    memory_.requireInside(call.indices.data(), std::ssize(call.indices));
    memory_.requireInside(call.sums.data(), std::ssize(call.sums));
  }

  ProtectedMemory memory_;
};

}  // namespace

template <class Real>
std::unique_ptr<Backend<Real>> makeProtectedBackend() {
  return std::make_unique<ProtectedBackend<Real>>();
}

template std::unique_ptr<Backend<float>> makeProtectedBackend();
template std::unique_ptr<Backend<double>> makeProtectedBackend();

void chooseProtectedDevice() {
  addDevice({"protected", [] { return std::string(); }, makeProtectedBackend<float>,
             makeProtectedBackend<double>});
  chooseDevice("protected");
}

}  // namespace tfm::test
