// SPDX-License-Identifier: GPL-3.0-or-later
// What a fuzz target does first where libFuzzer is its main program. The folder that it is given
// gets the target's seeds and its kept corpus. --lines FOLDER prints the files of a folder as such
// a corpus, the shortest first.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void printLines(const char* folder) {
  std::vector<std::string> inputs;
  for (const auto& entry : fs::directory_iterator(folder))
    inputs.push_back(contentOf(entry.path()));
  std::ranges::sort(inputs, {}, [](const std::string& input) {
    return std::pair<std::size_t, const std::string&>(input.size(), input);
  });
  for (const std::string& input : inputs) std::puts(tfm::fuzz::escaped(input).c_str());
}

void writeInputs(const char* folder) {
  std::vector<std::string> inputs = tfm::fuzz::seeds();
  std::ranges::move(tfm::fuzz::corpus(TFM_FUZZ_CORPUS), std::back_inserter(inputs));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    std::ofstream(fs::path(folder) / ("kept-" + std::to_string(i)), std::ios::binary) << inputs[i];
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  char** const end = *arguments + *count;
  if (*count == 3 && std::strcmp((*arguments)[1], "--lines") == 0) {
    printLines((*arguments)[2]);
    std::exit(EXIT_SUCCESS);
  }
  char** const folder = std::find_if(*arguments + 1, end, [](const char* argument) {
    return *argument != '-' && fs::is_directory(argument);
  });
  if (folder != end) writeInputs(*folder);
  return 0;
}
