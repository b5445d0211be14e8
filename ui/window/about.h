// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/backend/about.h"
#include "ui/style/forward.h"

class QWidget;

namespace tfm::ui {

/// aboutProgram() and the libraries that draw.
std::vector<AboutLine> aboutWindow();

/// Shows them; Copy puts them on the clipboard as --version prints them.
void showAboutBox(const Style& style, QWidget* parent);

}  // namespace tfm::ui
