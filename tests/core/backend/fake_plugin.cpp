// SPDX-License-Identifier: GPL-3.0-or-later
// Plugins for tests of the door, whose device can fill. What is defined for one is wrong with it.
#include <any>

#include "core/backend/plugin.h"
#include "tests/core/backend/fake_memory.h"

#ifndef TFM_FAKE_VERSION
#define TFM_FAKE_VERSION tfm::kPluginVersion
#endif
#ifndef TFM_FAKE_BUILD
#define TFM_FAKE_BUILD TFM_PLUGIN_BUILD
#endif
#ifndef TFM_FAKE_OBSTACLE
#define TFM_FAKE_OBSTACLE ""
#endif
#ifndef TFM_FAKE_BYTES
#define TFM_FAKE_BYTES -1
#endif

namespace {

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
  tfm::test::FakeMemory memory_{std::size_t(TFM_FAKE_BYTES)};
};

}  // namespace

extern "C" const tfm::Plugin* tfmPlugin() {
  static const tfm::PluginDevice device{
      "fake", [] { return TFM_FAKE_OBSTACLE; },
      []() -> tfm::Backend<float>* { return new FakeBackend<float>; },
      []() -> tfm::Backend<double>* { return new FakeBackend<double>; }};
  static const tfm::Plugin plugin{TFM_FAKE_VERSION, TFM_FAKE_BUILD, 1, &device};
  return &plugin;
}
