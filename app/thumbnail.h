// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tfm {

/// Draws all matrices of a document's model as a PNG of at most `side` x `side` pixels, without a
/// display and without opening a window; for file managers. Returns an exit code, and says on
/// standard error what is wrong.
int writeThumbnail(int& argc, char** argv, const QString& document, const QString& picture,
                   int side);

}  // namespace tfm
