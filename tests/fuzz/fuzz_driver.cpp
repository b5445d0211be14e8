// SPDX-License-Identifier: GPL-3.0-or-later
// The main program of a fuzz target where libFuzzer is not at hand: fuzz_NAME [iterations [first]].
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"

namespace {

constexpr std::uint64_t kReports = 10;

/// Whether the target accepts the input.
bool accepts(const std::string& input) {
  // An exact copy on the heap, so that the address sanitizer sees a read behind its end.
  const std::vector<std::uint8_t> copy(input.begin(), input.end());
  return LLVMFuzzerTestOneInput(copy.data(), copy.size()) == 0;
}

/// The first bytes of an input, all but printable ones as \xNN.
std::string escaped(const std::string& input) {
  constexpr std::size_t kMost = 400;
  std::string text;
  std::array<char, 5> code{};
  for (const char c : input.substr(0, kMost)) {
    const bool printable = c >= ' ' && c <= '~' && c != '\\';
    std::snprintf(code.data(), code.size(), printable ? "%c" : "\\x%02x",
                  static_cast<unsigned char>(c));
    text += code.data();
  }
  return text;
}

bool acceptsEverySeed(const std::vector<std::string>& corpus) {
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    if (!accepts(corpus[i])) {
      std::fprintf(stderr, "seed %zu is refused: it must be valid\n", i);
      return false;
    }
  }
  return true;
}

int run(std::uint64_t first, std::uint64_t iterations) {
  const std::vector<std::string> corpus = tfm::fuzz::seeds();
  if (!acceptsEverySeed(corpus)) return EXIT_FAILURE;
  std::uint64_t accepted = 0;
  for (std::uint64_t i = 0; i < iterations; ++i) {
    // After a crash, the last of these lines says where to look.
    if (i % (iterations / kReports + 1) == 0) {
      std::printf("from iteration %llu\n", static_cast<unsigned long long>(first + i));
      std::fflush(stdout);
    }
    const std::string input = tfm::fuzz::mutated(corpus, first + i);
    try {
      accepted += accepts(input) ? 1 : 0;
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "iteration %llu: %s\nof the input %s\n",
                   static_cast<unsigned long long>(first + i), problem.what(),
                   escaped(input).c_str());
      return EXIT_FAILURE;
    }
  }
  std::printf("%llu of %llu inputs were accepted\n", static_cast<unsigned long long>(accepted),
              static_cast<unsigned long long>(iterations));
  return EXIT_SUCCESS;
}

std::uint64_t argument(int count, char** arguments, int index, std::uint64_t otherwise) {
  return index < count ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
}

}  // namespace

int main(int count, char** arguments) {
  return run(argument(count, arguments, 2, 0), argument(count, arguments, 1, 10'000));
}
