// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace tfm {

/// Throws Error, e.g. "FILE is cut off", unless the file is a whole shared library (ELF) for this
/// kind of machine. The loader of the system maps what a library's headers claim, so that one that
/// is cut off ends the program; a named pipe would block it. Never waits.
void requireLibrary(const std::filesystem::path& file);

}  // namespace tfm
