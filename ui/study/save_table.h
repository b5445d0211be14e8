// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

class QWidget;

namespace tfm::ui {

/// Asks for a path, proposing `name`, and writes the table of a study atomically; reports a
/// failure.
void saveTable(QWidget* asking, const QString& name, const std::string& table);

}  // namespace tfm::ui
