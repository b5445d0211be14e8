// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/system_memory.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <limits>

#include "core/base/error.h"

namespace tfm {

std::int64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::int64_t kibibytes = 0;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<std::int64_t>::max();
}

void requireAvailable(const std::string& what, std::int64_t bytes, const std::string& where,
                      const std::string& hint) {
  const std::int64_t there = availableMemory();
  if (bytes > there)
    throw Error(what + " needs about " + byteText(bytes) + " of memory and " + byteText(there) +
                    " are free",
                where, hint);
}

std::string byteText(std::int64_t bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = double(bytes);
  std::size_t unit = 0;
  while (value >= 1000.0 && unit + 1 < kUnits.size()) {
    value /= 1000.0;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", value, kUnits[unit]);
  return text.data();
}

}  // namespace tfm
