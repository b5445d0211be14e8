// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/cli/at_option.h"
#include "app/cli/guarded_output.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/io/atomic_file.h"
#include "core/model/model_config.h"
#include "core/reproduce/source.h"

namespace tfm::cli {
namespace {

using reproduce::Checked;
using reproduce::Numbers;
using reproduce::Source;

struct ReproduceArguments {
  std::string name, out, figures;
  bool full = false;
  bool as_written = false;
  bool markdown = false;
  bool json = false;
};

/// How many claims hold, do not hold, and were not computed.
struct Tally {
  std::int64_t right = 0, wrong = 0, skipped = 0;
  void count(const Checked& checked) { ++(!checked.ours ? skipped : checked.pass ? right : wrong); }
};

/// A document and its claims, as far as they were checked.
struct CheckedSource {
  const Source* source;
  std::vector<Checked> claims{};

  Tally tally() const {
    Tally tally;
    for (const Checked& claim : claims) tally.count(claim);
    return tally;
  }
};

/// The rows of how many claims hold, of what has a tally().
template <class Result>
void addTallyRows(ResultRows<Result>& rows) {
  rows.push_back(row<Result>("passed", [](const Result& r) { return r.tally().right; }));
  rows.push_back(row<Result>("failed", [](const Result& r) { return r.tally().wrong; }));
  rows.push_back(row<Result>("not_computed", [](const Result& r) { return r.tally().skipped; }));
}

const ResultRows<Checked>& claimRows() {
  using C = Checked;
  const auto unless = [](bool none, const auto& value) { return none ? Json() : Json(value); };
  static const ResultRows<C> rows{
      row<C>("text", [](const C& c) { return c.claim.text; }),
      row<C>("printed", [](const C& c) { return c.claim.printed; }),
      orNull(row<C>("ours", [](const C& c) { return c.ours ? Json(*c.ours) : Json(); })),
      orNull(row<C>(
          "pass", [](const C& c) { return c.ours ? Json(c.pass) : Json(); },
          "both null if not computed")),
      row<C>("tolerance", [](const C& c) { return c.claim.tolerance; }),
      row<C>(
          "at_most", [](const C& c) { return c.claim.at_most; }, "printed is a bound"),
      orNull(row<C>(
          "promised",
          [=](const C& c) { return unless(!std::isfinite(c.claim.promised), c.claim.promised); },
          "the program's own bound")),
      orNull(row<C>(
          "right", [=](const C& c) { return unless(c.claim.right.empty(), c.claim.right); },
          "where the printed number is wrong")),
      row<C>("how", [](const C& c) { return c.claim.how; }),
      row<C>(
          "where", [](const C& c) { return c.claim.where; }, "it is seen"),
      orNull(row<C>(
          "preset", [=](const C& c) { return unless(c.claim.preset.empty(), c.claim.preset); },
          "of the model seen there; null: the recipe's")),
      row<C>(
          "wrong", [](const C& c) { return c.claim.wrong; }, "a sentence"),
      row<C>("seconds", &C::seconds)};
  return rows;
}

const ResultRows<CheckedSource>& sourceRows() {
  using S = CheckedSource;
  static const ResultRows<Source> recipe{
      row<Source>("preset", &Source::preset),
      row<Source>("task", [](const Source& s) { return Json::parse(data::toJson(s.task())); }),
      row<Source>("train",
                  [](const Source& s) { return Json::parse(train::toJson(s.training())); })};
  static const ResultRows<S> rows = [] {
    ResultRows<S> all{row<S>("name", [](const S& s) { return s.source->name; }),
                      row<S>("title", [](const S& s) { return s.source->title; }),
                      objectRow<S>("recipe", recipe, [](const S& s) { return *s.source; })};
    addTallyRows(all);
    all.push_back(listRow<S>("claims", claimRows(), &S::claims));
    return all;
  }();
  return rows;
}

struct ReproduceResult {
  std::vector<CheckedSource> sources{};

  Tally tally() const {
    Tally tally;
    for (const CheckedSource& source : sources)
      for (const Checked& claim : source.claims) tally.count(claim);
    return tally;
  }
};

const ResultRows<ReproduceResult>& reproduceRows() {
  using R = ReproduceResult;
  static const ResultRows<R> rows = [] {
    ResultRows<R> all{row<R>("pass", [](const R& r) { return r.tally().wrong == 0; })};
    addTallyRows(all);
    all.push_back(listRow<R>("sources", sourceRows(), &R::sources));
    return all;
  }();
  return rows;
}

/// The first few numbers.
std::string listed(const Numbers& numbers) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i == kShown) return text + " ...";
    text += (i == 0 ? "" : " ") + shortNumber(numbers[i], 8);
  }
  return text;
}

void printClaim(const Checked& c) {
  const char* mark = !c.ours ? "  - " : c.pass ? "  ok" : "  NO";
  std::cout << mark << "  " << c.claim.text << '\n';
  if (!c.claim.printed.empty())
    std::cout << "        " << (c.claim.at_most ? "at most   " : "printed   ")
              << listed(c.claim.printed)
              << (std::isfinite(c.claim.promised)
                      ? " (the program promises " + shortNumber(c.claim.promised, 3) + ')'
                      : "")
              << '\n';
  const std::string within =
      c.claim.tolerance > 0 ? " (within " + shortNumber(c.claim.tolerance, 2) + ')' : "";
  if (c.ours) std::cout << "        ours      " << listed(*c.ours) << within << '\n';
  const bool later = !c.ours && c.claim.isComputed();
  std::cout << "        " << c.claim.how << (later ? " (only with --full)" : "") << '\n'
            << "        Seen: " << c.claim.where
            << (c.claim.preset.empty() ? "" : ", of " + c.claim.preset) << '\n';
  if (!c.claim.wrong.empty()) std::cout << "        Note: " << c.claim.wrong << '\n';
}

/// How many claims of each document agree, and where it is wrong: the tables of
/// docs/source-documents.md.
void printMarkdown(const std::vector<CheckedSource>& all) {
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
      text.insert(at, "\\");
    return text;
  };
  std::cout << "| document | agree | with --full | not computed |\n|---|---|---|---|\n";
  for (const auto& [source, claims] : all) {
    const auto count = [&, &claims = claims](const auto& is) {
      return std::to_string(std::ranges::count_if(claims, is));
    };
    std::cout << "| " << source->name << " | "
              << count([](const Checked& c) { return c.ours && c.pass; }) << " of "
              << count([](const Checked& c) { return c.ours.has_value(); }) << " | "
              << count([](const Checked& c) { return !c.ours && c.claim.isComputed(); }) << " | "
              << count([](const Checked& c) { return !c.claim.isComputed(); }) << " |\n";
  }
  std::cout << "\n| document | says | printed | is | why |\n|---|---|---|---|---|\n";
  for (const auto& [source, claims] : all)
    for (const Checked& c : claims)
      if (!c.claim.right.empty())
        std::cout << "| " << source->name << " | " << cell(c.claim.text) << " | "
                  << listed(c.claim.printed) << " | "
                  << (c.ours ? listed(*c.ours) : listed(c.claim.right) + " (with --full)") << " | "
                  << cell(c.claim.wrong) << " |\n";
}

void saveRecipe(const ReproduceArguments& o, const Source& source) {
  GuardedOutput out(o.out);
  requireReplaceable(out);
  out.save(reproduce::recipeOf(source, o.as_written));
  say("saved " + o.out);
}

/// Writes the numbers of each figure as a table; those of trainings only if they are wanted. False
/// if ended.
bool saveFigures(const ReproduceArguments& o, const Source& source,
                 const reproduce::Progress& progress) {
  const auto save = [&](const std::string& name, const std::vector<reproduce::Series>& series) {
    const std::string path =
        (std::filesystem::path(o.figures) / (std::string(source.name) + '-' + name + ".tsv"))
            .string();
    io::writeFile(path, reproduce::seriesTsv(series));
    say("saved " + path);
  };
  std::filesystem::create_directories(o.figures);
  std::set<std::string> trained;
  for (const reproduce::Picture& picture : source.pictures()) {
    if (!picture.trains()) {
      reproduce::Drawing drawing = draw(picture);
      for (reproduce::Series& one : drawing.series)
        if (one.labels.empty() && one.x.empty()) one.labels = drawing.names;
      save(picture.name, drawing.series);
    } else if (o.full && trained.insert(picture.training).second) {
      say("training: " + picture.title);
      const auto series = picture.learned(1.0, progress);
      if (!series) return false;
      save(picture.training, *series);
    }
  }
  return true;
}

int runReproduce(const ReproduceArguments& o) {
  std::vector<const Source*> chosen;
  for (const Source& source : reproduce::sources())
    if (o.name == "all") chosen.push_back(&source);
  if (!chosen.empty() && !o.out.empty())
    throw Error("--out saves one recipe", kCommandLine, "Name one source document instead of all");
  if (chosen.empty())
    chosen.push_back(atOption(kCommandLine, [&] { return &reproduce::sourceNamed(o.name); }));
  if (!o.out.empty()) saveRecipe(o, *chosen.front());
  const StopSignals signals;
  ReproduceResult result;
  for (const Source* source : chosen) {
    const bool listing = !o.json && !o.markdown;
    if (listing) std::cout << source->title << " (" << source->name << ")\n";
    result.sources.push_back({source});
    if (!o.figures.empty()) {
      std::optional<int> ended;
      const auto unless_ended = [&](double) {
        ended = signals.waitFor(std::chrono::milliseconds(0));
        return !ended;
      };
      if (!saveFigures(o, *source, unless_ended)) return kSignal + *ended;
    }
    for (const reproduce::Claim& claim : source->claims()) {
      if (claim.learned && o.full) say("training: " + claim.text);
      std::optional<int> signal;
      const auto goes_on = [&](double) {
        signal = signals.waitFor(std::chrono::milliseconds(0));
        return !signal;
      };
      const Checked checked = check(claim, o.full, goes_on);
      if (signal || !goes_on(1.0)) return kSignal + *signal;
      result.sources.back().claims.push_back(checked);
      if (listing) printClaim(checked);
    }
    if (listing) std::cout << '\n';
  }
  const Tally all = result.tally();
  if (o.json)
    printJson(jsonOf(reproduceRows(), result));
  else if (o.markdown)
    printMarkdown(result.sources);
  else
    std::cout << withCommas(all.right) << " reproduced, " << withCommas(all.wrong) << " not, "
              << withCommas(all.skipped) << " not computed (each says why)\n";
  return all.wrong == 0 ? kDone : kFailed;
}

}  // namespace

Action prepareReproduce(CLI::App& app) {
  const auto o = std::make_shared<ReproduceArguments>();
  std::string names;
  for (const Source& source : reproduce::sources()) names += std::string(source.name) + ", ";
  app.add_option("name", o->name, "A source document: " + names + "or all")
      ->type_name("NAME")
      ->required();
  app.add_flag("--full", o->full, "Include claims that train for more than a second or two");
  app.add_flag("--as-written", o->as_written,
               "With --out: the training as the document states it, where its code runs another");
  app.add_option("--figures", o->figures,
                 "Write the numbers of each figure into this folder, SOURCE-FIGURE.tsv; those of "
                 "trainings with --full")
      ->type_name("FOLDER");
  app.add_flag("--markdown", o->markdown, "Print the tables of docs/source-documents.md instead");
  app.add_option("--out", o->out, "Save the recipe of a document, untrained")->type_name("FILE");
  addJsonFlag(app, o->json);
  app.footer(paragraph(
      "For each number that the five source documents print or claim, shows ours, computed now, "
      "and how. Exit code 1 if one does not agree. With --json: " +
      membersOf(reproduceRows()) + "."));
  return [o] { return runReproduce(*o); };
}

}  // namespace tfm::cli
