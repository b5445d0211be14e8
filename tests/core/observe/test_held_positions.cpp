// SPDX-License-Identifier: GPL-3.0-or-later
// What pooled positions hold, with the examples of Dai et al. 2020 and the official code.
#include <QTest>

#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/catalog.h"
#include "core/program/ops/ops.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

/// Two sequences of `length` positions, pooled twice and repeated to the whole length.
struct Pooled {
  Program program;
  TensorId states, once, twice, whole;

  Pooled(std::int64_t length, bool separate_cls, bool truncate) {
    ProgramBuilder b({2, length, 0}, false, false);
    const TensorId ids = b.ids("source.ids", 2 * length);
    const TensorId table =
        b.parameter("table", {Dimension{{Axis::Vocabulary, 10}}, Dimension{{Axis::Hidden, 4}}}, {});
    states = ops::embedding(b, "states", ids, table, 1.0);
    SequencePooling sequence{length, separate_cls, truncate};
    once = ops::sequencePool(b, "once", states, sequence, Pooling::Mean);
    sequence.length = sequence.pooledLength();
    twice = ops::sequencePool(b, "twice", once, sequence, Pooling::Mean);
    whole = ops::upsample(b, "whole", twice, {sequence.pooledLength(), 4, length, separate_cls});
    program = b.finish();
  }
  Held of(TensorId id) const { return *heldPositions(program)[std::size_t(id)]; }
};

}  // namespace

class TestHeldPositions : public QObject {
  Q_OBJECT

 private slots:
  void pairsBehindClsAndTheLastIsDropped() {
    const Pooled pooled(8, true, true);
    QCOMPARE(pooled.of(pooled.once), (Held{{0}, {1, 2}, {3, 4}, {5, 6}}));
    QCOMPARE(pooled.of(pooled.twice), (Held{{0}, {1, 2, 3, 4}}));
  }

  void pairsFromTheFirstWithoutCls() {
    const Pooled pooled(8, false, true);
    QCOMPARE(pooled.of(pooled.once), (Held{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
    QCOMPARE(pooled.of(pooled.twice), (Held{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  }

  void nothingIsDroppedWithoutTruncation() {
    const Pooled pooled(8, true, false);
    QCOMPARE(pooled.of(pooled.once), (Held{{0}, {1, 2}, {3, 4}, {5, 6}, {7}}));
    QCOMPARE(pooled.of(pooled.twice), (Held{{0}, {1, 2, 3, 4}, {5, 6, 7}}));
  }

  void publishedLengths() {
    const auto lengths = [](bool truncate) {
      const Pooled pooled(512, true, truncate);
      return std::pair{pooled.of(pooled.once).size(), pooled.of(pooled.twice).size()};
    };
    QCOMPARE(lengths(true), (std::pair<std::size_t, std::size_t>{256, 128}));
    QCOMPARE(lengths(false), (std::pair<std::size_t, std::size_t>{257, 129}));
  }

  void upsampledPositionsHaveTheirPlacesBack() {
    const Pooled pooled(8, true, true);
    QCOMPARE(pooled.of(pooled.whole), pooled.of(pooled.states));
    QVERIFY(pooled.of(pooled.whole) != pooled.of(pooled.once));
  }

  void labelsOfPairs() {
    const std::vector<std::string> words{"[CLS]", "the", "film", "was", "good"};
    QCOMPARE(heldLabels(words, {{0}, {1, 2}, {3, 4}}),
             (std::vector<std::string>{"[CLS]", "(the, film)", "(was, good)"}));
    QCOMPARE(heldLabels(words, {{0}, {1, 2, 3, 4}}),
             (std::vector<std::string>{"[CLS]", "(the, film, was, good)"}));
    QVERIFY(heldLabels(words, {{0}, {4, 5}}).empty());  // there is no label 5
  }

  /// In a model without pooling every query and key is a token of its own.
  void attentionsOfOrdinaryModels() {
    const Program program = buildProgram(presetNamed("rot13").config(), {2, 5, 6}, {});
    for (const AttentionSite& site : attentionSites(program)) {
      QVERIFY(site.queries && site.keys);
      QCOMPARE(std::int64_t(site.queries->size()), site.shape.queries);
      QCOMPARE(std::int64_t(site.keys->size()), site.shape.keys);
      for (std::size_t i = 0; i < site.keys->size(); ++i)
        QCOMPARE(site.keys->at(i), std::vector{std::int64_t(i)});
    }
  }
};

TFM_TEST(TestHeldPositions)
#include "test_held_positions.moc"
