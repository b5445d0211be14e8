// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/password.h"

#include <crypt.h>

#include "core/base/error.h"

namespace tfm::lesson {
namespace {

/// crypt(3); "" where it refuses.
std::string crypted(const std::string& password, const std::string& setting) {
  crypt_data data{};
  const char* hash = ::crypt_r(password.c_str(), setting.c_str(), &data);
  return hash == nullptr || hash[0] == '*' ? std::string() : std::string(hash);
}

}  // namespace

std::string hashedPassword(const std::string& password) {
  if (password.empty() || password.find('\0') != std::string::npos)
    throw Error("there is no password", {}, "Type at least one character");
  char salt[CRYPT_GENSALT_OUTPUT_SIZE];
  const char* setting = ::crypt_gensalt_rn("$y$", 0, nullptr, 0, salt, sizeof salt);
  std::string hash = setting == nullptr ? std::string() : crypted(password, setting);
  if (hash.empty()) throw Error("this system cannot hash a password", {}, "Write it in plain text");
  return hash;
}

bool unlocks(const std::string& typed, const std::string& kept) {
  if (kept.empty()) return true;
  return kept.starts_with('$') ? crypted(typed, kept) == kept : typed == kept;
}

}  // namespace tfm::lesson
