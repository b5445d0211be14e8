// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace tfm {

/// What the command line asks of the window.
struct WindowCommand {
  bool opens = true;      ///< false: only words, and then the program ends with `exit_code`
  int exit_code = 0;      ///< as of transformarium-cli: 0 done, 1 failed, 2 wrong use
  QString words{};        ///< for standard output, or where `exit_code` is not 0 standard error
  QString file{};         ///< to open; empty: none
  QString tour_folder{};  ///< for the tour's pictures; empty: no tour
};

/// Reads the program's arguments, its own name first, without a display and before there is any
/// application, and chooses the device that they name. Options that are Qt's own are passed over.
WindowCommand readWindowCommand(const QStringList& arguments, const QString& version);

}  // namespace tfm
