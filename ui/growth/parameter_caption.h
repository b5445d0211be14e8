// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/program/parameter_layout.h"

namespace tfm::ui {

/// "decoder layer 1", "encoder"; nothing outside the stacks. Layers are counted from 1.
QString placeWords(const Site& site);
/// What a parameter belongs to: "cross attention", "embedding", "gate".
QString groupWords(const ParameterTag& tag);
/// "decoder layer 1: cross attention"; only the group if there is no place.
QString placedGroup(const ParameterTag& tag);
QString partWords(ParameterPart part);

/// A readable name of a parameter.
struct ParameterCaption {
  QString place;  ///< "decoder layer 1, cross attention"
  QString name;   ///< "query bias", "norm gain", "gate"
};

/// `with_shift`: a gain stands for the whole norm: "norm".
ParameterCaption captionOf(const ParameterTag& tag, bool with_shift = false);

/// A dimension's name as shown in the interface: "head × key".
QString axisText(const Dimension& dimension);

}  // namespace tfm::ui
