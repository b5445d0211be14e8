// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/result_rows.h"

#include <sstream>

namespace tfm::cli {
namespace {

constexpr std::size_t kColumns = 94;

}  // namespace

std::string paragraph(const std::string& text) {
  std::istringstream words(text);
  std::string lines, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      lines += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

}  // namespace tfm::cli
