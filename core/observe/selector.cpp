// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/selector.h"

#include <cstddef>

namespace tfm::observe {
namespace {

/// Glob matching with a single backtracking point: at most pattern * name comparisons.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool selects(std::string_view pattern, std::string_view name) {
  for (;;) {
    const std::size_t comma = pattern.find(',');
    if (fits(pattern.substr(0, comma), name)) return true;
    if (comma == std::string_view::npos) return false;
    pattern.remove_prefix(comma + 1);
  }
}

}  // namespace tfm::observe
