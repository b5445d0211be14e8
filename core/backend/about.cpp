// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/about.h"

#include <commit.h>
#include <hwy/highway.h>

#include <algorithm>

#include "core/backend/cpu/target.h"
#include "core/backend/plugins.h"

namespace tfm {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace

std::string programVersion() { return TFM_VERSION; }

std::vector<AboutLine> aboutProgram() {
  std::vector<AboutLine> lines{
      {"commit", TFM_COMMIT},
      {"compiler", compiler()},
      {"instruction set", std::string(cpu::chooseTarget()) + ", by Highway " +
                              dotted(HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
      {"matrix products", cpu::productsText()}};
  for (const auto& folder : pluginFolders())
    for (const auto& file : pluginFiles(folder)) lines.push_back({"plugin", file.string()});
  return lines;
}

std::string versionText(const std::string& name, const std::vector<AboutLine>& lines) {
  std::size_t widest = 0;
  for (const AboutLine& line : lines) widest = std::max(widest, line.name.size());
  std::string text = name + ' ' + programVersion();
  for (const AboutLine& line : lines)
    text += '\n' + line.name + std::string(widest + 2 - line.name.size(), ' ') + line.value;
  return text;
}

}  // namespace tfm
