// SPDX-License-Identifier: GPL-3.0-or-later
// Growing models whose layers pool: what is exact beside what test_exact tries, and what is not.
#include <QtTest>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

Growth layerAt(std::int64_t position, std::int64_t layers) {
  Growth g;
  g.kind = Kind::Layers;
  g.size = layers;
  g.position = position;
  return g;
}

}  // namespace

class TestFunnelGrowth : public QObject {
  Q_OBJECT

 private slots:
  /// At the end of every block; the new layer never changes the length.
  void aLayerIsAddedAnywhere() {
    ModelConfig config = smallModel("Funnel with labels").config;
    config.encoder_layers[2].repeats = false;
    for (std::int64_t position = 0; position <= 4; ++position) {
      const Growth g = layerAt(position, 5);
      const Change change = planGrowth(config, g);
      QVERIFY(change.after.encoder_layers[std::size_t(position)].before == LengthChange::None);
      QVERIFY2(grownVerdict(config, {g}).exact, qPrintable(QString::number(position)));
      QCOMPARE(layerLengths(change.after, Stack::Encoder, 7).back(), std::int64_t{7});
    }
  }

  void aRepeatIsNotSeparated() {
    const ModelConfig config = smallModel("Funnel with labels").config;
    QVERIFY(refusal(config, {layerAt(2, 5)}).find("repeats") != std::string::npos);
  }

  void everythingTogether() {
    for (const SmallModel& m : funnelModels()) {
      const auto grow = [](Kind kind, std::int64_t size) {
        Growth g;
        g.kind = kind;
        g.size = size;
        return g;
      };
      const Verdict v =
          grownVerdict(m.config, {grow(Kind::KeySize, 5), grow(Kind::Heads, 3), hiddenTo(12),
                                  grow(Kind::KeySize, 6), grow(Kind::ValueSize, 5)});
      QVERIFY2(v.exact, m.name.c_str());
    }
  }

  /// The maps of distances and segments to keys grow as the keys do, and only together with them.
  void keysOfPlacesAreRescaledToo() {
    const ModelConfig config = smallModel("Funnel with labels").config;
    Growth g;
    g.kind = Kind::KeySize;
    g.size = 7;
    const Change change = planGrowth(config, g);
    int scaled = 0;
    for (const ParameterGrowth& p : change.parameters)
      if (p.factor != 1.0) {
        QVERIFY(p.after.tag.part == ParameterPart::Key || p.after.tag.part == kPositionPart ||
                p.after.tag.part == kSegmentPart);
        ++scaled;
      }
    // Of three layers with parameters: keys with biases, distances, segments.
    QCOMPARE(scaled, 3 * 4);
    for (const Break broken : {Break::NoKeyRescale, Break::RandomInsteadOfZero}) {
      g.broken = broken;
      const Verdict v = grownVerdict(config, {g});
      QVERIFY(!v.exact && v.max_difference_double > 1e-4);
    }
  }

  /// Distances go on being sinusoids of the width that they had.
  void theSinusoidOfDistancesKeepsItsWidth() {
    const ModelConfig config = smallModel("Funnel with labels").config;
    const Change change = planGrowth(config, hiddenTo(12));
    QCOMPARE(change.after.sinusoid_size, std::int64_t{6});
    QCOMPARE(change.layout_after.find("encoder.layers.0.self_attention.position.weight")->cols(),
             std::int64_t{6});
  }

  /// Pooling by the maximum takes every component by itself: means of components are not kept.
  void means() {
    ModelConfig config = smallModel("Funnel pre layer").config;
    for (const HiddenMethod method : {HiddenMethod::Centre, HiddenMethod::Average}) {
      config.pooling.kind = Pooling::Mean;
      QVERIFY(grownVerdict(config, {hiddenTo(9, method)}).exact);
      config.pooling.kind = Pooling::Max;
      QVERIFY(refusal(config, {hiddenTo(9, method)}).find("larger of two states") !=
              std::string::npos);
      Growth anyway = hiddenTo(9, method);
      anyway.allow_inexact = true;
      QVERIFY(grownVerdict(config, {anyway}).max_difference_double > 1e-4);
    }
    QVERIFY(grownVerdict(config, {hiddenTo(12)}).exact);
  }
};

TFM_TEST(TestFunnelGrowth)
#include "test_funnel_growth.moc"
