// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/plain_words.h"
#include "app/cli/verbs.h"
#include "core/backend/plugins.h"
#include "core/backend/registry.h"
#include "core/base/error.h"

namespace {

using namespace tfm;

constexpr const char* kFooter =
    "Results go to standard output, messages to standard error; control characters of texts are\n"
    "written out, e.g. \\x1b: --json and files have the exact text.\n"
    "Exit codes: 0 done; 2 wrong command line (the error is at 'command line' or at an option),\n"
    "so that trying again does not help; 1 failed for another reason: a file, memory, training;\n"
    "129, 130 and 143 ended by a closed terminal, Ctrl-C or a request to terminate (train saves\n"
    "first).\n"
    "Arguments after -- are not options: decode FILE -- -5";

int runVerb(const cli::Action& action) {
  const int code = action();
  std::cout.flush();
  if (!std::cout)
    throw Error("the result could not be written", "standard output",
                "Is the disk full, or the pipe closed?");
  return code;
}

/// The message of the parser, except that unknown options and verbs are named.
Error usageError(const CLI::App& app, const CLI::ParseError& problem, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  const std::string verb = chosen.empty() ? "" : " " + chosen.front()->get_name();
  std::string what = problem.what();
  if (chosen.empty() && argc > 1) {
    what = "there is no " + std::string(argv[1][0] == '-' ? "option '" : "verb '") + argv[1] + "'";
  } else if (!chosen.empty() && problem.get_exit_code() == int(CLI::ExitCodes::ExtrasError)) {
    const std::vector<std::string> extras = chosen.front()->remaining();
    const auto option =
        std::ranges::find_if(extras, [](const std::string& word) { return word.starts_with('-'); });
    if (option != extras.end())
      what = "there is no option '" + *option + "'";
    else if (!extras.empty())
      what = "'" + extras.front() + "' is unexpected";
  }
  return {cli::withoutMarks(what), cli::kCommandLine, "See transformarium-cli" + verb + " --help"};
}

void addDeviceOption(CLI::App& options) {
  options
      .add_option_function<std::string>("--device", chooseDevice,
                                        "Where to compute; else on the CPU")
      ->type_name("NAME");
}

int run(int argc, char** argv) {
  CLI::App app("Trains small transformers and shows what happens inside", "transformarium-cli");
  app.set_version_flag(
      "--version", [] { return std::string("transformarium-cli ") + TFM_VERSION + pluginLines(); },
      "Show the version and the files of plugins, none of which is opened");
  app.footer(kFooter);
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.require_subcommand(1);  // exactly one: texts may be named like a verb
  cli::Action action;
  for (const cli::Verb& verb : cli::verbs()) {
    CLI::App* options = app.add_subcommand(verb.name, verb.description);
    options->parse_complete_callback(
        [&action, prepared = verb.prepare(*options)] { action = prepared; });
    if (verb.computes) addDeviceOption(*options);
    cli::readMarkedWords(*options);
  }
  try {
    app.parse(cli::markedWords(argc, argv));
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help, --version
    throw usageError(app, problem, argc, argv);
  }
  return runVerb(action);
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe or a file size limit must not cost a trained model.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const cli::PlainStream results(std::cout);
  const cli::PlainStream messages(std::cerr);
  const std::span<char*> words(argv, std::size_t(argc));
  const bool json = std::ranges::find(words, std::string_view("--json")) != words.end();
  const auto fail = [json](const Error& error) {
    cli::printError(error);
    if (json) cli::printJsonError(error);
    return cli::isUsageError(error) ? cli::kUsageError : cli::kFailed;
  };
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return fail(error);
  } catch (const std::bad_alloc&) {
    return fail(
        {"there is not enough memory", "memory", "Choose a smaller model or a smaller batch"});
  } catch (const std::system_error& error) {
    return fail({std::string("system error: ") + error.what(), "this machine",
                 "Choose fewer --threads, quit other programs or raise the limits (ulimit -a)"});
  } catch (const std::exception& error) {
    return fail({error.what(), "inside the program", "This should not happen: please report it"});
  }
}
