// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/common_options.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/verbs.h"
#include "core/io/atomic_file.h"
#include "core/lesson/check.h"
#include "core/lesson/lesson_check.h"
#include "core/lesson/lesson_html.h"
#include "core/lesson/live_values.h"
#include "core/lesson/password.h"
#include "core/lesson/targets.h"

namespace tfm::cli {
namespace {

using lesson::PlayedPage;

struct LessonArguments {
  std::string action, file, out;
  int threads = 1;
  bool json = false;
};

/// A word that lessons know, and what it means.
struct WordRow {
  std::string group, word, meaning;
};

std::vector<WordRow> allWords() {
  std::vector<WordRow> rows;
  for (const lesson::KeyWords& key : lesson::headKeys())
    rows.push_back({"head", std::string(key.name), std::string(key.meaning)});
  for (const lesson::KeyWords& key : lesson::pageKeys())
    rows.push_back({"page", std::string(key.name), std::string(key.meaning)});
  for (const lesson::CheckKind& kind : lesson::checkKinds())
    rows.push_back({"check", std::string(kind.pattern), std::string(kind.meaning)});
  for (const lesson::Slot& slot : lesson::slotWords())
    rows.push_back({"slot", std::string(slot.name), std::string(slot.allowed)});
  rows.push_back({"value", "{NAME[ROW, COL]}", "A number of a tensor, as in explain --number."});
  for (const lesson::ValueKind& kind : lesson::valueKinds())
    rows.push_back({"value", "{" + std::string(kind.name) + "}", std::string(kind.meaning)});
  for (const lesson::StepValue& value : lesson::stepValues())
    rows.push_back(
        {"value", "{" + std::string(value.word) + " NAME[ROW, COL]}", std::string(value.meaning)});
  for (const lesson::Target& target : lesson::targets())
    rows.push_back({"point", std::string(target.name),
                    target.screen.empty() ? "everywhere" : std::string(target.screen)});
  return rows;
}

int listWords(bool json) {
  const std::vector<WordRow> rows = allWords();
  if (json) {
    Json all = Json::array();
    for (const WordRow& row : rows)
      all.push_back({{"group", row.group}, {"word", row.word}, {"meaning", row.meaning}});
    printJson({{"words", all}});
    return kDone;
  }
  std::string group;
  for (const WordRow& row : rows) {
    if (row.group != group) std::cout << (group.empty() ? "" : "\n") << row.group << '\n';
    group = row.group;
    std::cout << "  " << row.word << "\n      " << row.meaning << '\n';
  }
  return kDone;
}

/// What was done at a page.
struct PageResult {
  std::string title, part, text, right;
  bool done = false, asks = false;
  double seconds = 0.0;
};

const ResultRows<PageResult>& pageRows() {
  static const ResultRows<PageResult> rows{
      row<PageResult>("title", &PageResult::title),
      row<PageResult>("part", &PageResult::part),
      row<PageResult>("text", &PageResult::text, "with its live values"),
      row<PageResult>("asks", &PageResult::asks, "whether there is something to do"),
      row<PageResult>("done", &PageResult::done, "its deeds were done and its checks hold"),
      row<PageResult>("right", &PageResult::right, "the right answer to its question"),
      row<PageResult>("seconds", &PageResult::seconds)};
  return rows;
}

const ResultRows<Error>& problemRows() {
  static const ResultRows<Error> rows{row<Error>("what", &Error::problem),
                                      row<Error>("where", &Error::where, "FILE:LINE"),
                                      row<Error>("hint", &Error::hint)};
  return rows;
}

struct LessonResult {
  std::string title;
  std::vector<PageResult> pages = {};
  std::vector<Error> problems = {};
};

const ResultRows<LessonResult>& lessonRows() {
  static const ResultRows<LessonResult> rows{
      row<LessonResult>("title", &LessonResult::title),
      listRow<LessonResult>("pages", pageRows(), &LessonResult::pages),
      listRow<LessonResult>("problems", problemRows(), &LessonResult::problems)};
  return rows;
}

void printPage(const PageResult& page) {
  std::cout << (page.done   ? "[x] "
                : page.asks ? "[ ] "
                            : "    ")
            << page.title << "  (" << page.part << ", " << shortNumber(page.seconds, 2) << " s)\n";
  if (!page.right.empty()) std::cout << "      right answer: " << page.right << '\n';
}

int runLesson(const LessonArguments& o) {
  if (o.action == "words") {
    if (!o.file.empty())
      throw Error("words takes no FILE", kCommandLine, "See transformarium-cli lesson --help");
    return listWords(o.json);
  }
  if (o.action == "password") {
    if (!o.file.empty())
      throw Error("password takes no FILE", kCommandLine,
                  "It reads the password from the standard input");
    std::string typed;
    std::getline(std::cin, typed);
    std::cout << "password: \"" << lesson::hashedPassword(typed) << "\"\n";
    return kDone;
  }
  if (o.file.empty())
    throw Error(o.action + " needs a FILE", kCommandLine,
                "Give a lesson: transformarium-cli lesson " + o.action + " NAME.lesson.md");
  const lesson::ReadLesson read = lesson::readLessonFile(o.file);
  if (o.action == "html" && o.out.empty())
    throw Error("html needs --out", kCommandLine, "Say where to save it: --out NAME.html");
  LessonResult result{read.lesson.title};
  std::vector<lesson::Page> shown;
  const bool tells = o.action == "run" && !o.json;
  if (tells) std::cout << result.title << '\n';
  const auto told = [&](const PlayedPage& played) {
    shown.push_back(played.shown);
    result.pages.push_back({played.page.title, std::string(lesson::partName(played.page.part)),
                            played.shown.markdown, played.right, played.done, played.page.asks(),
                            played.seconds});
    if (tells) printPage(result.pages.back());
  };
  result.problems =
      lesson::play(read, o.file, std::filesystem::path(o.file).parent_path(), o.threads, told);
  if (o.action == "html" && result.problems.empty())
    io::writeFile(o.out, lesson::toHtml(read.lesson, shown));
  if (o.json) {
    printJson(jsonOf(lessonRows(), result));
  } else {
    for (const Error& problem : result.problems)
      std::cout << problem.where() << ": " << problem.problem() << ". " << problem.hint() << '\n';
    std::cout << (result.problems.empty()
                      ? "No mistakes in " + counted(std::ssize(result.pages), "page")
                      : counted(std::ssize(result.problems), "mistake"))
              << '\n';
  }
  return result.problems.empty() ? kDone : kFailed;
}

}  // namespace

Action prepareLesson(CLI::App& app) {
  const auto o = std::make_shared<LessonArguments>();
  addChoice(app, "action", o->action, {"check", "run", "html", "words", "password"},
            "check: tell what is wrong with a lesson; run: the same, page by page; html: save it "
            "to be read in a browser; words: list the words that lessons know; password: hash the "
            "password on the standard input for the head of a lesson")
      ->required();
  app.add_option("file", o->file, "A lesson, NAME.lesson.md")->type_name("FILE");
  app.add_option("--out", o->out, "html: where to save it (.html)")->type_name("FILE");
  addThreadsOption(app, o->threads);
  addJsonFlag(app, o->json);
  app.footer(paragraph(
      "check and run open the lesson's start, compute the live values of each page, do its deeds "
      "on the document as a student does them in the window, and ask its checks. Mistakes are "
      "printed as FILE:LINE: what is wrong, and how to mend it; exit code 1 if there are any. A "
      "password "
      "keeps students from unlocking a lesson by a click, and nobody from changing its file. With "
      "--json: " +
      membersOf(lessonRows()) + "; words: words [{group, word, meaning}]."));
  return [o] { return runLesson(*o); };
}

}  // namespace tfm::cli
