// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/growth_study.h"

#include <QTest>
#include <algorithm>

#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

const std::string kHeader = "arm\tseed\tstep\tloss\taccuracy\tflops\tseconds\tparameters\n";

StudyCurves sample() {
  return {{{kGrown, 3, 10, 1.0 / 3.0, 0.1, 1e9 / 7.0, 0.25, 40},
           {kGrown, 3, 20, 0.2, 0.5, 4e9, 1, 90},
           {kFromScratch, 3, 10, 2.5e-17, 1.0, 2e9, 0.5, 90}}};
}

}  // namespace

class TestStudyTable : public QObject {
  Q_OBJECT

 private slots:
  void whatIsSavedIsReadAgainToTheLastBit() {
    const std::string table = toTsv(sample());
    QVERIFY(table.starts_with(kHeader + "grown\t3\t10\t0.3333333333333333\t0.1\t"));
    const StudyCurves again = curvesFromTsv(table, "table");
    QVERIFY(again.points == sample().points);
    QCOMPARE(toTsv(again), table);
  }

  void countedPositionsHaveTheirOwnName() {
    StudyCurves curves = sample();
    for (StudyPoint& point : curves.points) point.by_position = true;
    const std::string table = toTsv(curves);
    QVERIFY(table.starts_with("arm\tseed\tstep\tloss\tposition_accuracy\tflops\t"));
    QVERIFY(curvesFromTsv(table, "table").points == curves.points);
    const std::vector<std::string> columns = tableOf(spreadOf(curves)).columns;
    QVERIFY(std::ranges::count(columns, "position_accuracy_mean") == 1);
    QVERIFY(std::ranges::count(columns, "accuracy_mean") == 0);
    TFM_VERIFY_ERROR(curvesFromTsv("arm\tseed\tstep\tloss\tsome_accuracy\tflops\tseconds\t"
                                   "parameters\n",
                                   "table"),
                     "the columns are not");
  }

  void linesOfWindowsEditorsAreRead() {
    QCOMPARE(curvesFromTsv(kHeader + "grown\t1\t5\t1\t0\t2\t3\t4\r\n\r\n", "table").points.size(),
             std::size_t{1});
  }

  void growthsAreWhereParametersBecomeMore() {
    QVERIFY(growthSteps(sample()) == std::vector<std::int64_t>{10});
    StudyCurves scratch = sample();
    scratch.points.erase(scratch.points.begin(), scratch.points.begin() + 2);
    QVERIFY(growthSteps(scratch).empty());
  }

  void badTables_data() {
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("nothing") << QByteArray() << QByteArray("no measurement");
    QTest::newRow("columns") << QByteArray("grown\t1\t5\n") << QByteArray("3 columns instead of 8");
    QTest::newRow("arm") << QByteArray("\t1\t5\t1\t0\t2\t3\t4") << QByteArray("arm has a value");
    QTest::newRow("seed") << QByteArray("grown\t-1\t5\t1\t0\t2\t3\t4")
                          << QByteArray("seed has a value");
    QTest::newRow("step") << QByteArray("grown\t1\t0\t1\t0\t2\t3\t4")
                          << QByteArray("step has a value");
    QTest::newRow("half a step") << QByteArray("grown\t1\t1.5\t1\t0\t2\t3\t4")
                                 << QByteArray("step has a value");
    QTest::newRow("loss") << QByteArray("grown\t1\t5\tnan\t0\t2\t3\t4")
                          << QByteArray("loss has a value");
    QTest::newRow("accuracy") << QByteArray("grown\t1\t5\t1\t1.01\t2\t3\t4")
                              << QByteArray("accuracy has a value");
    QTest::newRow("flops") << QByteArray("grown\t1\t5\t1\t0\tinf\t3\t4")
                           << QByteArray("flops has a value");
    QTest::newRow("seconds") << QByteArray("grown\t1\t5\t1\t0\t2\t-3\t4")
                             << QByteArray("seconds has a value");
    QTest::newRow("parameters") << QByteArray("grown\t1\t5\t1\t0\t2\t3\t")
                                << QByteArray("parameters has a value");
    QTest::newRow("back") << QByteArray("grown\t1\t5\t1\t0\t2\t3\t4\ngrown\t1\t5\t1\t0\t2\t3\t4\n")
                          << QByteArray("line 3: the steps of a run do not increase");
    QTest::newRow("twice") << QByteArray(
                                  "grown\t1\t5\t1\t0\t2\t3\t4\ngrown\t2\t5\t1\t0\t2\t3\t4\n"
                                  "grown\t1\t6\t1\t0\t2\t3\t4\n")
                           << QByteArray("line 4: the lines of a run");
  }
  void badTables() {
    QFETCH(QByteArray, rows);
    QFETCH(QByteArray, words);
    const QByteArray message =
        errorOf([&] { curvesFromTsv(kHeader + rows.toStdString(), "table.tsv"); });
    QVERIFY2(message.contains(words) && message.contains("table.tsv"), message.constData());
  }

  void otherFilesAreRefused() {
    TFM_VERIFY_ERROR(curvesFromTsv("", "table"), "no measurement");
    TFM_VERIFY_ERROR(curvesFromTsv("Go.\tVa !\n", "table"), "2 columns");
    TFM_VERIFY_ERROR(curvesFromTsv("a\tb\tc\td\te\tf\tg\th\n", "table"), "the columns are not");
  }
};

TFM_TEST(TestStudyTable)
#include "test_study_table.moc"
