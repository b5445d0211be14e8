// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "core/train/answering.h"

namespace tfm::cli {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> texts;
  SamplingOptions sampling;
  bool json = false;
};

int run(const Options& o) {
  validate(o.sampling);
  const OpenModel model = openModel(o.file);
  const std::vector<train::AnsweredQuestion> answers = train::answer(
      model.document.state, *model.task, model.framing, o.texts, o.sampling, *model.backend);
  if (o.json) {
    nlohmann::ordered_json outputs = nlohmann::ordered_json::array();
    for (const auto& answer : answers) outputs.push_back(answer.answer);
    printJson({{"outputs", outputs}});
    return kDone;
  }
  const bool goes_on = model.task->form() == data::TaskForm::Text;
  for (const auto& answer : answers)
    std::cout << answer.question << (goes_on ? "" : " -> ") << answer.answer << '\n';
  return kDone;
}

}  // namespace

Action prepareDecode(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  SamplingOptions& s = o->sampling;
  addFileArgument(app, o->file);
  app.add_option("texts", o->texts, "What to answer to, or to go on from")
      ->type_name("TEXT")
      ->required();
  app.add_option("--temperature", s.temperature, "0 takes the most probable token")
      ->capture_default_str()
      ->type_name("X");
  app.add_option("--top-k", s.top_k, "Draw from this many of the most probable tokens; 0: all")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--top-p", s.top_p, "Draw from the fewest tokens of this probability")
      ->capture_default_str()
      ->type_name("X");
  app.add_option("--max-tokens", s.most_tokens, "Tokens to write at most")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--seed", s.seed, "Of the draws")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  addJsonFlag(app, o->json);
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
