// SPDX-License-Identifier: GPL-3.0-or-later
// A report reads back as it was written, its numbers are those of the model in it, and a changed
// number, answer or word is found.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/document/shown_snapshot.h"
#include "core/io/base64.h"
#include "core/lesson/desk.h"
#include "core/observe/explainer.h"
#include "core/report/report_check.h"
#include "core/report/report_html.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::report;

namespace {

constexpr const char* kMaps = "*attention.probabilities";
const std::filesystem::path kLessons =
    std::filesystem::path(TFM_TEST_DATA).parent_path() / "resources" / "lessons";

train::Document rot13(const std::string& text) {
  lesson::Lesson lesson;
  lesson.start = "../documents/rot13.safetensors";
  lesson.text = text;
  return startOf(lesson, lesson::filesIn(kLessons));
}

Item drawn(const std::string& title, const Source& source) {
  Item item;
  item.title = title;
  item.picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
  item.table = {{"name", "value"}, {{"a, \"b\" </script>", "0.5"}}};
  item.source = source;
  return item;
}

/// A report with a figure of each kind.
Report example() {
  const train::Document document = rot13("there");
  Report report{"Attention & me <3", "Ada"};
  for (const Source& source :
       {Source{"tensors", kMaps, "decoder.layers.0.cross_attention.probabilities[2]"},
        Source{"tensors", "output.weight"}, Source{"explanation", "output[1, 2]"},
        Source{"history", ""}, Source{}})
    report.items.push_back(itemOf(document, drawn("Figure of " + source.kind, source), report));
  report.items[1].note = "I see\na line";
  return report;
}

std::vector<Verdict> verdictsOf(const CheckedReport& checked) {
  std::vector<Verdict> verdicts;
  for (const CheckedItem& item : checked.items) verdicts.push_back(item.verdict);
  return verdicts;
}

}  // namespace

class TestReport : public QObject {
  Q_OBJECT

 private slots:
  void base64IsThatOfTheStandard() {
    // RFC 4648, section 10.
    for (const auto& [bytes, text] : std::map<std::string, std::string>{{"", ""},
                                                                        {"f", "Zg=="},
                                                                        {"fo", "Zm8="},
                                                                        {"foo", "Zm9v"},
                                                                        {"foob", "Zm9vYg=="},
                                                                        {"fooba", "Zm9vYmE="},
                                                                        {"foobar", "Zm9vYmFy"}}) {
      QCOMPARE(io::toBase64(bytes), text);
      QCOMPARE(io::fromBase64(text, "here"), bytes);
    }
    std::string all;
    for (int c = 0; c < 256; ++c) all += char(c);
    QCOMPARE(io::fromBase64(io::toBase64(all), "here"), all);
    for (const char* bad : {"Zg=", "Zg", "Z===", "Zm9*", "Zg==Zg=="})
      QVERIFY_THROWS_EXCEPTION(Error, io::fromBase64(bad, "here"));
  }

  void readsBackAsWritten() {
    const Report report = example();
    QCOMPARE(report.models.size(), std::size_t(1));  // five figures of one model
    const std::string html = toHtml(report);
    const Report again = reportFromHtml(html, "here");
    QVERIFY(again == report);
    QVERIFY(toHtml(again) == html);
    const CheckedReport checked = check(html, "here");
    QVERIFY(!checked.edited);
    QVERIFY(checked.isSound());
    QCOMPARE(verdictsOf(checked), (std::vector{Verdict::Agrees, Verdict::Agrees, Verdict::Agrees,
                                               Verdict::Recorded, Verdict::Drawn}));
  }

  /// The numbers of a map and of an explanation, computed another way.
  void numbersAreTheModels() {
    const train::Document document = rot13("there");
    const auto maps = numbersOf(document, {"tensors", kMaps});
    QCOMPARE(maps.size(), std::size_t(3));  // encoder, decoder, and the decoder at the encoder
    for (const Block& map : maps) {
      QCOMPARE(map.shape.size(), std::size_t(3));
      const auto keys = std::size_t(map.shape[2]);
      for (std::size_t row = 0; row < map.values.size(); row += keys) {
        double sum = 0.0;
        for (std::size_t key = 0; key < keys; ++key) sum += map.values[row + key];
        QVERIFY(std::abs(sum - 1.0) < 1e-5);
      }
      QCOMPARE(map.rows.size(), std::size_t(map.shape[1]));
      QCOMPARE(map.cols.size(), keys);
    }
    const auto explained = numbersOf(document, {"explanation", "output[1, 2]"});
    double sum = 0.0;
    for (const double term : explained[1].values) sum += term;
    QVERIFY(std::abs(sum - explained[0].values[0]) < 1e-4);
    const auto seen = train::shownSnapshot(document, "output");
    QVERIFY(std::abs(double(seen->observed.at("output").at(1, 2)) - explained[0].values[0]) < 1e-5);
    QVERIFY_THROWS_EXCEPTION(Error, numbersOf(document, {"explanation", "output[1, 999]"}));
    QVERIFY(numbersOf(document, {"weather", ""}).empty());
  }

  /// What is shown of two moments, and what is off, opens and computes again.
  void statesComeBack() {
    train::Document document = rot13("there");
    auto first = std::make_shared<ModelState>(document.state);
    document.state.step += 1;
    for (float& parameter : document.state.parameters) parameter *= 1.01F;
    document.window.pins[0] = train::Moment{std::make_shared<ModelState>(document.state), 0, false};
    document.window.pins[1] = train::Moment{std::move(first), 0, false};
    document.window.shown = train::WindowState::Shown::Difference;
    Report report{"Two moments"};
    report.items.push_back(itemOf(document, drawn("A - B", {"tensors", kMaps, "", true}), report));
    lesson::Desk desk(rot13("hello"));
    desk.intervene("decoder.layers.0.cross_attention.head.0=0");
    report.items.push_back(
        itemOf(desk.document(), drawn("Head 1 off", {"tensors", "output"}), report));
    QCOMPARE(report.models.size(), std::size_t(2));
    // What is off counts.
    QVERIFY(differenceOf(report.items[1].numbers,
                         numbersOf(rot13("hello"), report.items[1].source)) > kAgree);

    const Report again = reportFromHtml(toHtml(report), "here");
    const train::Document difference = documentOf(again, again.items[0].shown);
    QVERIFY(difference.window.shown == train::WindowState::Shown::Difference);
    QCOMPARE(difference.window.pins[1]->step(), document.state.step - 1);
    // The rows of a difference of maps add up to 0, and they are not all 0.
    const Block& map = again.items[0].numbers[0];
    double most = 0.0, sum = 0.0;
    for (std::int64_t key = 0; key < map.shape[2]; ++key) {
      sum += map.values[std::size_t(key)];
      most = std::max(most, std::abs(map.values[std::size_t(key)]));
    }
    QVERIFY(most > 1e-5 && std::abs(sum) < 1e-5);
    QCOMPARE(documentOf(again, again.items[1].shown).interventions.size(), std::size_t(1));
    QVERIFY(check(toHtml(again), "here").isSound());

    report.items.erase(report.items.begin());
    dropUnused(report);
    QCOMPARE(report.models.size(), std::size_t(1));
    QVERIFY(check(toHtml(report), "here").isSound());
  }

  /// Negative controls: each change is found, and nothing else.
  void changesAreFound() {
    Report report = example();
    double& number = report.items[0].numbers[0].values[3];
    const double own = number;
    number += 1e-3;
    CheckedReport checked = check(toHtml(report), "here");
    QVERIFY(checked.items[0].verdict == Verdict::Differs && !checked.isSound());
    QVERIFY(checked.items[1].verdict == Verdict::Agrees && !checked.edited);
    number = own + 1e-6;  // as another processor may round
    QVERIFY(check(toHtml(report), "here").isSound());
    number = own;

    report.items[3].numbers[0].values[1] *= 0.5;
    QVERIFY(check(toHtml(report), "here").items[3].verdict == Verdict::Differs);
    report = example();
    report.items[0].fingerprint = "lusab babad gutih tugad";
    QVERIFY(check(toHtml(report), "here").items[0].verdict == Verdict::Differs);
    report = example();
    report.items[2].source.of = "output[1, 999]";
    checked = check(toHtml(report), "here");
    QVERIFY(checked.items[2].verdict == Verdict::Fails && checked.items[2].problem);
    report = example();
    report.items[1].shown.model = 7;
    QVERIFY(check(toHtml(report), "here").items[1].verdict == Verdict::Fails);

    std::string html = toHtml(example());
    const std::string caption = "Step 600.";
    html.replace(html.find(caption), caption.size(), "Step 900.");
    QVERIFY(check(html, "here").edited);
  }

  void badFilesAreRefused() {
    const std::string html = toHtml(example());
    QVERIFY(isReport(html));
    QVERIFY(!isReport("<!DOCTYPE html><title>Weather</title>"));
    const auto with = [&](const std::string& what, const std::string& other) {
      std::string changed = html;
      const std::size_t at = changed.find(what);
      if (at == std::string::npos) qFatal("%s", what.c_str());
      return changed.replace(at, what.size(), other);
    };
    for (const std::string& bad :
         {std::string("<html></html>"), html.substr(0, html.size() / 2),
          with("\"format\":\"transformarium report\"", "\"format\":\"poem\""),
          with("\"values\":[", "\"values\":[\"x\","), with("\"model\":0", "\"model\":-1"),
          with("\"models\":[\"", "\"models\":[\"*"), with("picture-3", "picture-x"),
          with("\"columns\":[", "\"columns\":[7,")}) {
      const auto problem = problemOf([&] { reportFromHtml(bad, "here"); });
      QVERIFY(problem && problem->where().starts_with("here") && !problem->hint().empty());
    }
  }

  /// Answers are judged as in the window, on the model that was handed in.
  void answersAreJudged() {
    const std::string text = R"(---
title: Short
needs: nothing
goals: [one]
minutes: 1
start: preset tiny
---
# How many parameters?
```page
part: question
question:
  ask: How many?
  right: "{parameters}"
```
# Train
```page
do: Train
check: at least 900 steps of training
```
)";
    Report report{"Mine"};
    LessonAnswers answers{"short.lesson.md", text};
    const lesson::Lesson lesson = lesson::readLesson(text, answers.file).lesson;
    QCOMPARE(lesson.pages.size(), std::size_t(2));
    const train::Document document = rot13("there");
    answers.progress.pages.resize(2);
    answers.progress.pages[0].answer = std::to_string(document.state.layout.total);
    answers.progress.pages[0].done = true;
    answers.progress.pages[1].done = false;
    answers.shown = keep(document, report);
    report.lesson = answers;
    CheckedReport checked = check(toHtml(report), "here");
    QVERIFY(!checked.edited);
    QCOMPARE(checked.pages.size(), std::size_t(2));
    QCOMPARE(checked.pages[0].right, answers.progress.pages[0].answer);
    QVERIFY(checked.pages[0].done_now);
    // The student says that it is done, with a wrong answer.
    report.lesson->progress.pages[0].answer = "12";
    checked = check(toHtml(report), "here");
    QVERIFY(checked.pages[0].said_done && !checked.pages[0].done_now);
  }
};

TFM_TEST(TestReport)
#include "test_report.moc"
