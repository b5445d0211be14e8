// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help_pages/verb_help.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <sstream>

namespace tfm::help {
namespace {

/// The words of a description that ends in "one of a, b, c".
std::vector<std::string> listedWords(const std::string& description) {
  constexpr std::string_view kLead = "one of ";
  const std::size_t at = description.rfind(kLead);
  if (at == std::string::npos) return {};
  std::vector<std::string> words;
  std::istringstream list(description.substr(at + kLead.size()));
  for (std::string word; std::getline(list, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    if (word.find(' ') != std::string::npos) return {};  // prose
    words.push_back(word);
  }
  return words;
}

bool has(const OptionHelp& option, const char* name) {
  return std::ranges::find(option.names, name) != option.names.end();
}

Value valueOf(const OptionHelp& option, const std::string& type) {
  if (has(option, "--preset")) return Value::Preset;
  if (has(option, "--task")) return Value::Task;
  if (type == "FILE") return Value::File;
  if (type == "FOLDER") return Value::Folder;
  if (type == "NUMBER") return Value::Tensor;
  return option.choices.empty() ? Value::Other : Value::Choice;
}

OptionHelp optionHelp(const CLI::Option& option) {
  const CLI::Formatter words;
  OptionHelp help;
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  help.positional = help.names.empty();
  if (help.positional) help.names.push_back(option.get_name(true));
  help.value_text = words.make_option_opts(&option);
  help.value_text.erase(0, help.value_text.find_first_not_of(' '));
  if (has(help, "--threads"))  // whose default is of this machine
    help.value_text.resize(std::min(help.value_text.find('='), help.value_text.size()));
  help.description = option.get_description();
  if (option.get_type_size_max() == 0) return help;
  help.choices = listedWords(help.description);
  help.value = valueOf(help, option.get_type_name().substr(0, option.get_type_name().find(':')));
  return help;
}

/// The options of a verb and of its groups, each once: a group's may also be its verb's.
void addOptions(const CLI::App& part, std::vector<OptionHelp>& options) {
  for (const CLI::Option* option : part.get_options()) {
    OptionHelp help = optionHelp(*option);
    if (std::ranges::find(options, help.names, &OptionHelp::names) == options.end())
      options.push_back(std::move(help));
  }
  for (const CLI::App* group : part.get_subcommands([](const CLI::App*) { return true; }))
    if (group->get_name().empty()) addOptions(*group, options);
}

VerbHelp verbHelp(const CLI::App& verb, const std::string& usage) {
  VerbHelp help{verb.get_name(), verb.get_description(), usage, {}, verb.get_footer()};
  addOptions(verb, help.options);
  std::ranges::stable_partition(help.options, &OptionHelp::positional);
  for (const OptionHelp& option : help.options)
    if (option.positional) help.usage += " [" + option.names.front() + "]";
  return help;
}

}  // namespace

std::vector<VerbHelp> helpOf(const CLI::App& program) {
  const std::string name = program.get_name();
  std::vector<VerbHelp> help{verbHelp(program, name + " [OPTIONS] VERB")};
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; }))
    help.push_back(verbHelp(*verb, name + " " + verb->get_name() + " [OPTIONS]"));
  return help;
}

}  // namespace tfm::help
