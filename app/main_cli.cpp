// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "app/cli/command_line.h"
#include "app/cli/output.h"
#include "core/base/error.h"

namespace {

using namespace tfm;

int runVerb(const cli::Action& action) {
  const int code = action();
  std::cout.flush();
  if (!std::cout)
    throw Error("the result could not be written", "standard output",
                "Is the disk full, or the pipe closed?");
  return code;
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
    return runVerb(cli::actionFor(argc, argv));
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
