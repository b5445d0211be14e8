// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/read_texts.h"
#include "app/cli/result_rows.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/ask/answering.h"
#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/io/message_text.h"
#include "core/matformer/mix_n_match.h"

namespace tfm::cli {
namespace {

constexpr std::int64_t kMaxTokens = 1'000'000'000;

std::string answerLine(const OpenModel& model, const train::AnsweredQuestion& answer) {
  const bool goes_on = model.codec->form() == data::TaskForm::Text;
  return answer.question + (goes_on ? "" : " -> ") + answer.answer;
}

/// A token for what is hidden.
struct Candidate {
  std::string token;
  float probability = 0.0F;
};

const ResultRows<Candidate>& candidateRows() {
  static const ResultRows<Candidate> rows{row<Candidate>("token", &Candidate::token),
                                          row<Candidate>("probability", &Candidate::probability)};
  return rows;
}

const ResultRows<train::BeamAnswer>& beamRows() {
  using Beam = train::BeamAnswer;
  static const ResultRows<Beam> rows{
      row<Beam>("output", &Beam::answer), row<Beam>("log_probability", &Beam::log_probability),
      row<Beam>("score", &Beam::score), row<Beam>("ended", &Beam::ended)};
  return rows;
}

const ResultRows<train::DraftedQuestion>& draftRows() {
  using Drafted = train::DraftedQuestion;
  static const ResultRows<Drafted> rows{
      row<Drafted>("proposed", [](const Drafted& d) { return d.drafted.proposed; }),
      row<Drafted>("accepted", [](const Drafted& d) { return d.drafted.accepted; }),
      row<Drafted>("draft_passes", [](const Drafted& d) { return d.drafted.draft_passes; }),
      row<Drafted>("whole_passes", [](const Drafted& d) { return d.drafted.whole_passes; }),
      row<Drafted>("seconds", &Drafted::seconds),
      row<Drafted>("plain_passes", &Drafted::plain_passes),
      row<Drafted>("plain_seconds", &Drafted::plain_seconds),
      row<Drafted>("same", &Drafted::same)};
  return rows;
}

constexpr std::size_t kCandidates = 5;

/// The question with the answer in place of what it hides.
std::string filledIn(const data::TextCodec& codec, const train::AnsweredQuestion& answer) {
  data::Ids ids = codec.encodeInput(answer.question);
  auto next = answer.tokens.begin();
  for (std::int32_t& id : ids)
    if (codec.hides(id)) id = (next++)->id;
  return codec.inputText(ids);
}

/// The most probable tokens for what is hidden.
std::vector<ChosenToken> candidates(const std::vector<float>& logits) {
  const std::vector<double> shares = drawProbabilities(logits, {.temperature = 1.0});
  std::vector<ChosenToken> all;
  for (std::size_t id = 0; id < shares.size(); ++id)
    all.push_back({std::int32_t(id), float(shares[id])});
  const auto kept = all.begin() + std::ptrdiff_t(std::min(kCandidates, all.size()));
  std::ranges::partial_sort(all, kept, std::greater(), &ChosenToken::probability);
  all.erase(kept, all.end());
  return all;
}

int printFilledIn(const OpenModel& model, const std::vector<train::AnsweredQuestion>& answers,
                  const std::vector<std::string>& with, bool json) {
  const data::Vocabulary& vocabulary = model.codec->targetVocabulary();
  Json outputs = Json::array(), all = outputs;
  for (const train::AnsweredQuestion& answer : answers) {
    const std::string filled = filledIn(*model.codec, answer);
    outputs.push_back(filled);
    all.push_back(Json::array());
    if (!json) std::cout << filled << '\n';
    for (const auto& logits : answer.logits) {
      Json list = Json::array();
      std::string line;
      for (const ChosenToken& one : candidates(*logits)) {
        list.push_back(jsonOf(candidateRows(), {vocabulary.token(one.id), one.probability}));
        line += (line.empty() ? "  " : ", ") + vocabulary.label(one.id) + ' ' +
                percent(one.probability);
      }
      all.back().push_back(list);
      if (!json) std::cout << line << '\n';
    }
  }
  if (json) printWith({{"outputs", outputs}, {"candidates", all}}, with);
  return kDone;
}

struct DecodeArguments {
  std::string file;
  std::vector<std::string> texts, with;
  SamplingOptions sampling;
  std::optional<std::int64_t> beams;
  double length_penalty = BeamOptions{}.length_penalty;
  std::string draft;  // a submodel that proposes; empty: none
  std::int64_t draft_tokens = 4;
  bool json = false;
};

train::DraftedQuestion answerOne(const DecodeArguments& o, const OpenModel& model,
                                 const std::string& text, const Submodel& draft) {
  return train::answerWithDraft(model.document.state, *model.codec, model.framing, text, draft,
                                {o.draft_tokens, o.sampling.max_tokens}, *model.backend);
}

double acceptedShare(const matformer::DraftedAnswer& drafted) {
  return drafted.proposed == 0 ? 0.0 : double(drafted.accepted) / double(drafted.proposed);
}

/// Answers each text with and without a draft.
int runWithDraft(const DecodeArguments& o, const OpenModel& model) {
  const ModelConfig& config = model.document.state.config;
  const auto granularities = matformer::granularities(config, model.document.train.nesting);
  const Submodel draft =
      atOption("--draft", [&] { return matformer::submodelNamed(config, granularities, o.draft); });
  Json outputs = Json::array(), drafts = outputs;
  for (const std::string& text : o.texts) {
    const train::DraftedQuestion answer = answerOne(o, model, text, draft);
    const matformer::DraftedAnswer& d = answer.drafted;
    outputs.push_back(answer.answered.answer);
    drafts.push_back(jsonOf(draftRows(), answer));
    if (o.json) continue;
    std::cout << answerLine(model, answer.answered) << '\n'
              << "  " << percent(acceptedShare(d)) << " of " << withCommas(d.proposed)
              << " proposed tokens accepted; " << d.whole_passes
              << " passes of the whole model and " << d.draft_passes << " of the draft in "
              << shortNumber(answer.seconds * 1e3, 3) << " ms, without a draft "
              << answer.plain_passes << " in " << shortNumber(answer.plain_seconds * 1e3, 3)
              << " ms\n"
              << (answer.same ? "" : "  rounding decided between two tokens: the answers differ\n");
  }
  if (o.json) printWith({{"outputs", outputs}, {"drafts", drafts}}, o.with);
  return kDone;
}

/// The best answers to each text by beam search.
int runWithBeams(const DecodeArguments& o, const OpenModel& model) {
  const BeamOptions options{*o.beams, o.length_penalty, o.sampling.max_tokens};
  const auto answers = train::answerWithBeams(model.document.state, *model.codec, model.framing,
                                              o.texts, options, *model.backend);
  Json outputs = Json::array(), lists = outputs;
  for (std::size_t i = 0; i < o.texts.size(); ++i) {
    outputs.push_back(answers[i].front().answer);
    Json& list = lists.emplace_back(Json::array());
    if (!o.json)
      std::cout << answerLine(model, {o.texts[i], answers[i].front().answer, {}}) << '\n';
    for (const train::BeamAnswer& beam : answers[i]) {
      list.push_back(jsonOf(beamRows(), beam));
      if (!o.json)
        std::cout << "  " << shortNumber(beam.score) << " (log-probability "
                  << shortNumber(beam.log_probability) << ")  " << beam.answer
                  << (beam.ended ? "" : " ...") << '\n';
    }
  }
  if (o.json) printWith({{"outputs", outputs}, {"beams", lists}}, o.with);
  return kDone;
}

int runDecode(const DecodeArguments& o) {
  inFile(kCommandLine, [&] { validate(o.sampling); });
  OpenModel model = openModel(o.file);
  if (model.framing == data::Framing::States)
    throw Error("this model gives no answers, only hidden states", o.file,
                "Read them with transformarium-cli probe");
  for (const std::string& text : o.texts)
    sayWhatIsNotRead(*model.codec, text, kCommandLine + (", the text " + io::inQuotes(text)));
  putInForce<float>(model, o.with);
  if (!o.draft.empty()) return runWithDraft(o, model);
  if (o.beams) return runWithBeams(o, model);
  SamplingOptions sampling = o.sampling;
  sampling.keep_logits = model.codec->form() == data::TaskForm::Masked;
  const std::vector<train::AnsweredQuestion> answers = train::answer(
      model.document.state, *model.codec, model.framing, o.texts, sampling, *model.backend);
  if (sampling.keep_logits) return printFilledIn(model, answers, o.with, o.json);
  if (o.json) {
    Json outputs = Json::array();
    for (const auto& answer : answers) outputs.push_back(answer.answer);
    printWith({{"outputs", outputs}}, o.with);
    return kDone;
  }
  for (const auto& answer : answers) std::cout << answerLine(model, answer) << '\n';
  return kDone;
}

}  // namespace

Action prepareDecode(CLI::App& app) {
  const auto o = std::make_shared<DecodeArguments>();
  SamplingOptions& s = o->sampling;
  addFileArgument(app, o->file);
  app.add_option("texts", o->texts, "Texts to answer or to continue")
      ->type_name("TEXT")
      ->required();
  CLI::Option* temperature = addNumber(app, "--temperature", s.temperature, 0.0, 100.0,
                                       "0: always the most probable token");
  CLI::Option* top_k = addNumber(app, "--top-k", s.top_k, 0, kMaxTokens,
                                 "Sample from this many of the most probable tokens; 0: all");
  CLI::Option* top_p = addNumber(app, "--top-p", s.top_p, 1e-6, 1.0,
                                 "Sample from the fewest tokens with this total probability");
  addNumber(app, "--max-tokens", s.max_tokens, 1, kMaxTokens,
            "Maximum number of tokens to generate");
  addSeedOption(app, "Seed for sampling; default 0", [&s](std::uint64_t seed) { s.seed = seed; });
  CLI::Option* draft =
      app.add_option("--draft", o->draft,
                     "A submodel, by name or widths, that proposes tokens for the whole model to "
                     "verify: the same greedy answer in fewer passes")
          ->type_name("NAME")
          ->excludes(temperature);
  addNumber(app, "--draft-tokens", o->draft_tokens, 1, 1000, "Tokens proposed at a time")
      ->needs(draft);
  addBeamOptions(app, o->beams, o->length_penalty)
      ->excludes(temperature)
      ->excludes(top_k)
      ->excludes(top_p)
      ->excludes(draft);
  addWithOption(app, o->with);
  addJsonFlag(app, o->json);
  app.footer(
      "A model that fills in hidden tokens is asked for those written as [MASK], and prints the\n"
      "most probable ones for each.\n" +
      paragraph("With --json: outputs, one for each text; for [MASK] also candidates, for each "
                "text and hidden token [{" +
                membersOf(candidateRows()) +
                "}]; with --beam also beams, for each text the best answers [{" +
                membersOf(beamRows()) + "}]; with --draft also drafts [{" + membersOf(draftRows()) +
                "}]. Times are the best of three runs, with and without the draft."));
  return [o] { return runDecode(*o); };
}

}  // namespace tfm::cli
