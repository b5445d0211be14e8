// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes to learn byte pairs from a table of texts, such as 20,000 sentences and their
// translations, and to split all of them. bench_byte_pairs FILE.tsv [TOKENS]. Prints numbers and
// asserts nothing: they depend on the machine.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/tokenizer/byte_pairs.h"
#include "core/data/tokenizer/subword_learning.h"
#include "core/io/text_file.h"
#include "core/io/tsv.h"

namespace {

template <class Work>
double secondsOf(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tfm;
  if (argc < 2) {
    std::fprintf(stderr, "bench_byte_pairs FILE.tsv [TOKENS]\n");
    return 2;
  }
  try {
    std::vector<std::string> texts;
    const std::string file = io::readTextFile(argv[1], std::uint64_t{1} << 28);
    for (const io::TextPair& row : io::parseTsv(file, argv[1], io::ExtraColumns::Ignore))
      texts.insert(texts.end(), {row.first, row.second});
    data::TokenizerConfig config;
    config.kind = data::TokenizerKind::BytePair;
    config.vocabulary_size = argc > 2 ? std::atoll(argv[2]) : 4100;  // 100 letters, 4,000 merges
    std::vector<std::string> tokens;
    const double learning = secondsOf([&] { tokens = data::learnBytePairs(config, texts); });
    const data::BytePairs tokenizer(tokens);
    std::size_t pieces = 0;
    const double splitting = secondsOf([&] {
      for (const std::string& text : texts) pieces += tokenizer.encode(text).size();
    });
    std::printf("%zu texts: %zu tokens learned in %.3f s; split into %zu in %.3f s\n", texts.size(),
                tokens.size(), learning, pieces, splitting);
  } catch (const Error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
  return 0;
}
