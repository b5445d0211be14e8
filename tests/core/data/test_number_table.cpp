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
    for (const char* other :
         {"text,label\na,b\n", "x1,x2\n1,2\n", "xenon,yes\n1,2\n", "x1\ty1\n", "", "\n"})
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
