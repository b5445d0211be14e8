// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/backend/backend.h"

namespace tfm {

/// A backend that forwards all calls to another one; a base class for decorators. It records
/// nothing, so that it sees every call.
template <class Real>
class BackendDecorator : public Backend<Real> {
 public:
  explicit BackendDecorator(std::unique_ptr<Backend<Real>> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  std::string details() const override { return inner_->details(); }
  const DeviceMemory& memory() const override { return inner_->memory(); }
  void forward(const OpCall<Real>& call) const override { inner_->forward(call); }
  void backward(const OpCall<Real>& call) const override { inner_->backward(call); }
  bool splitsWork() const override { return inner_->splitsWork(); }
  bool keepsAll() const override { return inner_->keepsAll(); }

  /// Hands out the other backend, after which this one must not be called.
  std::unique_ptr<Backend<Real>> release() { return std::move(inner_); }

 protected:
  const Backend<Real>& inner() const { return *inner_; }

 private:
  std::unique_ptr<Backend<Real>> inner_;
};

}  // namespace tfm
