// SPDX-License-Identifier: GPL-3.0-or-later
// Aggregating measurements of submodels, as numbers and texts.
#include <QTest>

#include "tests/test_program.h"
#include "tests/ui/elastic/sample_scores.h"
#include "ui/elastic/elastic_mark.h"
#include "ui/elastic/figure_caption.h"
#include "ui/elastic/score_columns.h"

using namespace tfm::ui;

namespace {

using enum ElasticKind;

QStringList namesOf(const std::vector<ElasticMark>& marks, const std::vector<std::size_t>& places) {
  QStringList names;
  for (const std::size_t place : places) names << marks[place].name;
  return names;
}

}  // namespace

class TestElasticMarks : public QObject {
  Q_OBJECT

 private slots:
  void aBeatenSubmodelIsNotOnTheLine() {
    std::vector<ElasticPoint> points{pointOf(Trained, "S", {8, 8}, 70, 100),
                                     pointOf(Mixed, "8,16", {8, 16}, 69, 100),
                                     pointOf(Trained, "M", {16, 16}, 75, 100)};
    std::vector<ElasticMark> marks = marksOf(points);
    QCOMPARE(namesOf(marks, frontOf(marks, CostAxis::Parameters)), QStringList({"S", "M"}));
    points[1].score.answers.right = 72;
    marks = marksOf(points);
    QCOMPARE(namesOf(marks, frontOf(marks, CostAxis::Parameters)), QStringList({"S", "8,16", "M"}));
  }

  void aSeparateModelIsNeverOnTheLine() {
    const std::vector<ElasticMark> marks = marksOf(std::vector{
        pointOf(Trained, "S", {8, 8}, 70, 100), pointOf(Separate, "S", {8, 8}, 99, 100)});
    const std::vector<std::size_t> front = frontOf(marks, CostAxis::Parameters);
    QCOMPARE(front.size(), std::size_t(1));
    QCOMPARE(marks[front[0]].kind, Trained);
  }

  void theLineIsOfTheGivenCost() {
    std::vector<ElasticPoint> points{pointOf(Trained, "S", {8, 8}, 70, 100),
                                     pointOf(Trained, "M", {16, 16}, 75, 100)};
    points[0].score.milliseconds = 2;
    points[1].score.milliseconds = 1;
    const std::vector<ElasticMark> marks = marksOf(points);
    QCOMPARE(frontOf(marks, CostAxis::Operations).size(), std::size_t(2));
    QCOMPARE(namesOf(marks, frontOf(marks, CostAxis::Milliseconds)), QStringList{"M"});
  }

  void theIntervalComesFromTheCounts() {
    // Wilson (1927) by hand: (p + z^2/2n -+ z sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n).
    const auto of = [](std::int64_t right, std::int64_t examples) {
      return marksOf(std::vector{pointOf(Trained, "S", {8}, right, examples)})[0].interval;
    };
    QVERIFY(std::abs(of(80, 100).low - 0.71117) < 1e-4);
    QVERIFY(std::abs(of(80, 100).high - 0.86663) < 1e-4);
    QVERIFY(of(1600, 2000).low > 0.78);  // more examples, a shorter bar
    QCOMPARE(of(100, 100).high, 1.0);
  }

  void seedsBecomeOneMarkWithMeanAndDeviation() {
    const std::vector<ElasticMark> marks = marksOf(
        std::vector{pointOf(Trained, "S", {8}, 70, 100, 1), pointOf(Trained, "S", {8}, 80, 100, 2),
                    pointOf(Trained, "S", {8}, 90, 100, 3)});
    QCOMPARE(marks.size(), std::size_t(1));
    QVERIFY(std::abs(marks[0].accuracy.mean - 0.8) < 1e-12);
    QVERIFY(std::abs(marks[0].accuracy.deviation - 0.1) < 1e-12);
    // Three seeds do not turn 100 examples into 300.
    QVERIFY(std::abs(marks[0].interval.low - 0.71117) < 1e-4);
    QCOMPARE(meanText(marks[0].accuracy, marks[0].seeds.size()), QString("0.800 ± 0.100"));
    QCOMPARE(seedsText(marks[0].seeds), QString("seeds 1, 2, 3"));
  }

  void aRepeatedSeedCountsOnce() {
    const std::vector<ElasticMark> marks = marksOf(
        std::vector{pointOf(Mixed, "8", {8}, 7, 10, 1), pointOf(Mixed, "8", {8}, 160, 200, 1)});
    QCOMPARE(marks.size(), std::size_t(1));
    QCOMPARE(marks[0].seeds.size(), std::size_t(1));
    QCOMPARE(marks[0].examples, 200);
    QCOMPARE(meanText(marks[0].accuracy, 1), QString("0.800"));
  }

  void granularitiesAreNamedFromTheSmallest() {
    const std::vector<ElasticMark> marks = marksOf(sampleScores());
    QCOMPARE(granularityNames(marks), QStringList({"S", "M", "L", "XL"}));
    QCOMPARE(marks.size(), std::size_t(4 + 4 + 9));
  }

  void equalWidthsAreAbbreviated() {
    QCOMPARE(widthsText({{64, 64, 64}, {}}), QString("64 × 3"));
    QCOMPARE(widthsText({{16, 64, 64}, {}}), QString("16 · 64 · 64"));
    QCOMPARE(widthsText({{64}, {}}), QString("64"));
    QCOMPARE(widthsText({{64, 64}, {1, 2}}), QString("64 × 2, heads 1 · 2"));
  }

  void theCaptionSaysWhatWasMeasured() {
    const std::vector<ElasticMark> marks = marksOf(sampleScores());
    QCOMPARE(captionOf(marks, "sentiment", 1000).text(),
             QString("sentiment · 1000 steps · seeds 1, 2, 3 · 2000 held-out examples"));
    QVERIFY(FigureCaption().text().isEmpty());
    const std::vector<ElasticMark> unlike =
        marksOf(std::vector{pointOf(Mixed, "8", {8}, 7, 10), pointOf(Mixed, "9", {9}, 7, 20)});
    QCOMPARE(captionOf(unlike, {}, 0).text(), QString("seed 1 · 10 to 20 held-out examples"));
  }

  void theFileHasEveryPointInFullPrecision() {
    const DataTable table = pointTable(std::vector{pointOf(Separate, "S", {8, 16}, 1, 3, 7)});
    const auto field = [&](const QString& column) {
      return table.rows[0][table.columns.indexOf(column)];
    };
    QCOMPARE(table.rows[0].size(), table.columns.size());
    QCOMPARE(field("kind"), QString("separate"));
    QCOMPARE(field("seed"), QString("7"));
    QCOMPARE(field("widths"), QString("8,16"));
    QCOMPARE(field("right"), QString("1"));
    QCOMPARE(field("accuracy").toDouble(), 1.0 / 3);
    QCOMPARE(field("accuracy_high").toDouble(), tfm::train::wilsonInterval({1, 3}).high);
  }
};

TFM_TEST(TestElasticMarks)
#include "test_elastic_marks.moc"
