// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "core/backend/backend_decorator.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/registry.h"
#include "tests/core/backend/fake_memory.h"

namespace tfm::test {

/// The CPU's kernels under another name, on a memory of so many bytes.
template <class Real>
class FakeBackend final : public BackendDecorator<Real> {
 public:
  FakeBackend(std::string name, std::size_t bytes)
      : BackendDecorator<Real>(makeCpuBackend<Real>()), name_(std::move(name)), memory_(bytes) {}

  std::string_view name() const override { return name_; }
  const DeviceMemory& memory() const override { return memory_; }

 private:
  std::string name_;
  FakeMemory memory_;
};

/// From now on such backends are made, each with a memory of its own.
inline void chooseFakeDevice(const std::string& name, std::size_t bytes) {
  addDevice({name, [] { return std::string(); },
             [=] { return std::make_unique<FakeBackend<float>>(name, bytes); },
             [=] { return std::make_unique<FakeBackend<double>>(name, bytes); }});
  chooseDevice(name);
}

}  // namespace tfm::test
