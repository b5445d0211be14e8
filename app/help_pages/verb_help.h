// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tfm::help {

/// What an option's value is, for completion.
enum class Value { None, Other, File, Folder, Preset, Task, Tensor, Choice };

struct OptionHelp {
  std::vector<std::string>
      names;               ///< "--learning-rate", "--lr"; of an argument its one name, "file"
  std::string value_text;  ///< as --help shows it: "N:0 to 1000000000 Excludes: --epochs"
  std::string description;
  Value value = Value::None;
  std::vector<std::string> choices = {};  ///< of Value::Choice
  bool positional = false;
};

/// What --help says of one verb.
struct VerbHelp {
  std::string name, description, usage;
  std::vector<OptionHelp> options;  ///< arguments first
  std::string footer;
};

/// What --help says of the program, with its own options, and then of each verb.
std::vector<VerbHelp> helpOf(const CLI::App& program);

/// A page for man(1) in roff: of the program, which lists the verbs, or of one verb. `date`:
/// YYYY-MM-DD.
std::string manPage(const std::vector<VerbHelp>& help, const std::string& version,
                    const std::string& date);
std::string manPage(const VerbHelp& verb, const std::string& version, const std::string& date);
/// The same of another program from the text of its --help: lines of options begin with two spaces
/// and have two before the description.
std::string manPage(const std::string& program, const std::string& description,
                    const std::string& help_text, const std::string& version,
                    const std::string& date);

/// What shells complete: verbs, options, files, presets, tasks, listed words, and the names of a
/// document's tensors, which its document is asked for.
std::string bashCompletion(const std::vector<VerbHelp>& help);
std::string zshCompletion(const std::vector<VerbHelp>& help);
std::string fishCompletion(const std::vector<VerbHelp>& help);

}  // namespace tfm::help
