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
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/ask/answering.h"
#include "core/ask/explained_run.h"
#include "core/backend/registry.h"
#include "core/observe/logit_contributions.h"
#include "core/observe/logit_lens.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;
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

int printLens(LensRun& run, const data::Vocabulary& vocabulary, const LensArguments& o) {
  const auto answers = observe::logitLens(run.explainer(), *makeBackend<double>());
  const train::ProbeInput& input = run.input();
  const auto& read = input.decoder_labels.empty() ? input.source_labels : input.decoder_labels;
  const std::int64_t rows = answers.back().rows;
  const bool positions = std::int64_t(read.size()) == rows;
  Json blocks = Json::array();
  for (const observe::LensAnswer& answer : answers) {
    Json row = Json::array();
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::size_t best = bestOf(answer, r);
      row.push_back({{"token", vocabulary.label(std::int32_t(best))},
                     {"probability", probabilityOf(answer, r, best)}});
    }
    blocks.push_back({{"states", answer.states}, {"answers", std::move(row)}});
  }
  if (o.json) {
    printWith({{"read", positions ? Json(read) : Json::array()},
               {"answer", input.answer},
               {"answer_is", nameOf(input.read)},
               {"blocks", blocks}},
              o.with);
    return kDone;
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    if (positions) std::cout << "after reading '" << read[std::size_t(r)] << "'\n";
    for (const observe::LensAnswer& answer : answers) {
      const std::size_t best = bestOf(answer, r);
      std::cout << "  " << percent(probabilityOf(answer, r, best)) << "  "
                << vocabulary.label(std::int32_t(best)) << "  " << answer.states << '\n';
    }
  }
  return kDone;
}

int printContributions(LensRun& run, const std::string& number, const LensArguments& o) {
  const auto all = atOption("--of", [&] {
    return observe::logitContributions(run.explainer(), observe::placeNamed(run.program(), number));
  });
  if (o.json) {
    Json parts = Json::array();
    for (const observe::LogitContribution& part : all.parts) {
      Json one{{"name", part.name}, {"amount", part.amount}, {"bias", part.bias}};
      if (part.head >= 0) one["head"] = part.head;
      parts.push_back(std::move(one));
    }
    printWith({{"number", o.of}, {"logit", all.logit}, {"made_of", parts}, {"held", all.held}},
              o.with);
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
      "With --json: read, answer, answer_is (right, own or given), blocks [{states, answers "
      "[{token,\n"
      "probability}]}]; with --of: number, logit, made_of [{name, amount, bias, head}], held.");
  return [o] { return runLens(*o); };
}

}  // namespace tfm::cli
