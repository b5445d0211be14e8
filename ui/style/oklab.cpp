// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/oklab.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tfm::ui {
namespace {

using Triple = std::array<double, 3>;

double toLinear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

float fromLinear(double light) {
  const double inside = std::clamp(light, 0.0, 1.0);
  return float(inside <= 0.0031308 ? inside * 12.92 : 1.055 * std::pow(inside, 1 / 2.4) - 0.055);
}

Triple linear(const QColor& colour) {
  return {toLinear(colour.redF()), toLinear(colour.greenF()), toLinear(colour.blueF())};
}

Triple toOklab(const QColor& colour) {
  const auto [r, g, b] = linear(colour);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QColor fromOklab(const Triple& lab) {
  const double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
  const double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
  const double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
  const double l3 = l * l * l;
  const double m3 = m * m * m;
  const double s3 = s * s * s;
  return QColor::fromRgbF(fromLinear(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
                          fromLinear(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
                          fromLinear(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3));
}

}  // namespace

OklabBlend::OklabBlend(const QColor& from, const QColor& to)
    : from_(toOklab(from)), to_(toOklab(to)) {}

QColor OklabBlend::at(double share) const {
  Triple mixed;
  for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = from_[i] + share * (to_[i] - from_[i]);
  return fromOklab(mixed);
}

QColor mixOklab(const QColor& from, const QColor& to, double share) {
  return OklabBlend(from, to).at(share);
}

double difference(const QColor& a, const QColor& b) {
  const Triple one = toOklab(a);
  const Triple other = toOklab(b);
  return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

double luminance(const QColor& colour) {
  const auto [r, g, b] = linear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

double contrast(const QColor& a, const QColor& b) {
  const double one = luminance(a) + 0.05;
  const double other = luminance(b) + 0.05;
  return std::max(one, other) / std::min(one, other);
}

}  // namespace tfm::ui
