// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/top_texts.h"

#include <CLI/App.hpp>
#include <iomanip>
#include <iostream>
#include <memory>

#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"

namespace tfm::cli {
namespace {

struct TopTextsCommand {
  std::string file, part;
  train::TopTextsOptions options;
  bool json = false;
};

const ResultRows<train::TopTexts>& topTextsRows() {
  static const ResultRows<train::TopText> texts{
      row<train::TopText>("text", &train::TopText::text),
      row<train::TopText>("value", &train::TopText::most, "the largest"),
      row<train::TopText>("position", &train::TopText::position, "where it is, from 0"),
      row<train::TopText>("tokens", &train::TopText::tokens),
      row<train::TopText>("values", &train::TopText::values, "at each token")};
  static const ResultRows<train::TopTexts> rows{
      row<train::TopTexts>("examples", &train::TopTexts::examples),
      row<train::TopTexts>("mean", &train::TopTexts::mean, "over all positions"),
      listRow<train::TopTexts>("texts", texts, &train::TopTexts::texts)};
  return rows;
}

/// The tokens, with the one of the largest value in brackets.
std::string marked(const train::TopText& text) {
  std::string words;
  for (std::int64_t i = 0; i < std::ssize(text.tokens); ++i) {
    const std::string& token = text.tokens[std::size_t(i)];
    words += (i == 0 ? "" : " ") + (i == text.position ? '[' + token + ']' : token);
  }
  return words.empty() ? "position " + std::to_string(text.position + 1) : words;
}

int showTopTexts(const TopTextsCommand& o) {
  const StopSignals signals;
  const OpenModel model = openWithTask(o.file);
  LongWork work(signals);
  const auto progress = [&](double share) {
    work.goOn(share);
    return work.signal() == 0;
  };
  const auto top =
      train::topTexts(model.task, std::make_shared<const ModelState>(model.document.state), o.part,
                      o.options, progress);
  work.clearLine();
  if (!top) return kSignal + work.signal();
  if (o.json) {
    printJson(jsonOf(topTextsRows(), *top));
    return kDone;
  }
  for (const train::TopText& text : top->texts)
    std::cout << std::setw(10) << shortNumber(text.most()) << "  " << text.text << "  "
              << marked(text) << '\n';
  std::cout << "mean " << shortNumber(top->mean) << " over all positions of "
            << counted(top->examples, "text") << '\n';
  return kDone;
}

}  // namespace

Action prepareTopTexts(CLI::App& app) {
  const auto o = std::make_shared<TopTextsCommand>();
  addFileArgument(app, o->file);
  app.add_option("--part", o->part,
                 "A head or a neuron, counted from 0: decoder.layers.0.cross_attention.head.2, "
                 "encoder.layers.0.feed_forward.neuron.3")
      ->type_name("NAME")
      ->required();
  addNumber(app, "--examples", o->options.examples, 1, 1'000'000, "Held-out examples to read");
  addNumber(app, "--most", o->options.most, 1, 10'000, "Texts to show");
  addJsonFlag(app, o->json);
  app.footer(paragraph(
      "The value of a neuron is its hidden activation; that of a head is the length of the values "
      "that it mixes. Each text has the value of its strongest token, in brackets. A decoder reads "
      "the right answers. Equal texts count once. With --json: " +
      membersOf(topTextsRows()) + "."));
  return [o] { return showTopTexts(*o); };
}

}  // namespace tfm::cli
