// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <utility>

namespace tfm {
namespace {

std::string sentence(const std::string& what, const std::string& where, const std::string& hint) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) text += ". " + hint;
  return text;
}

}  // namespace

Error::Error(std::string what, std::string where, std::string hint)
    : std::runtime_error(sentence(what, where, hint)),
      problem_(std::move(what)),
      where_(std::move(where)),
      hint_(std::move(hint)) {}

}  // namespace tfm
