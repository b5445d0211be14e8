// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QKeyEvent;
class QWidget;

namespace tfm::ui {

/// Lets `widget`, and none of its parents, have a key that was pressed elsewhere. Returns whether
/// it took it.
bool passKey(QWidget& widget, QKeyEvent& event);

}  // namespace tfm::ui
