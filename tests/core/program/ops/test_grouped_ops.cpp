// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <vector>

#include "core/backend/registry.h"
#include "core/program/ops/ops.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using tfm::MatrixView;

namespace {

using View = MatrixView<double>;

/// A map of all groups and its gradients.
struct Grouped {
  std::int64_t rows, groups, in, out;  ///< in, out: of a group
  std::vector<double> x, w, bias, dy;
  std::vector<double> y, dx, dw, dbias;

  Grouped(std::int64_t r, std::int64_t g, std::int64_t i, std::int64_t o)
      : rows(r),
        groups(g),
        in(i),
        out(o),
        x(tfm::test::drawnNumbers(r * g * i, 1)),
        w(tfm::test::drawnNumbers(g * o * i, 2)),
        bias(tfm::test::drawnNumbers(g * o, 3)),
        dy(tfm::test::drawnNumbers(r * g * o, 4)),
        y(dy.size()),
        dx(x.size()),
        dw(w.size()),
        dbias(bias.size()) {}

  View xOf(std::vector<double>& m) const { return {m.data(), rows, groups * in}; }
  View wOf(std::vector<double>& m) const { return {m.data(), groups * out, in}; }
  View bOf(std::vector<double>& m) const { return {m.data(), 1, groups * out}; }
  View yOf(std::vector<double>& m) const { return {m.data(), rows, groups * out}; }

  static void run(const tfm::Op& op, const std::any& arguments, tfm::OpCall<double> c) {
    c.op = &op;
    c.arguments = &arguments;
    const auto backend = tfm::makeBackend<double>();
    backend->forward(c);
    backend->backward(c);
  }
  void run(bool shuffle) {
    tfm::OpCall<double> c;
    c.inputs[0] = {xOf(x), {}, {xOf(dx), true}};
    c.inputs[1] = {wOf(w), {}, {wOf(dw), true}};
    c.inputs[2] = {bOf(bias), {}, {bOf(dbias), true}};
    c.outputs[0] = {yOf(y), yOf(dy)};
    run(tfm::ops::kGroupedLinear, tfm::GroupedLinearArguments{groups, shuffle}, c);
  }
  /// The same by a linear map a group.
  void runSideBySide() {
    for (std::int64_t g = 0; g < groups; ++g) {
      const auto inputs = [&](std::vector<double>& m) { return xOf(m).colsFrom(g * in, in); };
      const auto weights = [&](std::vector<double>& m) { return wOf(m).rowsFrom(g * out, out); };
      const auto biases = [&](std::vector<double>& m) { return bOf(m).colsFrom(g * out, out); };
      const auto outputs = [&](std::vector<double>& m) { return yOf(m).colsFrom(g * out, out); };
      tfm::OpCall<double> c;
      c.inputs[0] = {inputs(x), {}, {inputs(dx), true}};
      c.inputs[1] = {weights(w), {}, {weights(dw), true}};
      c.inputs[2] = {biases(bias), {}, {biases(dbias), true}};
      c.outputs[0] = {outputs(y), outputs(dy)};
      run(tfm::ops::kLinear, {}, c);
    }
  }
  std::vector<double> shuffled(const std::vector<double>& m) const {
    std::vector<double> result(m.size());
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t g = 0; g < groups; ++g)
        for (std::int64_t o = 0; o < out; ++o)
          result[std::size_t(r * groups * out + o * groups + g)] =
              m[std::size_t(r * groups * out + g * out + o)];
    return result;
  }
};

/// Shuffles one row, by a map whose groups are the identity.
std::vector<double> shuffledBy(std::int64_t groups, const std::vector<double>& row) {
  const std::int64_t each = std::int64_t(row.size()) / groups;
  Grouped map(1, groups, each, each);
  map.x = row;
  map.bias.assign(map.bias.size(), 0.0);
  for (std::int64_t r = 0; r < groups * each; ++r)
    for (std::int64_t c = 0; c < each; ++c) map.wOf(map.w).at(r, c) = r % each == c ? 1.0 : 0.0;
  map.run(true);
  return map.y;
}

}  // namespace

class TestGroupedOps : public QObject {
  Q_OBJECT

 private slots:
  void groupsAreLinearMapsSideBySide_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("in");
    QTest::addColumn<int>("out");
    QTest::newRow("small") << 5 << 3 << 7 << 9;
    QTest::newRow("four") << 13 << 4 << 5 << 11;
    QTest::newRow("by fours") << 9 << 8 << 3 << 18;
    QTest::newRow("by twos") << 66 << 6 << 4 << 17;
    QTest::newRow("more than tiles are made for") << 67 << 2 << 129 << 131;
  }
  void groupsAreLinearMapsSideBySide() {
    QFETCH(int, rows);
    QFETCH(int, groups);
    QFETCH(int, in);
    QFETCH(int, out);
    for (const bool shuffle : {false, true}) {
      Grouped one(rows, groups, in, out), many(rows, groups, in, out);
      many.runSideBySide();
      if (shuffle) {
        many.y = many.shuffled(many.y);
        one.dy = one.shuffled(one.dy);
      }
      one.run(shuffle);
      QVERIFY(tfm::test::worstDifference(one.y, many.y) < 1e-11);
      QVERIFY(tfm::test::worstDifference(one.dx, many.dx) < 1e-11);
      QVERIFY(tfm::test::worstDifference(one.dw, many.dw) < 1e-11);
      QVERIFY(tfm::test::worstDifference(one.dbias, many.dbias) < 1e-11);
      // The same numbers the other way round are others.
      one.run(!shuffle);
      QVERIFY(tfm::test::worstDifference(one.y, many.y) > 0.1);
      QVERIFY(tfm::test::worstDifference(one.dw, many.dw) > 0.1);
    }
  }

  void theShuffleMixesGroups() {
    // x1 .. x4 y1 .. y4 -> x1 y1 x2 y2 ...
    const std::vector<double> row{1, 2, 3, 4, 11, 12, 13, 14};
    QCOMPARE(shuffledBy(2, row), (std::vector<double>{1, 11, 2, 12, 3, 13, 4, 14}));
  }

  void aShuffleIsUndoneByAsManyGroupsAsAGroupHadFeatures() {
    const std::vector<double> row = tfm::test::drawnNumbers(24, 9);
    for (const std::int64_t groups : {1, 2, 3, 4, 8, 24}) {
      QCOMPARE(shuffledBy(24 / groups, shuffledBy(groups, row)), row);
      if (groups == 2 || groups == 3) QVERIFY(shuffledBy(groups, shuffledBy(groups, row)) != row);
    }
  }

  void normsOfGroupsAreNormsOfShorterRows() {
    constexpr std::int64_t kRows = 4, kGroups = 3, kSize = 5;
    std::vector<double> x = tfm::test::drawnNumbers(kRows * kGroups * kSize, 1),
                        dy = tfm::test::drawnNumbers(std::ssize(x), 2),
                        gain = tfm::test::drawnNumbers(kSize, 3),
                        bias = tfm::test::drawnNumbers(kSize, 4);
    const auto run = [&](std::int64_t groups) {
      std::vector<double> y(x.size()), saved(std::size_t(2 * kRows * kGroups)), dx(x.size()),
          dgain(gain.size()), dbias(bias.size());
      const std::int64_t rows = kRows * kGroups / groups, cols = groups * kSize;
      tfm::OpCall<double> c;
      c.inputs[0] = {View(x.data(), rows, cols), {}, View(dx.data(), rows, cols)};
      c.inputs[1] = {View(gain.data(), 1, kSize), {}, View(dgain.data(), 1, kSize)};
      c.inputs[2] = {View(bias.data(), 1, kSize), {}, View(dbias.data(), 1, kSize)};
      c.outputs[0] = {View(y.data(), rows, cols), View(dy.data(), rows, cols)};
      c.outputs[1].values = View(saved.data(), rows, 2 * groups);
      Grouped::run(tfm::ops::kLayerNorm, tfm::NormArguments{1e-5}, c);
      return std::vector{y, saved, dx, dgain, dbias};
    };
    const auto together = run(kGroups), apart = run(1);
    for (std::size_t i = 0; i < together.size(); ++i)
      QVERIFY(tfm::test::worstDifference(together[i], apart[i]) < 1e-13);
  }
};

TFM_TEST(TestGroupedOps)
#include "test_grouped_ops.moc"
