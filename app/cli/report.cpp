// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/common_options.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/verbs.h"
#include "core/report/report_check.h"
#include "core/report/report_html.h"

namespace tfm::cli {
namespace {

using report::CheckedItem;
using report::CheckedPage;

struct ReportArguments {
  std::string action;
  std::vector<std::string> paths;
  bool json = false;
};

/// A report, or why it could not be read.
struct FileResult {
  std::string file;
  report::CheckedReport checked = {};
  std::optional<Error> problem = {};

  bool isSound() const { return !problem && checked.isSound(); }
  std::int64_t count(report::Verdict verdict) const {
    return std::ranges::count(checked.items, verdict, &CheckedItem::verdict);
  }
  std::int64_t pagesDone(bool CheckedPage::*when) const {
    return std::ranges::count(checked.pages, true, when);
  }
};

const ResultRows<CheckedItem>& itemRows() {
  static const ResultRows<CheckedItem> rows{
      row<CheckedItem>("title", &CheckedItem::title),
      row<CheckedItem>(
          "verdict", [](const CheckedItem& item) { return verdictName(item.verdict); },
          "agrees, recorded, as drawn, differs or fails"),
      row<CheckedItem>("difference", &CheckedItem::difference,
                       "the largest, as a share of the largest number"),
      row<CheckedItem>("problem", [](const CheckedItem& item) {
        return item.problem ? Json(item.problem->what()) : Json();
      })};
  return rows;
}

const ResultRows<CheckedPage>& checkedPageRows() {
  static const ResultRows<CheckedPage> rows{
      row<CheckedPage>("title", &CheckedPage::title),
      row<CheckedPage>("prediction", &CheckedPage::prediction),
      row<CheckedPage>("answer", &CheckedPage::answer),
      row<CheckedPage>("right", &CheckedPage::right, "on the model in the report"),
      row<CheckedPage>("said_done", &CheckedPage::said_done, "when it was handed in"),
      row<CheckedPage>("done_now", &CheckedPage::done_now, "on the model in the report")};
  return rows;
}

const ResultRows<lesson::Absence>& absenceRows() {
  static const ResultRows<lesson::Absence> rows{
      row<lesson::Absence>("after", &lesson::Absence::after, "seconds since the exam began"),
      row<lesson::Absence>("seconds", &lesson::Absence::seconds)};
  return rows;
}

const ResultRows<FileResult>& fileRows() {
  static const ResultRows<FileResult> rows{
      row<FileResult>("file", &FileResult::file),
      row<FileResult>("title", [](const FileResult& f) { return f.checked.title; }),
      row<FileResult>("author", [](const FileResult& f) { return f.checked.author; }),
      row<FileResult>("lesson", [](const FileResult& f) { return f.checked.lesson; }),
      row<FileResult>("fingerprint", [](const FileResult& f) { return f.checked.fingerprint; }),
      row<FileResult>(
          "edited", [](const FileResult& f) { return f.checked.edited; },
          "the page is not what its numbers make"),
      row<FileResult>("sound", &FileResult::isSound),
      listRow<FileResult>("figures", itemRows(),
                          [](const FileResult& f) { return f.checked.items; }),
      listRow<FileResult>("pages", checkedPageRows(),
                          [](const FileResult& f) { return f.checked.pages; }),
      listRow<FileResult>("absences", absenceRows(),
                          [](const FileResult& f) { return f.checked.absences; }),
      row<FileResult>("problem", [](const FileResult& f) {
        return f.problem ? Json(f.problem->what()) : Json();
      })};
  return rows;
}

struct AllResult {
  std::vector<FileResult> reports;
};

const ResultRows<AllResult>& allRows() {
  static const ResultRows<AllResult> rows{
      listRow<AllResult>("reports", fileRows(), &AllResult::reports)};
  return rows;
}

/// The files themselves, and the .html files of folders, by name.
std::vector<std::filesystem::path> filesOf(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    std::vector<std::filesystem::path> inside;
    for (const auto& entry : std::filesystem::directory_iterator(path))
      if (entry.path().extension() == ".html") inside.push_back(entry.path());
    if (inside.empty())
      throw Error("no .html file in the folder", path, "Give the folder that holds the reports");
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

FileResult checked(const std::filesystem::path& file) {
  FileResult result{file.string()};
  result.problem =
      problemOf([&] { result.checked = report::check(report::reportText(file), file.string()); });
  return result;
}

void printOne(const FileResult& result) {
  const report::CheckedReport& found = result.checked;
  std::cout << found.title << (found.author.empty() ? "" : ", by " + found.author) << '\n';
  for (const CheckedItem& item : found.items) {
    std::cout << "  " << verdictName(item.verdict) << ": " << item.title;
    if (item.verdict == report::Verdict::Agrees && item.difference > 0.0)
      std::cout << " (up to " << shortNumber(item.difference, 2) << " of the largest number)";
    if (item.problem) std::cout << ": " << item.problem->problem();
    std::cout << '\n';
  }
  if (!found.lesson.empty()) std::cout << found.lesson << '\n';
  for (const CheckedPage& page : found.pages) {
    std::cout << (page.done_now ? "  [x] " : page.said_done ? "  [?] " : "  [ ] ") << page.title;
    if (!page.prediction.empty()) std::cout << "; predicted: " << page.prediction;
    if (!page.answer.empty()) std::cout << "; answered: " << page.answer;
    if (!page.right.empty()) std::cout << "; right: " << page.right;
    std::cout << '\n';
  }
  for (const lesson::Absence& absence : found.absences)
    std::cout << "  away for " << absence.seconds << " s, " << absence.after / 60
              << " min after the exam began\n";
  if (std::ranges::any_of(found.pages,
                          [](const CheckedPage& p) { return p.said_done && !p.done_now; }))
    std::cout
        << "[?]: done when it was handed in, and not on the model in the report: a later page "
           "changed it\n";
  if (found.edited)
    std::cout << "The page is not what its numbers make: it was edited, or saved by another "
                 "version\n";
}

/// How long one was away during an exam: "12 s".
std::string awayText(const FileResult& result) {
  const std::vector<lesson::Absence>& absences = result.checked.absences;
  return absences.empty() ? "" : std::to_string(lesson::secondsAway(absences)) + " s";
}

/// One line a report.
void printTable(const std::vector<FileResult>& results) {
  std::size_t widest = 4;
  for (const FileResult& result : results)
    widest = std::max(widest, std::filesystem::path(result.file).filename().string().size());
  const auto cell = [](const std::string& text, std::size_t width) {
    return text + std::string(width > text.size() ? width - text.size() : 0, ' ') + "  ";
  };
  std::cout << cell("file", widest) << cell("pages", 7) << cell("figures", 7) << cell("agree", 5)
            << cell("differ", 6) << cell("away", 6) << cell("sound", 5) << cell("fingerprint", 23)
            << "author\n";
  for (const FileResult& result : results) {
    std::cout << cell(std::filesystem::path(result.file).filename().string(), widest);
    if (result.problem) {
      std::cout << result.problem->problem() << '\n';
      continue;
    }
    const auto bad = result.count(report::Verdict::Differs) + result.count(report::Verdict::Fails);
    std::cout << cell(std::to_string(result.pagesDone(&CheckedPage::said_done)) + '/' +
                          std::to_string(result.checked.pages.size()),
                      7)
              << cell(std::to_string(result.checked.items.size()), 7)
              << cell(std::to_string(result.count(report::Verdict::Agrees)), 5)
              << cell(std::to_string(bad), 6) << cell(awayText(result), 6)
              << cell(result.isSound() ? "yes" : "no", 5) << cell(result.checked.fingerprint, 23)
              << result.checked.author << '\n';
  }
}

int runReport(const ReportArguments& o) {
  AllResult all;
  for (const std::filesystem::path& file : filesOf(o.paths)) all.reports.push_back(checked(file));
  if (all.reports.size() == 1 && all.reports.front().problem) throw *all.reports.front().problem;
  if (o.json)
    printJson(jsonOf(allRows(), all));
  else if (all.reports.size() == 1)
    printOne(all.reports.front());
  else
    printTable(all.reports);
  return std::ranges::all_of(all.reports, &FileResult::isSound) ? kDone : kFailed;
}

}  // namespace

Action prepareReport(CLI::App& app) {
  const auto o = std::make_shared<ReportArguments>();
  addChoice(app, "action", o->action, {"check"},
            "check: compute the numbers of reports anew, and judge their answers")
      ->required();
  app.add_option("paths", o->paths, "Reports (.html), or folders with them")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, o->json);
  app.footer(paragraph(
      "A report holds the models that its figures show. check computes the figures' numbers from "
      "them and compares (agrees, differs); what was measured during training is compared with the "
      "model's history (recorded); other figures stay as drawn. Answers to a lesson are judged as "
      "the window judges them, on the model in the report. Of several reports, one line each. Exit "
      "code 1 if a number differs or a page was edited. A report is no proof of who made it. With "
      "--json: " +
      membersOf(allRows()) + "."));
  return [o] { return runReport(*o); };
}

}  // namespace tfm::cli
