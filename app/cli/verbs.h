// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>

namespace CLI {
class App;
}

namespace tfm::cli {

/// Exit codes. A run ended by a signal gives 128 + its number, as shells do.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kSignal = 128;

/// What a verb does once its options are read; gives the exit code. Throws Error.
using Action = std::function<int()>;

/// One thing that the program can do.
struct Verb {
  const char* name;
  const char* sentence;
  Action (*prepare)(CLI::App& options);  ///< declares the verb's options
};

/// All verbs, in the order of the help text. A new one is a file and a row.
std::span<const Verb> verbs();

// Each in the file of its name.
Action prepareTrain(CLI::App& options);
Action prepareEval(CLI::App& options);
Action prepareData(CLI::App& options);
Action prepareDecode(CLI::App& options);
Action prepareExpand(CLI::App& options);
Action prepareStudy(CLI::App& options);
Action prepareNestingStudy(CLI::App& options);
Action prepareWiringStudy(CLI::App& options);
Action prepareInfo(CLI::App& options);
Action prepareProbe(CLI::App& options);
Action prepareExport(CLI::App& options);
Action prepareExtract(CLI::App& options);
Action prepareBench(CLI::App& options);
Action prepareFeatures(CLI::App& options);
Action preparePresets(CLI::App& options);
Action prepareTasks(CLI::App& options);
Action prepareTokenize(CLI::App& options);

}  // namespace tfm::cli
