// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/read_texts.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"
#include "core/ask/patch_map.h"
#include "core/io/atomic_file.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PatchCommand {
  std::string file, out;
  train::PatchOptions options;
  bool json = false;
};

Json jsonOf(const train::PatchMap& map) {
  Json rows = Json::array();
  for (const train::PatchedRow& row : map.rows)
    rows.push_back({{"stack", stackName(row.stack)},
                    {"layer", row.layer},
                    {"tensor", row.tensor},
                    {"tokens", row.labels},
                    {"from_probability", row.from_probability},
                    {"into_probability", row.into_probability},
                    {"from_logit", row.from_logit},
                    {"into_logit", row.into_logit}});
  return {{"from",
           {{"token", map.from_label},
            {"probability", map.from_probability_before},
            {"logit", map.from_logit_before},
            {"probability_there", map.from_probability_there},
            {"logit_there", map.from_logit_there}}},
          {"into",
           {{"token", map.into_label},
            {"probability", map.into_probability_before},
            {"logit", map.into_logit_before},
            {"probability_there", map.into_probability_there},
            {"logit_there", map.into_logit_there}}},
          {"output", map.output},
          {"rows", rows}};
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
    printJson(jsonOf(map));
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
      "Ctrl-C stops and keeps what has been measured.\n"
      "With --json: from and into {token, probability, logit (of the token, before patching),\n"
      "probability_there, logit_there (in the text --from)}, output, rows [{stack, layer (-1: the\n"
      "input), tensor, tokens, from_probability, into_probability, from_logit, into_logit (by\n"
      "position)}].");
  return [o] { return mapPatches(*o); };
}

}  // namespace tfm::cli
