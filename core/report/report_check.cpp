// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_check.h"

#include <algorithm>
#include <array>

#include "core/document/fingerprint.h"
#include "core/lesson/desk.h"
#include "core/lesson/lesson_check.h"
#include "core/report/report_html.h"

namespace tfm::report {
namespace {

constexpr std::array<std::string_view, 5> kVerdicts{"agrees", "recorded", "as drawn", "differs",
                                                    "fails"};

CheckedItem checkedItem(const Report& report, const Item& item) {
  CheckedItem checked{item.title};
  checked.problem = problemOf([&] {
    const train::Document document = documentOf(report, item.shown);
    const SourceKind* kind = kindOf(item.source);
    if (kind == nullptr) return;
    checked.difference = differenceOf(item.numbers, numbersOf(document, item.source));
    const bool same =
        checked.difference <= kAgree && item.fingerprint == train::fingerprintOf(document).text();
    checked.verdict = !same            ? Verdict::Differs
                      : kind->recorded ? Verdict::Recorded
                                       : Verdict::Agrees;
  });
  if (checked.problem) checked.verdict = Verdict::Fails;
  return checked;
}

std::vector<CheckedPage> checkedPages(const lesson::Lesson& lesson,
                                      const lesson::Progress& progress, const lesson::Desk& desk) {
  std::vector<CheckedPage> pages;
  for (std::size_t i = 0; i < std::min(lesson.pages.size(), progress.pages.size()); ++i) {
    const lesson::Page& page = lesson.pages[i];
    if (!page.asks() && !page.prediction) continue;
    lesson::PageProgress now = progress.pages[i];
    CheckedPage checked{page.title, now.prediction, now.answer, {}, now.done};
    const auto right = lesson::rightAnswerOn(page, desk);
    checked.right = right.value_or(std::string());
    now.done = false;
    checked.done_now = lesson::isDone(page, desk.situation(), now, right);
    pages.push_back(std::move(checked));
  }
  return pages;
}

}  // namespace

std::string_view verdictName(Verdict verdict) { return kVerdicts[std::size_t(verdict)]; }

bool CheckedReport::isSound() const {
  return !edited && std::ranges::none_of(items, [](const CheckedItem& item) {
    return item.verdict == Verdict::Differs || item.verdict == Verdict::Fails;
  });
}

CheckedReport check(std::string_view html, const std::string& where) {
  const Report report = reportFromHtml(html, where);
  CheckedReport checked{report.title, report.author};
  checked.edited = toHtml(report) != html;
  for (const Item& item : report.items) {
    checked.items.push_back(checkedItem(report, item));
    checked.fingerprint = item.fingerprint;
  }
  if (!report.lesson) return checked;
  const lesson::Lesson lesson = lesson::readLesson(report.lesson->text, report.lesson->file).lesson;
  checked.lesson = lesson.title;
  const lesson::Desk desk(documentOf(report, report.lesson->shown));
  if (checked.fingerprint.empty())
    checked.fingerprint = train::fingerprintOf(desk.document()).text();
  checked.absences = report.lesson->progress.absences;
  checked.pages = checkedPages(lesson, report.lesson->progress, desk);
  return checked;
}

}  // namespace tfm::report
