// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/program/parameter_layout.h"

namespace tfm::ui {

/// "decoder layer 1", "encoder"; nothing outside the stacks. Layers are counted from 1.
QString placeWords(const Site& site);
/// What a parameter stands with: "cross attention", "embedding", "gate".
QString groupWords(const ParameterTag& tag);
/// "decoder layer 1: cross attention"; where there is no place, the group alone.
QString placedGroup(const ParameterTag& tag);
QString partWords(ParameterPart part);

/// What a parameter is in words for people.
struct ParameterCaption {
  QString place;  ///< "decoder layer 1, cross attention"
  QString name;   ///< "query bias", "norm gain", "gate"
};

ParameterCaption captionOf(const ParameterTag& tag);

/// A dimension's name in the interface's own signs: "head × key".
QString axisText(const Dimension& dimension);

}  // namespace tfm::ui
