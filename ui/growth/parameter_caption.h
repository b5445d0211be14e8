// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/tensor/shape.h"

namespace tfm::ui {

/// A parameter's name in words for people; layers are counted from 1.
struct ParameterCaption {
  QString place;  ///< "decoder layer 1, cross attention"
  QString name;   ///< "query bias", "norm gain", "gate"
};

ParameterCaption captionOf(const std::string& parameter);

/// A dimension's name in the interface's own signs: "head × key".
QString axisText(const Dimension& dimension);

}  // namespace tfm::ui
