// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <string>

#include "ui/document/forward.h"

namespace tfm::ui {

/// Adds to a menu what can become of a part of the model: switched off, set to its mean or another
/// number, multiplied, as for another text; then what asks for the texts that excite it most. What
/// is not possible is left out. `off`: words for the first; `value`: the part's number, from which
/// another is chosen.
void addChangeActions(QMenu& menu, ModelDocument& document, const std::string& target,
                      const QString& off, double value = 0.0);

}  // namespace tfm::ui
