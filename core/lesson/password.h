// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tfm::lesson {

/// A lesson's password as its file keeps it, so that reading the file does not tell it: crypt(5)
/// with yescrypt and a new salt. Throws Error for an empty or unreadable one.
std::string hashedPassword(const std::string& password);

/// Whether `typed` is the password that a file keeps, hashed or in plain text.
///
/// It keeps students from unlocking a lesson by a click. It does not keep anybody from changing the
/// file, which is a text, or from opening the program without the lesson.
bool unlocks(const std::string& typed, const std::string& kept);

}  // namespace tfm::lesson
