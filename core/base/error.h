// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

namespace tfm {

/// The exception for bad input from files, users and configs: what is wrong, where, and how to fix
/// it.
class Error : public std::runtime_error {
 public:
  Error(std::string what, std::string where = {}, std::string hint = {});

  const std::string& problem() const noexcept { return problem_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string problem_;
  std::string where_;
  std::string hint_;
};

/// Runs `work` and returns what it throws: an Error, or another exception as one; nullopt: nothing.
template <class Work>
std::optional<Error> problemOf(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& problem) {
    return problem;
  } catch (const std::exception& problem) {
    return Error(problem.what());
  }
}

}  // namespace tfm
