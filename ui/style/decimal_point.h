// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tfm::ui {

/// From now on every number has a decimal point and no thousands separators, whatever the system's
/// locale says: on screens, in exports and in what the engine and the libraries print and read. To
/// be called when the application exists, since QCoreApplication follows the system's locale.
void useDecimalPoint();

}  // namespace tfm::ui
