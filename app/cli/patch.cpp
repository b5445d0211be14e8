// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <memory>
#include <utility>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/read_texts.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"
#include "core/ask/patch_map.h"
#include "core/io/atomic_file.h"

namespace tfm::cli {
namespace {

struct PatchCommand {
  std::string file, out;
  train::PatchOptions options;
  bool json = false;
};

/// An answer that is followed: of the text patched from, or into.
struct FollowedAnswer {
  std::string token;
  double probability, logit, probability_there, logit_there;
};

const ResultRows<train::PatchMap>& patchRows() {
  using Map = train::PatchMap;
  using Row = train::PatchedRow;
  using Answer = FollowedAnswer;
  static const ResultRows<Answer> answer{
      row<Answer>("token", &Answer::token), row<Answer>("probability", &Answer::probability),
      row<Answer>("logit", &Answer::logit, "of the token, before patching"),
      row<Answer>("probability_there", &Answer::probability_there),
      row<Answer>("logit_there", &Answer::logit_there, "in the text --from")};
  static const ResultRows<Row> places{
      row<Row>("stack", [](const Row& r) { return stackName(r.stack); }),
      row<Row>("layer", &Row::layer, "-1: the input"),
      row<Row>("tensor", &Row::tensor),
      row<Row>("tokens", &Row::labels),
      row<Row>("from_probability", &Row::from_probability),
      row<Row>("into_probability", &Row::into_probability),
      row<Row>("from_logit", &Row::from_logit),
      row<Row>("into_logit", &Row::into_logit, "by position")};
  static const ResultRows<Map> rows{
      objectRow<Map>("from", answer,
                     [](const Map& m) {
                       return Answer{m.from_label, m.from_probability_before, m.from_logit_before,
                                     m.from_probability_there, m.from_logit_there};
                     }),
      objectRow<Map>("into", answer,
                     [](const Map& m) {
                       return Answer{m.into_label, m.into_probability_before, m.into_logit_before,
                                     m.into_probability_there, m.into_logit_there};
                     }),
      row<Map>("output", &Map::output), listRow<Map>("rows", places, &Map::rows)};
  return rows;
}

void print(const train::PatchMap& map) {
  std::cout << "output[" << map.output << "]: '" << map.into_label << "' "
            << percent(map.into_probability_before) << ", '" << map.from_label << "' "
            << percent(map.from_probability_before) << "; in the other text '" << map.from_label
            << "' " << percent(map.from_probability_there) << '\n'
            << "probability of '" << map.from_label << "' with the other text's states at\n";
  for (const train::PatchedRow& row : map.rows) {
    std::cout << row.tensor << '\n';
    for (std::size_t p = 0; p < row.from_probability.size(); ++p)
      std::cout << std::setw(6) << '[' + std::to_string(p) + ']' << "  " << std::setw(8)
                << percent(row.from_probability[p]) << "  "
                << (p < row.labels.size() ? row.labels[p] : "") << '\n';
  }
}

int mapPatches(const PatchCommand& o) {
  const StopSignals signals;
  requireOtherFiles({{"FILE", o.file}}, {{"--out", o.out, kTableEndings}});
  const OpenModel model = openModel(o.file);
  for (const auto& [option, text] :
       {std::pair{"--from", &o.options.from}, {"--into", &o.options.into}})
    sayWhatIsNotRead(*model.codec, *text, option);
  for (const auto& [option, answer] :
       {std::pair{"--from-answer", &o.options.from_answer}, {"--answer", &o.options.into_answer}})
    if (*answer)
      atOption(option, [&, answer = answer] { return model.codec->encodeAnswer(**answer); });
  LongWork work(signals);
  train::PatchMap map;
  const auto progress = [&](const train::PatchMap& so_far, double share) {
    if (!work.goOn(share)) map = so_far;
    return work.signal() == 0;
  };
  auto whole = atOption(
      "--output",
      [&] {
        return train::patchMap(model.document.state, *model.codec, o.options, *model.backend,
                               progress);
      },
      "patch");
  if (whole) map = std::move(*whole);
  work.clearLine();
  if (!o.out.empty()) io::writeFile(o.out, train::patchTsv(map));
  if (o.json)
    printJson(jsonOf(patchRows(), map));
  else
    print(map);
  if (work.signal() == 0) return kDone;
  say("Interrupted: the remaining states were not patched");
  return kSignal + work.signal();
}

}  // namespace

Action preparePatch(CLI::App& app) {
  const auto o = std::make_shared<PatchCommand>();
  addFileArgument(app, o->file);
  app.add_option("--from", o->options.from, "The text whose states are patched into the other one")
      ->type_name("TEXT")
      ->required();
  app.add_option("--into", o->options.into, "The text that the model reads")
      ->type_name("TEXT")
      ->required();
  app.add_option("--answer", o->options.into_answer,
                 "The answer that is read with --into, instead of the right one or the model's")
      ->type_name("TEXT");
  app.add_option("--from-answer", o->options.from_answer, "The same with --from")
      ->type_name("TEXT");
  addNumberFunction<std::int64_t>(
      app, "--output", {0, 1'000'000},
      "The output to follow, counted from 0; default: the first where the answers differ, of a "
      "language model the last",
      [o = o.get()](std::int64_t output) { o->options.output = output; });
  app.add_option("--out", o->out, "Save the table here (.tsv)")->type_name("FILE");
  addJsonFlag(app, o->json);
  app.footer(
      "Each position of each layer takes the state that it has in the other text, one at a time.\n"
      "A decoder reads the right answers if the task knows them, else those that the model itself\n"
      "writes.\n"
      "Ctrl-C stops and keeps what has been measured.\n" +
      paragraph("With --json: " + membersOf(patchRows()) + "."));
  return [o] { return mapPatches(*o); };
}

}  // namespace tfm::cli
