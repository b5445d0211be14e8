// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/read_texts.h"
#include "app/cli/result_rows.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/ask/answering.h"
#include "core/ask/explained_run.h"
#include "core/backend/registry.h"
#include "core/observe/logit_contributions.h"
#include "core/observe/logit_lens.h"

namespace tfm::cli {
namespace {

using LensRun = train::ExplainedRun<double>;

struct LensArguments {
  std::string file, input, of;
  std::optional<std::string> answer;
  std::vector<std::string> with;
  bool json = false;
};

/// The most probable token of a row.
std::size_t bestOf(const observe::LensAnswer& answer, std::int64_t row) {
  const auto begin = answer.probabilities.begin() + row * answer.cols;
  return std::size_t(std::max_element(begin, begin + answer.cols) - begin);
}

double probabilityOf(const observe::LensAnswer& answer, std::int64_t row, std::size_t col) {
  return answer.probabilities[std::size_t(row * answer.cols) + col];
}

/// What each block would answer.
struct LensResult {
  std::vector<std::string> read;  ///< at each position, where that is known
  const train::ProbeInput& input;
  const data::Vocabulary& vocabulary;
  std::vector<observe::LensAnswer> blocks;

  std::int64_t rows() const { return blocks.back().rows; }
};

/// The most probable token of a position.
struct LensToken {
  std::string token;
  double probability;
};

LensToken likeliest(const LensResult& result, const observe::LensAnswer& block, std::int64_t row) {
  const std::size_t best = bestOf(block, row);
  return {result.vocabulary.label(std::int32_t(best)), probabilityOf(block, row, best)};
}

const ResultRows<LensResult>& lensRows() {
  using Block = std::pair<const LensResult*, const observe::LensAnswer*>;
  static const ResultRows<LensToken> tokens{row<LensToken>("token", &LensToken::token),
                                            row<LensToken>("probability", &LensToken::probability)};
  static const ResultRows<Block> blocks{
      row<Block>("states", [](const Block& block) { return block.second->states; }),
      listRow<Block>("answers", tokens, [](const Block& block) {
        std::vector<LensToken> answers;
        for (std::int64_t r = 0; r < block.first->rows(); ++r)
          answers.push_back(likeliest(*block.first, *block.second, r));
        return answers;
      })};
  static const ResultRows<LensResult> rows{
      row<LensResult>("read", &LensResult::read),
      row<LensResult>("answer", [](const LensResult& r) { return r.input.answer; }),
      row<LensResult>(
          "answer_is", [](const LensResult& r) { return nameOf(r.input.read); },
          "right, own or given"),
      listRow<LensResult>("blocks", blocks, [](const LensResult& r) {
        std::vector<Block> all;
        for (const observe::LensAnswer& block : r.blocks) all.emplace_back(&r, &block);
        return all;
      })};
  return rows;
}

const ResultRows<observe::LogitContributions>& contributionRows() {
  using Part = observe::LogitContribution;
  using All = observe::LogitContributions;
  static const ResultRows<Part> parts{
      row<Part>("name", &Part::name), row<Part>("amount", &Part::amount),
      row<Part>("bias", &Part::bias),
      row<Part>(
          "head", [](const Part& part) { return part.head < 0 ? Json() : Json(part.head); },
          "counted from 0")};
  static const ResultRows<All> rows{row<All>("logit", &All::logit),
                                    listRow<All>("made_of", parts, &All::parts),
                                    row<All>("held", &All::held, "norms whose scale is constant")};
  return rows;
}

int printLens(LensRun& run, const data::Vocabulary& vocabulary, const LensArguments& o) {
  LensResult result{
      {}, run.input(), vocabulary, observe::logitLens(run.explainer(), *makeBackend<double>())};
  const auto& read = result.input.decoder_labels.empty() ? result.input.source_labels
                                                         : result.input.decoder_labels;
  if (std::ssize(read) == result.rows()) result.read = read;
  if (o.json) {
    printWith(jsonOf(lensRows(), result), o.with);
    return kDone;
  }
  for (std::int64_t r = 0; r < result.rows(); ++r) {
    if (!result.read.empty())
      std::cout << "after reading '" << result.read[std::size_t(r)] << "'\n";
    for (const observe::LensAnswer& block : result.blocks) {
      const LensToken answer = likeliest(result, block, r);
      std::cout << "  " << percent(answer.probability) << "  " << answer.token << "  "
                << block.states << '\n';
    }
  }
  return kDone;
}

int printContributions(LensRun& run, const std::string& number, const LensArguments& o) {
  const auto all = atOption("--of", [&] {
    return observe::logitContributions(run.explainer(), observe::placeNamed(run.program(), number));
  });
  if (o.json) {
    Json json{{"number", o.of}};
    json.update(jsonOf(contributionRows(), all));
    printWith(std::move(json), o.with);
    return kDone;
  }
  std::cout << o.of << " = " << shortNumber(all.logit, 6) << '\n';
  for (const observe::LogitContribution& part : all.parts)
    std::cout << "  " << shortNumber(part.amount, 6) << "  " << part.name
              << (part.head >= 0 ? ".head." + std::to_string(part.head) : "") << '\n';
  if (!all.held.empty()) {
    std::cout << "The scales of these norms are held constant:";
    for (const std::string& norm : all.held) std::cout << ' ' << norm;
    std::cout << '\n';
  }
  return kDone;
}

int runLens(const LensArguments& o) {
  OpenModel model = openModel(o.file);
  const train::ProbeInput input =
      readText(model, "--input", o.input, "--answer", o.answer ? &*o.answer : nullptr);
  const auto interventions = putInForce<double>(model, o.with);
  const ModelState& state = model.document.state;
  requireInside(model, input.batch, interventions);
  LensRun run(state, input);
  if (!o.of.empty()) return printContributions(run, withTokenIndices(model, "--of", o.of), o);
  return printLens(run, data::outputVocabulary(*model.codec, model.framing), o);
}

}  // namespace

Action prepareLens(CLI::App& app) {
  const auto o = std::make_shared<LensArguments>();
  addFileArgument(app, o->file);
  app.add_option("--input", o->input, "The text the model reads")->type_name("TEXT")->required();
  app.add_option("--answer", o->answer,
                 "The answer that is read with the text, instead of the right one or the model's")
      ->type_name("TEXT");
  app.add_option("--of", o->of,
                 "Show instead what embeddings, heads, feed-forward blocks and biases add to this "
                 "logit, such as \"output[2, 5]\", or \"output[2, 'f']\" for the token f")
      ->type_name("NUMBER");
  addWithOption(app, o->with);
  addJsonFlag(app, o->json);
  app.footer(
      "What the output layer would answer after the input and after each block. Numbers are\n"
      "computed in double precision.\n" +
      std::string(kAnswerRule) +
      paragraph("With --json: " + membersOf(lensRows()) + "; with --of: number, " +
                membersOf(contributionRows()) + "."));
  return [o] { return runLens(*o); };
}

}  // namespace tfm::cli
