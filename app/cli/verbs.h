// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>

namespace CLI {
class App;
}

namespace tfm::cli {

/// Exit codes. A run ended by a signal returns 128 + its number, as in shells.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsageError = 2;
inline constexpr int kSignal = 128;

/// Runs a verb after its options are parsed; returns the exit code. Throws Error.
using Action = std::function<int()>;

/// One command of the program.
struct Verb {
  const char* name;
  const char* description;
  Action (*prepare)(CLI::App& options);  ///< declares the verb's options
  bool computes = false;                 ///< so that it takes --device
};

/// All verbs in the order of the help text. A new one needs a file and a row.
std::span<const Verb> verbs();

// Each is defined in the file of its name.
Action prepareTrain(CLI::App& options);
Action prepareEval(CLI::App& options);
Action prepareData(CLI::App& options);
Action prepareDecode(CLI::App& options);
Action prepareExpand(CLI::App& options);
Action prepareStudy(CLI::App& options);
Action prepareNestingStudy(CLI::App& options);
Action prepareInfo(CLI::App& options);
Action prepareProbe(CLI::App& options);
Action prepareExplain(CLI::App& options);
Action prepareLens(CLI::App& options);
Action prepareImportance(CLI::App& options);
Action preparePatch(CLI::App& options);
Action prepareTopTexts(CLI::App& options);
Action prepareExport(CLI::App& options);
Action prepareExtract(CLI::App& options);
Action prepareImport(CLI::App& options);
Action prepareBench(CLI::App& options);
Action prepareFeatures(CLI::App& options);
Action preparePresets(CLI::App& options);
Action prepareTasks(CLI::App& options);
Action prepareTokenize(CLI::App& options);
Action prepareReproduce(CLI::App& options);
Action prepareLesson(CLI::App& options);
Action prepareReport(CLI::App& options);

}  // namespace tfm::cli
