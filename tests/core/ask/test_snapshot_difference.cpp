// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ask/snapshot_difference.h"
#include "core/expand/grow.h"
#include "core/model/presets.h"
#include "tests/core/expand/growth_to.h"
#include "tests/test_program.h"

using namespace tfm;
using expand::Kind;

class TestSnapshotDifference : public QObject {
  Q_OBJECT

 private:
  ModelState small_ = initialState(presetNamed("rot13").config(), 7);

  static train::Snapshot of(const ModelState& state) {
    train::Snapshot snapshot;
    snapshot.state = std::make_shared<const ModelState>(state);
    return snapshot;
  }
  static float at(const ModelState& state, const ParameterInfo& p, std::int64_t row,
                  std::int64_t col) {
    return state.parameters[std::size_t(p.offset + row * p.cols() + col)];
  }
  static bool names(const train::Snapshot& seen, const std::string& name) {
    return std::ranges::find(seen.unmatched, name) != seen.unmatched.end();
  }

 private slots:
  void grownCellsMeetTheirOwnHeadByHead() {
    const std::string name = "encoder.layers.0.self_attention.query.weight";
    const ModelState large =
        expand::grow(small_, {test::growthTo(Kind::KeySize, 7), test::growthTo(Kind::Heads, 9)})
            .state;
    const train::Snapshot seen = train::difference(of(large), of(small_));
    QVERIFY(names(seen, name));
    const ParameterInfo& p = *large.layout.find(name);
    const auto& factors = p.shape.front().factors;
    QCOMPARE(factors.front().size, std::int64_t(9));
    for (std::int64_t row = 0; row < p.rows(); ++row) {
      const bool old = row / 7 < 7 && row % 7 < 5;  // of seven heads with keys of five
      for (std::int64_t col = 0; col < p.cols(); ++col) {
        const float value = at(*seen.state, p, row, col);
        // The expansions copy the queries.
        QVERIFY2(old ? value == 0.0F : std::isnan(value),
                 qPrintable(QString("%1, %2: %3").arg(row).arg(col).arg(double(value))));
      }
    }
    QVERIFY(!names(seen, "encoder.embedding.weight"));
  }

  void aSmallerModelHasAllItsPartners() {
    const ModelState large = expand::grow(small_, {test::growthTo(Kind::KeySize, 7)}).state;
    const train::Snapshot seen = train::difference(of(small_), of(large));
    QVERIFY(!seen.unmatched.empty());
    for (const float value : seen.state->parameters) QVERIFY(std::isfinite(value));
  }

  void observationsAreSubtractedByName() {
    train::Snapshot a, b;
    a.observed["both"] = {1, 2, {5.0F, 7.0F}};
    a.observed["other size"] = {2, 1, {5.0F, 7.0F}};
    a.observed["only here"] = {1, 1, {1.0F}};
    b.observed["both"] = {1, 2, {4.0F, 9.0F}};
    b.observed["other size"] = {1, 2, {4.0F, 9.0F}};
    b.observed["only there"] = {1, 1, {1.0F}};
    const train::Snapshot seen = train::difference(a, b);
    QCOMPARE(seen.observed.size(), std::size_t(1));
    QCOMPARE(seen.observed.at("both").values, (std::vector<float>{1.0F, -2.0F}));
    QCOMPARE(seen.unmatched, (std::vector<std::string>{"only here", "other size"}));
  }

  void whatTheOtherHasNotIsNoNumber() {
    expand::Growth layer = test::growthTo(Kind::Layers, 2);
    layer.stacks = expand::Stacks::Encoder;
    const ModelState deep = expand::grow(small_, {layer}).state;
    const train::Snapshot seen = train::difference(of(deep), of(small_));
    const std::string name = "encoder.layers.1.feed_forward.linear1.weight";
    QVERIFY(names(seen, name));
    QVERIFY(std::isnan(at(*seen.state, *deep.layout.find(name), 0, 0)));
  }
};

TFM_TEST(TestSnapshotDifference)
#include "test_snapshot_difference.moc"
