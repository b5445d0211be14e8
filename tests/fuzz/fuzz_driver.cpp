// SPDX-License-Identifier: GPL-3.0-or-later
// The main program of a fuzz target where libFuzzer is not at hand: fuzz_NAME [iterations [first]].
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"

namespace {

constexpr std::uint64_t kReports = 10;
constexpr std::size_t kShown = 400;  ///< bytes of an input in a message

/// Whether the target accepts the input.
bool accepts(const std::string& input) {
  // An exact copy on the heap, so that the address sanitizer sees a read behind its end.
  const std::vector<std::uint8_t> copy(input.begin(), input.end());
  return LLVMFuzzerTestOneInput(copy.data(), copy.size()) == 0;
}

bool acceptsEverySeed(const std::vector<std::string>& seeds) {
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (!accepts(seeds[i])) {
      std::fprintf(stderr, "seed %zu is refused: it must be valid\n", i);
      return false;
    }
  }
  return true;
}

/// Seeds and the kept corpus, which is tried as it is first.
std::vector<std::string> inputs() {
  std::vector<std::string> all = tfm::fuzz::seeds();
  if (!acceptsEverySeed(all)) std::exit(EXIT_FAILURE);
  for (std::string& input : tfm::fuzz::corpus(TFM_FUZZ_CORPUS)) {
    if (accepts(input)) all.push_back(std::move(input));
  }
  return all;
}

int run(std::uint64_t first, std::uint64_t iterations) {
  const std::vector<std::string> corpus = inputs();
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
                   tfm::fuzz::escaped(input.substr(0, kShown)).c_str());
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
