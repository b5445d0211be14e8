// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <array>

namespace tfm::ui {

/// The colour `share` of the way from `from` to `to` in Oklab (Ottosson 2020), where equal steps
/// look equal.
QColor mixOklab(const QColor& from, const QColor& to, double share);

/// mixOklab() for many shares between the same two colours.
class OklabBlend {
 public:
  OklabBlend(const QColor& from, const QColor& to);
  QColor at(double share) const;

 private:
  std::array<double, 3> from_, to_;
};

/// The perceptual difference of two colours: their distance in Oklab. About 0.02 is just visible.
double difference(const QColor& a, const QColor& b);

/// Relative luminance in [0, 1] (WCAG 2.1).
double luminance(const QColor& colour);
/// Contrast ratio of two opaque colours, from 1 (equal) to 21 (black on white) (WCAG 2.1).
double contrast(const QColor& a, const QColor& b);

}  // namespace tfm::ui
