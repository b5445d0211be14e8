// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "core/backend/backend.h"

namespace tfm {

/// A backend that hands every call on to another one, to be overridden where something is to happen
/// besides or instead.
template <class Real>
class BackendDecorator : public Backend<Real> {
 public:
  explicit BackendDecorator(std::unique_ptr<Backend<Real>> inner) : inner_(std::move(inner)) {}

  std::string_view name() const override { return inner_->name(); }
  void forward(const OpCall<Real>& call) const override { inner_->forward(call); }
  void backward(const OpCall<Real>& call) const override { inner_->backward(call); }
  void sgd(std::span<Real> parameters, std::span<const Real> gradients, std::span<Real> momentum,
           const SgdRule& rule) const override {
    inner_->sgd(parameters, gradients, momentum, rule);
  }
  void adam(std::span<Real> parameters, std::span<const Real> gradients,
            std::span<Real> first_moment, std::span<Real> second_moment,
            const AdamRule& rule) const override {
    inner_->adam(parameters, gradients, first_moment, second_moment, rule);
  }

 protected:
  const Backend<Real>& inner() const { return *inner_; }

 private:
  std::unique_ptr<Backend<Real>> inner_;
};

}  // namespace tfm
