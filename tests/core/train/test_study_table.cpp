// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/study_table.h"

#include <QTest>

#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

const std::string kHeader = "arm\tseed\tstep\tloss\taccuracy\tflops\tseconds\tparameters\n";

StudyResult sample() {
  StudyResult result;
  result.runs = {
      {StudyArm::Grown, 3, {{10, 1.0 / 3.0, 0.1, 1e9 / 7.0, 0.25, 40}, {20, 0.2, 0.5, 4e9, 1, 90}}},
      {StudyArm::FromScratch, 3, {{10, 2.5e-17, 1.0, 2e9, 0.5, 90}}}};
  return result;
}

}  // namespace

class TestStudyTable : public QObject {
  Q_OBJECT

 private slots:
  void whatIsSavedIsReadAgainToTheLastBit() {
    const StudyResult result = sample();
    const std::string table = toTsv(result);
    QVERIFY(table.starts_with(kHeader + "grown\t3\t10\t0.3333333333333333\t0.1\t"));
    const StudyResult again = studyFromTsv(table, "table");
    QCOMPARE(again.runs.size(), result.runs.size());
    for (std::size_t i = 0; i < result.runs.size(); ++i) {
      QVERIFY(again.runs[i].arm == result.runs[i].arm);
      QCOMPARE(again.runs[i].seed, result.runs[i].seed);
      QVERIFY(again.runs[i].points == result.runs[i].points);
    }
    QCOMPARE(toTsv(again), table);
  }

  void linesOfWindowsEditorsAreRead() {
    QCOMPARE(studyFromTsv(kHeader + "grown\t1\t5\t1\t0\t2\t3\t4\r\n\r\n", "table").runs.size(),
             std::size_t{1});
  }

  void growthsAreWhereParametersBecomeMore() {
    QVERIFY(growthSteps(sample()) == std::vector<std::int64_t>{10});
    StudyResult scratch = sample();
    scratch.runs.erase(scratch.runs.begin());
    QVERIFY(growthSteps(scratch).empty());
  }

  void badTables_data() {
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("nothing") << QByteArray() << QByteArray("no measurement");
    QTest::newRow("columns") << QByteArray("grown\t1\t5\n") << QByteArray("3 columns instead of 8");
    QTest::newRow("arm") << QByteArray("other\t1\t5\t1\t0\t2\t3\t4") << QByteArray("arm is");
    QTest::newRow("seed") << QByteArray("grown\t-1\t5\t1\t0\t2\t3\t4") << QByteArray("seed is");
    QTest::newRow("step") << QByteArray("grown\t1\t0\t1\t0\t2\t3\t4") << QByteArray("step is");
    QTest::newRow("half a step") << QByteArray("grown\t1\t1.5\t1\t0\t2\t3\t4")
                                 << QByteArray("step is");
    QTest::newRow("loss") << QByteArray("grown\t1\t5\tnan\t0\t2\t3\t4") << QByteArray("loss is");
    QTest::newRow("accuracy") << QByteArray("grown\t1\t5\t1\t1.01\t2\t3\t4")
                              << QByteArray("accuracy is");
    QTest::newRow("flops") << QByteArray("grown\t1\t5\t1\t0\tinf\t3\t4") << QByteArray("flops is");
    QTest::newRow("seconds") << QByteArray("grown\t1\t5\t1\t0\t2\t-3\t4")
                             << QByteArray("seconds is");
    QTest::newRow("parameters") << QByteArray("grown\t1\t5\t1\t0\t2\t3\t")
                                << QByteArray("parameters is");
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
        errorOf([&] { studyFromTsv(kHeader + rows.toStdString(), "table.tsv"); });
    QVERIFY2(message.contains(words) && message.contains("table.tsv"), message.constData());
  }

  void otherFilesAreRefused() {
    TFM_VERIFY_ERROR(studyFromTsv("", "table"), "no measurement");
    TFM_VERIFY_ERROR(studyFromTsv("Go.\tVa !\n", "table"), "2 columns");
    TFM_VERIFY_ERROR(studyFromTsv("a\tb\tc\td\te\tf\tg\th\n", "table"), "the columns are not");
  }
};

TFM_TEST(TestStudyTable)
#include "test_study_table.moc"
