// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes of DeLighT's blocks, and what they add up to in the published models.
#include <QTest>
#include <cmath>

#include "core/model/build_program.h"
#include "core/model/delight.h"
#include "core/model/delight_layers.h"
#include "core/model/presets.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

using Sizes = std::vector<std::int64_t>;

Sizes each(const std::vector<GroupedSizes>& maps, std::int64_t GroupedSizes::*member) {
  Sizes sizes;
  for (const GroupedSizes& map : maps) sizes.push_back(map.*member);
  return sizes;
}

/// Parameters of a linear map with bias; `norm`: with the gain and bias of one group's norm.
std::int64_t linear(std::int64_t in, std::int64_t out, std::int64_t groups = 1, bool norm = false) {
  return in * out / groups + out + (norm ? 2 * (out / groups) : 0);
}

std::int64_t dextra(std::int64_t in, std::int64_t projected, std::int64_t out,
                    const DextraScale& scale, std::int64_t groups) {
  std::int64_t count = linear(in, projected, 1, true) + linear(out + projected, out, 1, true);
  for (const GroupedSizes& map :
       dextraMaps(projected, out, double(in) * scale.width, scale.depth, groups))
    count += linear(map.inputs, map.outputs, map.groups, true);
  return count;
}

/// An encoder and a decoder of 8 blocks (methods of the official code), with so many words.
std::int64_t published(std::int64_t hidden, std::int64_t words) {
  const std::int64_t half = hidden / 2, groups = dextraGroups(hidden), table = 128;
  std::int64_t count = words * table + 2 * dextra(table, half, hidden, {4, 2.0}, groups);
  if (hidden != table) count += hidden * table;
  for (const DextraScale& scale : blockwiseScaling(4, 8, 2.0, 8)) {
    const std::int64_t block = dextra(hidden, half, half, scale, groups) + 3 * linear(half, half) +
                               linear(half, hidden) + linear(hidden, hidden / 4) +
                               linear(hidden / 4, hidden) + 4 * hidden;
    const std::int64_t cross = 3 * linear(hidden, half) + linear(half, hidden) + 2 * hidden;
    count += 2 * block + cross;
  }
  return count;
}

}  // namespace

class TestDelight : public QObject {
  Q_OBJECT

 private slots:
  void mapsExpandAndReduce() {
    const std::vector<GroupedSizes> small = dextraMaps(64, 64, 256, 4, 4);
    QCOMPARE(each(small, &GroupedSizes::inputs), (Sizes{64, 128, 320, 320}));
    QCOMPARE(each(small, &GroupedSizes::outputs), (Sizes{64, 256, 256, 64}));
    QCOMPARE(each(small, &GroupedSizes::groups), (Sizes{2, 4, 4, 2}));
    const std::vector<GroupedSizes> large = dextraMaps(256, 256, 1536, 8, 16);
    QCOMPARE(each(large, &GroupedSizes::outputs),
             (Sizes{256, 688, 1120, 1536, 1536, 1112, 688, 256}));
    QCOMPARE(each(large, &GroupedSizes::groups), (Sizes{2, 4, 8, 16, 16, 8, 4, 2}));
    // An odd number has the middle once.
    const std::vector<GroupedSizes> odd = dextraMaps(64, 64, 256, 5, 4);
    QCOMPARE(each(odd, &GroupedSizes::outputs), (Sizes{64, 160, 256, 160, 64}));
    QCOMPARE(each(odd, &GroupedSizes::groups), (Sizes{2, 4, 4, 4, 2}));
  }

  void groupsDivideWhatTheyPart() {
    for (const std::int64_t hidden : {128, 256, 384, 512, 640})
      for (std::int64_t depth = 2; depth <= 12; ++depth)
        for (const GroupedSizes& map : dextraMaps(hidden / 2, hidden / 2, 2.6 * double(hidden),
                                                  depth, dextraGroups(hidden))) {
          QCOMPARE(map.inputs % map.groups, 0);
          QCOMPARE(map.outputs % map.groups, 0);
        }
  }

  void blocksBecomeDeeperAndWider() {
    const std::vector<DextraScale> scales = blockwiseScaling(4, 8, 2.0, 8);
    const std::vector<DextraScale> expected{{4, 2.0},   {4, 2.143}, {5, 2.286}, {5, 2.429},
                                            {6, 2.571}, {6, 2.714}, {7, 2.857}, {8, 3.0}};
    QVERIFY(scales == expected);
    std::int64_t depth = 0;  // of linear maps: attention and feed-forward count for two each
    for (const DextraScale& scale : scales) depth += scale.depth + 4;
    QCOMPARE(depth, 77);
    QVERIFY(blockwiseScaling(4, 8, 2.0, 1) == (std::vector<DextraScale>{{4, 2.0}}));
  }

  /// The models themselves have them, and what the formulas above count.
  void presetsHaveThePublishedParameters_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<double>("millions");
    const auto row = [](const char* name, double millions) {
      QTest::newRow(name) << QByteArray(name) << millions;
    };
    row("delight-wmt14-en-de-128", 8.09);
    row("delight-wmt14-en-de-256", 13.79);
    row("delight-wmt14-en-de-384", 23.25);
    row("delight-wmt14-en-de-512", 36.76);
    row("delight-wmt14-en-de-640", 54.04);
    row("delight-wmt16-en-ro-128", 6.97);
    row("delight-wmt16-en-ro-256", 12.67);
    row("delight-wmt16-en-ro-384", 22.12);
  }
  void presetsHaveThePublishedParameters() {
    QFETCH(QByteArray, name);
    QFETCH(double, millions);
    ModelConfig config = presetNamed(name.constData()).config();
    const auto rounded = [](std::int64_t count) { return std::round(double(count) / 1e4) / 100.0; };
    const std::int64_t total = parameterLayout(config).total;
    QCOMPARE(rounded(total), millions);
    QVERIFY(config.activation == Activation::Silu);  // as in the official code
    QCOMPARE(total, published(config.hidden, config.source_vocabulary));
    config.share_embeddings = false;
    QVERIFY(rounded(parameterLayout(config).total) != millions);
  }

  /// A grouped map has inputs x outputs / groups weights, and as many multiply-adds a position.
  void scalingIsReadAndSet() {
    ModelConfig config = presetNamed("delight-wmt14-en-de-128").config();
    QVERIFY(delightScaling(config) == (DelightScaling{4, 8, 2.0}));
    const ModelConfig published = config;
    rescaleDelight(config, {2, 6, 1.5});
    QVERIFY(delightScaling(config) == (DelightScaling{2, 6, 1.5}));
    QCOMPARE(config.encoder_layers[3].first<DelightAttention>()->depth,
             blockwiseScaling(2, 6, 1.5, 8)[3].depth);
    QVERIFY(config != published);
    QVERIFY(parameterLayout(config).total < parameterLayout(published).total);
    rescaleDelight(config, {4, 8, 2.0});
    QVERIFY(config == published);
    QVERIFY(!delightScaling(presetNamed("rot13").config()));
  }

  void groupsDivideTheCost() {
    ModelConfig config = presetNamed("delight-wmt14-en-de-512").config();
    for (auto* layers : {&config.encoder_layers, &config.decoder_layers}) layers->resize(1);
    const auto costOf = [&](std::int64_t groups) {
      auto& attention = *config.encoder_layers.front().first<DelightAttention>();
      attention.most_groups = groups;
      attention.rising_groups = false;
      const Program program = buildProgram(config, {1, 10, 1}, {});
      std::int64_t maps = 0;
      for (const GroupedSizes& map : attention.maps(config.hidden))
        maps += map.inputs * map.outputs / map.groups;
      return std::pair{program.forwardFlops() - 10 * 2 * maps, maps};
    };
    const auto [rest, whole] = costOf(1);
    const auto [rest8, parted] = costOf(8);
    QVERIFY(8 * parted == whole);
    QCOMPARE(rest8, rest);
  }

  /// One vocabulary for each language pair gives all published totals, to the printed digit.
  void parametersAreThePublishedOnes() {
    struct Row {
      std::int64_t hidden;
      double german, romanian;  // millions; 0: not published
    };
    constexpr std::int64_t kGerman = 43'734, kRomanian = 34'968;
    for (const Row& row : {Row{128, 8.09, 6.97}, Row{256, 13.79, 12.67}, Row{384, 23.25, 22.12},
                           Row{512, 36.76, 0}, Row{640, 54.04, 0}}) {
      const auto millions = [&](std::int64_t words) {
        return std::round(double(published(row.hidden, words)) / 1e4) / 100.0;
      };
      QVERIFY(std::abs(millions(kGerman) - row.german) < 1e-9);
      if (row.romanian > 0) QVERIFY(std::abs(millions(kRomanian) - row.romanian) < 1e-9);
      QVERIFY(std::abs(millions(kGerman + 200) - row.german) > 1e-3);
    }
  }
};

TFM_TEST(TestDelight)
#include "test_delight.moc"
