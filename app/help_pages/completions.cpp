// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/help_pages/verb_help.h"
#include "core/data/task_table.h"
#include "core/model/presets.h"

namespace tfm::help {
namespace {

// The names of a document's parameters; $1 is the document.
constexpr const char* kTensors =
    "transformarium-cli info \"$1\" --json 2>/dev/null | grep -o '\"name\":\"[^\"]*\"' | cut "
    "-d'\"' -f4";

std::string joined(const std::vector<std::string>& words, const std::string& between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

/// The words an option takes, where they are known when this is written.
std::vector<std::string> knownWords(const OptionHelp& option) {
  std::vector<std::string> words;
  if (option.value == Value::Preset)
    for (const Preset& preset : presets()) words.emplace_back(preset.name);
  if (option.value == Value::Task)
    for (const data::TaskRow& task : data::taskTable()) words.emplace_back(task.name);
  if (option.value == Value::Choice) words = option.choices;
  return words;
}

/// A description as text between single quotes of a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The first sentence of a description, up to a colon or semicolon: one line of a menu.
std::string brief(const std::string& text) { return text.substr(0, text.find_first_of(";:(")); }

bool takesFile(const VerbHelp& verb) {
  return std::ranges::any_of(verb.options, [](const OptionHelp& option) {
    return option.positional && option.value == Value::File;
  });
}

}  // namespace

std::string bashCompletion(const std::vector<VerbHelp>& help) {
  std::string verbs, cases;
  for (const VerbHelp& verb : help) {
    const bool program = &verb == &help.front();
    if (!program) verbs += (verbs.empty() ? "" : " ") + verb.name;
    std::string options, values;
    for (const OptionHelp& option : verb.options) {
      if (option.positional) continue;
      options += (options.empty() ? "" : " ") + joined(option.names);
      const std::string words = joined(knownWords(option));
      std::string action;
      if (option.value == Value::File) action = "COMPREPLY=($(compgen -f -- \"$cur\"))";
      if (option.value == Value::Folder) action = "COMPREPLY=($(compgen -d -- \"$cur\"))";
      if (option.value == Value::Tensor)
        action =
            "COMPREPLY=($(compgen -W \"$(_transformarium_tensors \"$document\")\" -- \"$cur\"))";
      if (!words.empty()) action = "COMPREPLY=($(compgen -W \"" + words + "\" -- \"$cur\"))";
      if (option.value == Value::Other) action = "COMPREPLY=()";
      if (!action.empty())
        values += "        " + joined(option.names, " | ") + ") " + action + "; return ;;\n";
    }
    if (program) continue;
    cases += "    " + verb.name + ")\n      case $prev in\n" + values +
             "      esac\n      options=\"" + options + "\" ;;\n";
  }
  return "# bash completion for transformarium-cli, written by the build\n"
         "_transformarium_tensors() {\n  [[ -f $1 ]] || return\n  " +
         std::string(kTensors) +
         "\n}\n\n_transformarium_cli() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local verb=${COMP_WORDS[1]} options document word\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  for word in \"${COMP_WORDS[@]:2}\"; do [[ -f $word ]] && document=$word && break; "
         "done\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W \"" +
         verbs +
         " --help --version\" -- \"$cur\"))\n    return\n  fi\n"
         "  case $verb in\n" +
         cases +
         "  esac\n"
         "  if [[ $cur == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
         "  else\n    COMPREPLY=($(compgen -f -- \"$cur\"))\n  fi\n}\n"
         "complete -F _transformarium_cli transformarium-cli\n";
}

std::string zshCompletion(const std::vector<VerbHelp>& help) {
  std::string verbs, cases;
  for (const VerbHelp& verb : help) {
    if (&verb == &help.front()) continue;
    verbs += "    " + quoted(verb.name + ":" + verb.description) + "\n";
    cases += "    " + verb.name + ") _arguments -s";
    for (const OptionHelp& option : verb.options) {
      std::string text = brief(option.description);
      std::erase_if(text, [](char c) { return c == '[' || c == ']'; });
      std::string values;
      if (option.value == Value::File) values = ":file:_files";
      if (option.value == Value::Folder) values = ":folder:_files -/";
      if (option.value == Value::Tensor) values = ":tensor:_transformarium_tensors";
      if (option.value == Value::Other) values = ":value:";
      if (const auto words = knownWords(option); !words.empty())
        values = ":word:(" + joined(words) + ")";
      if (option.positional)
        cases += " \\\n      " + quoted("*" + (values.empty() ? std::string(":value:") : values));
      else
        for (const std::string& name : option.names)
          cases += " \\\n      " + quoted("*" + name + "[" + text + "]" + values);
    }
    cases += " ;;\n";
  }
  return "#compdef transformarium-cli\n# zsh completion, written by the build\n\n"
         "_transformarium_tensors() {\n  local word\n"
         "  for word in ${words[2,-1]}; do\n    [[ -f $word ]] || continue\n"
         "    set -- $word\n    compadd -- ${(f)\"$(" +
         std::string(kTensors) +
         ")\"}\n    return\n  done\n}\n\n"
         "local -a verbs=(\n" +
         verbs +
         ")\n"
         "if ((CURRENT == 2)); then\n  _describe verb verbs\n"
         "  _arguments '--help[Print the help]' '--version[Show the version]'\n"
         "else\n  local verb=$words[2]\n  shift words\n  ((CURRENT--))\n  case $verb in\n" +
         cases + "  esac\nfi\n";
}

std::string fishCompletion(const std::vector<VerbHelp>& help) {
  const std::string line = "complete -c transformarium-cli ";
  std::string out =
      "# fish completion for transformarium-cli, written by the build\n"
      "function __transformarium_tensors\n  for word in (commandline -opc)[3..]\n"
      "    test -f $word; or continue\n    transformarium-cli info $word --json 2>/dev/null |"
      " string match -ar '\"name\":\"[^\"]*\"' | string replace -r '.*:\"(.*)\"' '$1'\n"
      "    return\n  end\nend\n\n" +
      line + "-f -n __fish_use_subcommand -l help -d 'Print the help'\n" + line +
      "-f -n __fish_use_subcommand -l version -d 'Show the version'\n";
  for (const VerbHelp& verb : help) {
    if (&verb == &help.front()) continue;
    out += line + "-f -n __fish_use_subcommand -a " + verb.name + " -d " +
           quoted(verb.description) + "\n";
    const std::string within = line + "-n '__fish_seen_subcommand_from " + verb.name + "' ";
    if (!takesFile(verb)) out += within + "-f\n";
    for (const OptionHelp& option : verb.options) {
      if (option.positional) continue;
      std::string rule = within;
      for (const std::string& name : option.names)
        rule +=
            name.starts_with("--") ? "-l " + name.substr(2) + " " : "-s " + name.substr(1) + " ";
      if (option.value == Value::File || option.value == Value::Folder)
        rule += "-rF ";
      else if (option.value == Value::Tensor)
        rule += "-xa '(__transformarium_tensors)' ";
      else if (const auto words = knownWords(option); !words.empty())
        rule += "-xa " + quoted(joined(words)) + " ";
      else if (option.value != Value::None)
        rule += "-x ";
      out += rule + "-d " + quoted(brief(option.description)) + "\n";
    }
  }
  return out;
}

}  // namespace tfm::help
