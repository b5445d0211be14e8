// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_check.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "core/document/shown_snapshot.h"
#include "core/lesson/check.h"
#include "core/lesson/live_values.h"
#include "core/lesson/progress.h"

namespace tfm::lesson {
namespace {

/// Three significant digits, as on the screens.
std::string shortNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Calls `read` with what the live values of a page are read from on a desk.
template <class Read>
auto readOn(const Page& page, const Desk& desk, const Read& read) {
  const Situation now = desk.situation();
  return read(ValueSource{now, snapshotFor(page, desk), shortNumber,
                          [&desk](const std::string& weight) { return desk.step(weight); }});
}

class Player {
 public:
  Player(const std::string& name, Desk& desk, std::vector<Error>& problems)
      : name_(name), desk_(desk), problems_(problems) {}

  void play(const Page& page, const std::function<void(const PlayedPage&)>& told) {
    const auto begun = std::chrono::steady_clock::now();
    if (!page.screen.empty()) desk_.window().screen = page.screen;
    PlayedPage played{page};
    Page& shown = played.shown;
    const auto problem = problemOf([&] {
      std::vector<std::string*> texts{&shown.markdown, &shown.deed};
      for (auto* question : {&shown.prediction, &shown.question})
        if (*question) texts.push_back(&(*question)->ask);
      fillIn(page, texts);
    });
    if (problem) report(lineOfProblem(page), *problem);
    if (askNothing(page))
      problems_.emplace_back("the check holds before anything was done",
                             placeOf(name_, page.checks.front().line),
                             "Ask for something that the student still has to do");
    played.done = page.asks() && doDeeds(page);
    if (page.question && played.done) {
      const auto problem = problemOf([&] { played.right = rightOf(page); });
      if (problem) report(page.question->line, *problem);
      played.done = !problem;
    }
    // What has no value here stays as it is written: nobody has to see it.
    (void)problemOf([&] {
      std::vector<std::string*> texts{&shown.solution};
      for (std::string& hint : shown.hints) texts.push_back(&hint);
      for (auto* question : {&shown.prediction, &shown.question})
        if (*question) texts.push_back(&(*question)->right);
      fillIn(page, texts);
    });
    played.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (told) told(played);
  }

 private:
  void report(std::int64_t line, const Error& problem) {
    problems_.emplace_back(problem.problem(), placeOf(name_, line), problem.hint());
  }

  template <class Read>
  auto withSource(const Page& page, const Read& read) const {
    return readOn(page, desk_, read);
  }

  /// Puts live values into texts of a page.
  void fillIn(const Page& page, const std::vector<std::string*>& texts) const {
    withSource(page, [&](const ValueSource& source) {
      for (std::string* text : texts) *text = withValues(*text, source);
    });
  }

  std::string rightOf(const Page& page) const {
    const auto right =
        withSource(page, [&](const ValueSource& s) { return rightAnswer(*page.question, s); });
    if (!right || !isRight(*page.question, *right, *right))
      throw Error("the right answer '" + page.question->right + "' has no value here", {},
                  "Use a value that the model has at this page");
    return *right;
  }

  /// The line of the first value that the model does not have.
  std::int64_t lineOfProblem(const Page& page) const {
    for (const UsedValue& used : valuesIn(page.markdown)) {
      const auto problem = problemOf(
          [&] { withSource(page, [&](const ValueSource& s) { return valueOf(used.name, s); }); });
      if (problem)
        return page.line + 1 +
               std::count(page.markdown.begin(), page.markdown.begin() + std::ptrdiff_t(used.begin),
                          '\n');
    }
    return page.line;
  }

  bool askNothing(const Page& page) const {
    const Situation now = desk_.situation();
    return !page.checks.empty() &&
           std::ranges::all_of(page.checks, [&](const Check& check) { return holds(check, now); });
  }

  bool doDeeds(const Page& page) {
    bool done = true;
    for (const Check& check : page.checks) {
      const auto problem = problemOf([&] {
        perform(check, desk_);
        if (!holds(check, desk_.situation()))
          throw Error("the deed was done and the check does not hold", {},
                      "Ask for something that the model can do");
      });
      if (problem) report(check.line, *problem);
      done = done && !problem;
    }
    return done;
  }

  const std::string& name_;
  Desk& desk_;
  std::vector<Error>& problems_;
};

void requireLinks(const Lesson& lesson, const std::string& name,
                  const std::filesystem::path& folder, std::vector<Error>& problems) {
  for (const Link& link : lesson.links) {
    const std::string file = link.target.substr(0, link.target.find('#'));
    if (file.empty() || file.find(':') != std::string::npos) continue;  // here, or on the web
    if (!std::filesystem::exists(folder / file))
      problems.emplace_back("the link leads to '" + file + "', which is not there",
                            placeOf(name, link.line), "Write it relative to the lesson's folder");
  }
}

}  // namespace

std::optional<std::string> rightAnswerOn(const Page& page, const Desk& desk) {
  std::optional<std::string> right;
  (void)problemOf([&] {
    right = readOn(page, desk,
                   [&](const ValueSource& source) { return knownAnswer(page.question, source); });
  });
  return right;
}

std::shared_ptr<const train::Snapshot> snapshotFor(const Page& page, const Desk& desk) {
  if (shownText(desk.document().window).empty()) return nullptr;
  // The answer alone needs a pass, too.
  const std::string pattern = patternOf(page);
  return train::shownSnapshot(desk.document(), pattern.empty() ? "output" : pattern);
}

std::vector<Error> play(const ReadLesson& read, const std::string& name,
                        const std::filesystem::path& folder, int threads,
                        const std::function<void(const PlayedPage&)>& told) {
  std::vector<Error> problems = read.problems;
  requireLinks(read.lesson, name, folder, problems);
  std::optional<Desk> desk;
  if (read.lesson.start.empty()) return problems;
  const auto problem =
      problemOf([&] { desk.emplace(startOf(read.lesson, filesIn(folder)), threads); });
  if (problem) {
    problems.emplace_back("the start does not open: " + problem->problem(),
                          placeOf(name, read.lesson.start_line), problem->hint());
    return problems;
  }
  Player player(name, *desk, problems);
  for (const Page& page : read.lesson.pages) player.play(page, told);
  return problems;
}

}  // namespace tfm::lesson
