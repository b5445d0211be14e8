// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/test_program.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
using Application = QApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

namespace tfm::test {
namespace {

/// The classes of each file.
std::map<std::string, std::vector<Listed::Run>>& files() {
  static std::map<std::string, std::vector<Listed::Run>> files;
  return files;
}

}  // namespace

Listed::Listed(const char* file, Run run) {
  files()[std::filesystem::path(file).stem().string()].push_back(run);
}

}  // namespace tfm::test

int main(int count, char** words) {
  Application application(count, words);
  QStringList arguments = Application::arguments();
  const auto& files = tfm::test::files();
  const auto file = files.find(arguments.value(1).toStdString());
  if (file == files.end()) {
    std::fprintf(stderr, "Usage: %s TEST [arguments of Qt Test]\nTests:\n", words[0]);
    for (const auto& [name, classes] : files) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  arguments.removeAt(1);
  int failures = 0;
  try {
    for (const auto run : file->second) failures += run(arguments);
  } catch (const std::exception& problem) {  // Qt Test has told where, and throws it again
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
  return failures;
}
