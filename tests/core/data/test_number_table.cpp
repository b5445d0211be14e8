// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>
#include <vector>

#include "core/data/number_table.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;

namespace {

/// Two sequences of two positions, two numbers each, one number to answer with at each position.
NumberTable smallTable() {
  return {.sequences = 2,
          .positions = 2,
          .input_width = 2,
          .target_width = 1,
          .inputs = {1, 2, 3, 4, 0.5, -6, 7, 8},
          .targets = {10, 20, 30, 40}};
}

io::NamedTensors arrays(std::vector<std::int64_t> inputs, std::vector<std::int64_t> targets) {
  const auto filled = [](std::vector<std::int64_t> shape) {
    std::int64_t size = 1;
    for (const std::int64_t dimension : shape) size *= dimension;
    const std::vector<double> numbers(std::size_t(size), 1.5);
    return io::makeTensor(std::move(shape), std::span<const double>(numbers));
  };
  return {{"inputs", filled(std::move(inputs))}, {"targets", filled(std::move(targets))}};
}

}  // namespace

class TestNumberTable : public QObject {
  Q_OBJECT

 private slots:
  void aTextReadsBack() {
    const NumberTable table = smallTable();
    QCOMPARE(QString::fromStdString(numberTableText(table)),
             QStringLiteral("sequence,x1,x2,y1\n1,1,2,10\n1,3,4,20\n2,0.5,-6,30\n2,7,8,40\n"));
    QVERIFY(parseNumberTable(numberTableText(table), "t") == table);
    NumberTable one = table;
    one.one_target = true;
    one.targets = {10, 20};
    QVERIFY(parseNumberTable(numberTableText(one), "t") == one);
    QVERIFY(!(one == table));
    NumberTable third = table;
    third.inputs[0] = double(1.0F / 3.0F);  // a float: read back to the last bit
    QCOMPARE(float(parseNumberTable(numberTableText(third), "t").inputs[0]), 1.0F / 3.0F);
  }

  void withoutSequencesEachRowIsOne() {
    const NumberTable table = parseNumberTable("y1,x1\n1,2\n3,4\n", "t");
    QCOMPARE(table.sequences, 2);
    QCOMPARE(table.positions, 1);
    QVERIFY(!table.one_target);
    QCOMPARE(table.inputs, (std::vector<double>{2, 4}));
    QCOMPARE(table.targets, (std::vector<double>{1, 3}));
  }

  void columnsHaveTheirNumbers() {
    QCOMPARE(parseNumberTable("x2,y2,x1,y1\n1,2,3,4\n5,6,7,8\n", "t").inputs,
             (std::vector<double>{3, 1, 7, 5}));
    QCOMPARE(parseNumberTable("x2,y2,x1,y1\n1,2,3,4\n5,6,7,8\n", "t").targets,
             (std::vector<double>{4, 2, 8, 6}));
    std::string many = "x10,x9,x8,x7,x6,x5,x4,x3,x2,x01,y\n10,9,8,7,6,5,4,3,2,1,0\n";
    QCOMPARE(parseNumberTable(many, "t").inputs,
             (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    const auto parse = [](const char* csv) { parseNumberTable(csv, "t"); };
    TFM_VERIFY_ERROR(parse("x1,x1,y1\n1,2,3\n"), "column 1, \"x1\", and column 2, \"x1\"");
    TFM_VERIFY_ERROR(parse("x,x1,y1\n1,2,3\n"), "have the same name");
    TFM_VERIFY_ERROR(parse("x1,x3,y1\n1,2,3\n"), "column 2, \"x3\", but no x2");
    TFM_VERIFY_ERROR(parse("x0,x1,y1\n1,2,3\n"), "column 1, \"x0\"");
    TFM_VERIFY_ERROR(parse("x1,y2\n1,2\n"), "but no y1");
    TFM_VERIFY_ERROR(parse("x1,y99999999999999999999\n1,2\n"), "column 2");
    TFM_VERIFY_ERROR(parse("sequence,sequence,x1,y1\n1,2,3,4\n"), "two columns 'sequence'");
  }

  void numbersAreReadAsPeopleWriteThem_data() {
    QTest::addColumn<QByteArray>("cell");
    QTest::addColumn<QByteArray>("separator");
    QTest::addColumn<double>("number");
    const auto row = [](const char* cell, const char* separator, double number) {
      QTest::addRow("%s between %s", cell, separator)
          << QByteArray(cell) << QByteArray(separator) << number;
    };
    for (const char* separator : {",", ";", "\t"}) {
      row("+2.04092", separator, 2.04092);
      row("    2.040919", separator, 2.040919);
      row("-3.5  ", separator, -3.5);
      row("1e-400", separator, 0.0);
      row(".5", separator, 0.5);
    }
    for (const char* separator : {";", "\t"}) {
      row("2,040919", separator, 2.040919);
      row("-0,567", separator, -0.567);
      row("+1,5e2", separator, 150.0);
    }
    row("1,234", ";", 1.234);  // programs write semicolons since commas are decimal marks
  }

  void numbersAreReadAsPeopleWriteThem() {
    QFETCH(QByteArray, cell);
    QFETCH(QByteArray, separator);
    QFETCH(double, number);
    const QByteArray table = "x1" + separator + "y1\n" + cell + separator + "1\n";
    QCOMPARE(parseNumberTable(table.toStdString(), "t").inputs, std::vector<double>{number});
  }

  void unclearNumbersAreRefused() {
    const auto parse = [](const char* csv) { parseNumberTable(csv, "t"); };
    TFM_VERIFY_ERROR(parse("x1\ty1\n1,234\t5\n"), "may be a decimal mark");
    TFM_VERIFY_ERROR(parse("x1\ty1\n1,234\t0,5\n"), "no error");
    TFM_VERIFY_ERROR(parse("x1;y1\n1,5;2\n3;0.5\n"), "t, line 2: column 1 is \"1,5\", but line 3");
    TFM_VERIFY_ERROR(parse("x1;y1\n1.234,5;2\n"), "column 1 is \"1.234,5\"");
    TFM_VERIFY_ERROR(parse("x1;y1\n1,234,5;2\n"), "column 1 is \"1,234,5\"");
    TFM_VERIFY_ERROR(parse("x1,y1\n\"1,5\",2\n"), "column 1 is \"1,5\"");
    TFM_VERIFY_ERROR(parse("x1;y1\n1;2\n1;2;3\n"), "line 3");
    TFM_VERIFY_ERROR(parse("x1\ty1\n1\t2\n1\n"), "line 3");
  }

  void numbersBeyondFloatsAreRefused() {
    const auto parse = [](const std::string& cell) {
      parseNumberTable("x1,y1\n1,2\n3," + cell + "\n", "t");
    };
    TFM_VERIFY_ERROR(parse("1e39"), "t, line 3: column 2 is \"1e39\"");
    TFM_VERIFY_ERROR(parse("-3.5e38"), "no finite float");
    TFM_VERIFY_ERROR(parse("1e400"), "column 2 is \"1e400\"");
    TFM_VERIFY_ERROR(parse("3.4e38"), "no error");
    // A document that has such a number opens as before.
    QCOMPARE(parseNumberTable("x1,y1\n1,1e39\n", "t", true, ReadingRules::Kept).targets,
             std::vector<double>{1e39});
  }

  void whatIsNoTableIsRefused() {
    const auto parse = [](const char* csv) { parseNumberTable(csv, "t"); };
    TFM_VERIFY_ERROR(parse("x1,y1\n"), "no rows");
    TFM_VERIFY_ERROR(parse("x1,z\n1,2\n"), "a column");
    TFM_VERIFY_ERROR(parse("x1,x2\n1,2\n"), "no targets");
    TFM_VERIFY_ERROR(parse("y1,y2\n1,2\n"), "no inputs");
    TFM_VERIFY_ERROR(parse("x1,y1\n1,2\n1,two\n"), "line 3");
    TFM_VERIFY_ERROR(parse("x1,y1\n1,nan\n"), "finite number");
    TFM_VERIFY_ERROR(parse("sequence,x1,y1\na,1,2\na,1,2\nb,1,2\n"), "has 1 rows, the first one 2");
    TFM_VERIFY_ERROR(parse("sequence,x1,y1\na,1,2\nb,1,2\nb,1,2\nc,1,2\n"), "has 2 rows");
    TFM_VERIFY_ERROR(parse("sequence,x1,y1\na,1,2\na,1,\nb,1,2\nb,1,3\n"), "after the first");
    TFM_VERIFY_ERROR(parse("sequence,x1,y1\na,1,2\na,1,2\nb,1,2\nb,1,2\n"), "no error");
  }

  void arraysGiveTheirShapes() {
    const NumberTable each = numberTableOf(arrays({5, 3, 2}, {5, 3, 4}), "t");
    QCOMPARE(each.sequences, 5);
    QCOMPARE(each.positions, 3);
    QCOMPARE(each.input_width, 2);
    QCOMPARE(each.target_width, 4);
    QVERIFY(!each.one_target);
    QVERIFY(parseNumberTable(numberTableText(each), "t") == each);
    QVERIFY(numberTableOf(arrays({5, 3, 2}, {5, 4}), "t").one_target);
    QVERIFY(!numberTableOf(arrays({5, 2}, {5, 4}), "t").one_target);
    TFM_VERIFY_ERROR(numberTableOf(arrays({5, 3, 2}, {4, 3, 4}), "t"), "'targets' is");
    TFM_VERIFY_ERROR(numberTableOf(arrays({5, 3, 2}, {5, 2, 4}), "t"), "'targets' is");
    TFM_VERIFY_ERROR(numberTableOf(arrays({5}, {5, 4}), "t"), "'inputs' is");
    io::NamedTensors missing = arrays({5, 2}, {5, 4});
    missing.erase("targets");
    TFM_VERIFY_ERROR(numberTableOf(missing, "t"), "no array 'targets'");
    io::NamedTensors infinite = arrays({2, 1}, {2, 1});
    const std::vector<double> numbers{1.0, std::numeric_limits<double>::infinity()};
    infinite["inputs"] = io::makeTensor({2, 1}, std::span<const double>(numbers));
    TFM_VERIFY_ERROR(numberTableOf(infinite, "t"), "not finite");
  }

  void aHeaderTellsATable() {
    QVERIFY(isNumberTable("sequence,x1,y1\n1,2,3\n"));
    QVERIFY(isNumberTable("x1,y1"));
    QVERIFY(isNumberTable("x1\ty1\n"));
    QVERIFY(isNumberTable("sep=;\n X2;x1 ;y\n1;2;3\n"));
    QVERIFY(isNumberTable("\"sep=;\"\r\nx1;y1\r\n1;2\r\n"));
    QVERIFY(isNumberTable("sep=;\n\nx1;y1\n1;\"2\n"));
    for (const char* other :
         {"text,label\na,b\n", "x1,x2\n1,2\n", "xenon,yes\n1,2\n", "x1\ty\tz\n", "", "\n"})
      QVERIFY2(!isNumberTable(other), other);
  }

  void rowsAreShownBriefly() {
    const std::vector<double> numbers{0.5, -1.25, 2, 1.0 / 3.0};
    QCOMPARE(QString::fromStdString(numberRowsText(numbers, 2)),
             QStringLiteral("0.5 -1.25; 2 0.3333"));
  }
};

TFM_TEST(TestNumberTable)
#include "test_number_table.moc"
