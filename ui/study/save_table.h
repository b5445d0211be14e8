// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

class QWidget;

namespace tfm::ui {

/// Asks where to, proposing `name`, and writes the table of a study there, whole or not at all;
/// says so where that fails.
void saveTable(QWidget* asking, const QString& name, const std::string& table);

}  // namespace tfm::ui
