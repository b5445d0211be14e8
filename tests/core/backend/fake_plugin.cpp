// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins for the test of the door, whose device can fill. What is defined for one is wrong with
// it.
#include <any>
#include <cstring>

#include "core/backend/plugin.h"

#ifndef TFM_FAKE_VERSION
#define TFM_FAKE_VERSION tfm::kPluginVersion
#endif
#ifndef TFM_FAKE_BUILD
#define TFM_FAKE_BUILD TFM_PLUGIN_BUILD
#endif
#ifndef TFM_FAKE_OBSTACLE
#define TFM_FAKE_OBSTACLE ""
#endif

namespace {

class FakeMemory final : public tfm::DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override {
    return std::memset(::operator new(bytes), 0, bytes);
  }
  void release(void* address, std::size_t) const noexcept override { ::operator delete(address); }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  bool isHost() const override { return false; }
};

template <class Real>
class FakeBackend final : public tfm::Backend<Real> {
 public:
  std::string_view name() const override { return "fake"; }
  const tfm::DeviceMemory& memory() const override { return memory_; }
  void forward(const tfm::OpCall<Real>& call) const override {
    const auto y = call.out(0);
    for (std::int64_t i = 0; i < y.size(); ++i)
      y.data[i] = Real(std::any_cast<double>(*call.arguments));
  }
  void backward(const tfm::OpCall<Real>&) const override {}

 private:
  FakeMemory memory_;
};

}  // namespace

extern "C" const tfm::Plugin* tfmPlugin() {
  static const tfm::PluginDevice device{
      "fake", 0, [] { return TFM_FAKE_OBSTACLE; },
      []() -> tfm::Backend<float>* { return new FakeBackend<float>; },
      []() -> tfm::Backend<double>* { return new FakeBackend<double>; }};
  static const tfm::Plugin plugin{TFM_FAKE_VERSION, TFM_FAKE_BUILD, 1, &device};
  return &plugin;
}
