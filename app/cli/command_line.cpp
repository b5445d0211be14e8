// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/plain_words.h"
#include "core/backend/about.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/base/word_list.h"

namespace tfm::cli {
namespace {

constexpr const char* kFooter =
    "Results go to standard output, messages to standard error; control characters of texts are\n"
    "written out, e.g. \\x1b: --json and files have the exact text.\n"
    "Exit codes: 0 done; 2 wrong command line (the error is at 'command line' or at an option),\n"
    "so that trying again does not help; 1 failed for another reason: a file, memory, training;\n"
    "129, 130 and 143 ended by a closed terminal, Ctrl-C or a request to terminate (train saves\n"
    "first).\n"
    "Arguments after -- are not options: decode FILE -- -5";

void addDeviceOption(CLI::App& options) {
  options
      .add_option_function<std::string>("--device", chooseDevice,
                                        "Where to compute; else on the CPU")
      ->type_name("NAME");
}

class Help : public CLI::Formatter {
  std::string make_description(const CLI::App* app) const override {
    const std::size_t least = app->get_require_option_min(), most = app->get_require_option_max();
    std::string text = app->get_description();
    if (most == 1) text += least == 1 ? ": one of" : ": at most one of";
    if (most > 1) text += ": " + std::to_string(least) + " to " + std::to_string(most) + " of";
    if (most == 0 && least > 0) text += ": at least " + std::to_string(least) + " of";
    return text.empty() ? text : text + "\n";
  }
};

/// What is wrong with the options of which some must be chosen; empty: nothing.
std::string wrongChoice(const CLI::App& verb) {
  for (const CLI::App* group : verb.get_subcommands([](const CLI::App*) { return true; })) {
    std::vector<std::string> all, given;
    for (const CLI::Option* option : group->get_options()) {
      if (option == group->get_help_ptr()) continue;
      all.push_back(nameOf(*option));
      if (option->count() > 0) given.push_back(all.back());
    }
    if (given.size() < group->get_require_option_min()) return wordList(all, "or") + " is required";
    const std::size_t most = group->get_require_option_max();
    if (most > 0 && given.size() > most)
      return wordList(given, "and") + " are given, of which " + std::to_string(most) +
             (most == 1 ? " is" : " are") + " possible";
  }
  return {};
}

/// The option that a message of the parser begins with, as its user writes it.
std::string nameIn(const CLI::App& verb, const std::string& parsers_name) {
  std::vector<const CLI::App*> parts{&verb};
  for (const CLI::App* group : verb.get_subcommands([](const CLI::App*) { return true; }))
    parts.push_back(group);
  for (const CLI::App* part : parts)
    for (const CLI::Option* option : part->get_options())
      if (option->get_name() == parsers_name) return nameOf(*option);
  return parsers_name;
}

/// The message of the parser in our words.
std::string problemIn(const CLI::App& verb, const CLI::ParseError& problem) {
  const std::string what = problem.what();
  // The two sides of a word or sign, if it is there.
  const auto around = [&](std::string_view word) {
    const std::size_t at = what.find(word);
    return at == std::string::npos
               ? std::pair<std::string, std::string>()
               : std::pair(nameIn(verb, what.substr(0, at)), what.substr(at + word.size()));
  };
  switch (CLI::ExitCodes(problem.get_exit_code())) {
    case CLI::ExitCodes::RequiredError: {
      if (std::string wrong = wrongChoice(verb); !wrong.empty()) return wrong;
      const auto [option, rest] = around(" is required");
      return option.empty() ? what : option + " is required";
    }
    case CLI::ExitCodes::ArgumentMismatch: {
      const auto [option, rest] = around(": ");
      if (option.empty()) return what;
      return option +
             (rest.ends_with(" missing") ? " lacks its value" : " is given more than once");
    }
    case CLI::ExitCodes::RequiresError: {
      const auto [option, other] = around(" requires ");
      return option + " is only possible with " + nameIn(verb, other);
    }
    case CLI::ExitCodes::ExcludesError: {
      const auto [option, other] = around(" excludes ");
      return option + " is not possible with " + nameIn(verb, other);
    }
    case CLI::ExitCodes::ExtrasError: {
      const std::vector<std::string> extras = verb.remaining();
      const auto option = std::ranges::find_if(
          extras, [](const std::string& word) { return word.starts_with('-'); });
      if (option != extras.end()) return "there is no option '" + *option + "'";
      return extras.empty() ? what : "'" + extras.front() + "' is unexpected";
    }
    default:
      return what;
  }
}

Error usageError(const CLI::App& app, const CLI::ParseError& problem, int argc,
                 const char* const* argv) {
  const auto chosen = app.get_subcommands();
  std::string what, verb;
  if (!chosen.empty()) {
    what = problemIn(*chosen.front(), problem);
    verb = " " + chosen.front()->get_name();
  } else if (argc > 1) {
    const std::string word = argv[1];
    what =
        "there is no " + std::string(word.starts_with('-') ? "option" : "verb") + " '" + word + "'";
  } else {
    what = "there is no verb";
  }
  return {withoutMarks(what), kCommandLine, "See transformarium-cli" + verb + " --help"};
}

}  // namespace

std::unique_ptr<CLI::App> makeParser(Action& chosen) {
  auto app = std::make_unique<CLI::App>("Trains small transformers and shows what happens inside",
                                        "transformarium-cli");
  app->set_version_flag(
      "--version", [] { return versionText("transformarium-cli", aboutProgram()); },
      "Show the version, what it was built from, what it computes with, and the files of plugins");
  app->footer(kFooter);
  app->formatter(std::make_shared<Help>());
  app->get_formatter()->label("SUBCOMMAND", "VERB");
  app->require_subcommand(1);  // exactly one: texts may be named like a verb
  for (const Verb& verb : verbs()) {
    CLI::App* options = app->add_subcommand(verb.name, verb.description);
    options->parse_complete_callback(
        [&chosen, prepared = verb.prepare(*options)] { chosen = prepared; });
    if (verb.computes) addDeviceOption(*options);
    readMarkedWords(*options);
  }
  return app;
}

Action actionFor(int argc, const char* const* argv) {
  Action action;
  const auto app = makeParser(action);
  try {
    app->parse(markedWords(argc, argv));
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() != 0) throw usageError(*app, problem, argc, argv);
    std::ostringstream text;  // --help, --version
    app->exit(problem, text, text);
    return [text = text.str()] {
      std::cout << text;
      return kDone;
    };
  }
  return action;
}

}  // namespace tfm::cli
