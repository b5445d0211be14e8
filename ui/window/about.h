// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/backend/about.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"

class QWidget;

namespace tfm::ui {

/// aboutProgram() and the libraries that draw.
std::vector<AboutLine> aboutWindow();

/// Shows them; Copy puts them on the clipboard as --version prints them.
void showAboutBox(const Style& style, QWidget* parent);

/// Shows the words of the model as it is at the next step boundary (see train::Fingerprint), large
/// enough to be read aloud to a class; Copy puts them on the clipboard.
void showFingerprintBox(const Style& style, ModelDocument& document, QWidget* parent);

}  // namespace tfm::ui
