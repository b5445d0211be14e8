// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "core/io/csv.h"
#include "core/io/read_file.h"
#include "tests/test_program.h"

using namespace tfm::io;

class TestCsv : public QObject {
  Q_OBJECT

 private slots:
  void quotesWhatNeedsIt();
  void numbersRoundTrip();
  void refusesRowsOfOtherLength();
  void savesTheTable();
};

void TestCsv::quotesWhatNeedsIt() {
  CsvTable table({"plain", "with, comma", "with \"quotes\""});
  table.addRow({"a b", "line\nbreak", ""});
  QCOMPARE(table.text(),
           std::string("plain,\"with, comma\",\"with \"\"quotes\"\"\"\na b,\"line\nbreak\",\n"));
}

void TestCsv::numbersRoundTrip() {
  // Where a locale with a decimal comma is installed, it must change nothing.
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  const double precise = 0.1 + 0.2;
  CsvTable table({"d", "f", "i", "n"});
  table.addRow({precise, 0.1F, std::int64_t{-5}, std::nan("")});
  table.addRow({1e-300, std::numeric_limits<float>::max(), 7, -INFINITY});
  std::setlocale(LC_NUMERIC, "C");
  QCOMPARE(table.text(), std::string("d,f,i,n\n0.30000000000000004,0.1,-5,nan\n"
                                     "1e-300,3.4028235e+38,7,-inf\n"));
  QCOMPARE(std::strtod(table.text().c_str() + 8, nullptr), precise);
}

void TestCsv::refusesRowsOfOtherLength() {
  CsvTable table({"a", "b"});
  QVERIFY_EXCEPTION_THROWN(table.addRow({1.0}), std::logic_error);
}

void TestCsv::savesTheTable() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.csv").toStdString();
  CsvTable table({"step", "loss"});
  table.addRow({1, 2.5});
  table.save(path);
  QCOMPARE(readFile(path, 100), std::string("step,loss\n1,2.5\n"));
}

TFM_TEST(TestCsv)
#include "test_csv.moc"
