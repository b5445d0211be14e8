// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the pages for man(1) and what shells complete, from the tables that --help prints; part of
// the build.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "app/cli/command_line.h"
#include "app/help_pages/verb_help.h"
#include "core/backend/about.h"

namespace {

namespace fs = std::filesystem;
using namespace tfm;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::cerr << "Usage: transformarium-help-pages FOLDER DATE [PROGRAM DESCRIPTION < HELP]\n";
    return 2;
  }
  const fs::path folder = argv[1];
  const std::string date = argv[2], version = programVersion();
  if (argc == 5) {
    const std::string help(std::istreambuf_iterator<char>(std::cin), {});
    write(folder / "man" / (std::string(argv[3]) + ".1"),
          help::manPage(argv[3], argv[4], help, version, date));
    return 0;
  }
  cli::Action none;
  const auto program = cli::makeParser(none);
  const std::vector<help::VerbHelp> verbs = help::helpOf(*program);
  write(folder / "man/transformarium-cli.1", help::manPage(verbs, version, date));
  for (std::size_t i = 1; i < verbs.size(); ++i)
    write(folder / "man" / ("transformarium-cli-" + verbs[i].name + ".1"),
          help::manPage(verbs[i], version, date));
  write(folder / "completions/bash/transformarium-cli", help::bashCompletion(verbs));
  write(folder / "completions/zsh/_transformarium-cli", help::zshCompletion(verbs));
  write(folder / "completions/fish/transformarium-cli.fish", help::fishCompletion(verbs));
}
