// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace tfm {

/// What the command line asks the window to do.
struct WindowCommand {
  bool opens = true;    ///< false: print `words` and end with `exit_code`
  int exit_code = 0;    ///< as for transformarium-cli: 0 done, 1 failed, 2 wrong usage
  QString words{};      ///< for standard output, or for standard error if `exit_code` is not 0
  QString file{};       ///< to open; empty: none
  QString lesson{};     ///< the same
  QString thumbnail{};  ///< where to draw the file's model instead of opening a window; or empty
  int side = 256;       ///< of the thumbnail, in pixels
};

/// Parses the program's arguments, its own name first, without a display or an application, and
/// selects the device they name. Ignores Qt's own options.
WindowCommand readWindowCommand(const QStringList& arguments);

}  // namespace tfm
