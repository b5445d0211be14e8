// SPDX-License-Identifier: GPL-3.0-or-later
// Submodels with a granularity of their own in each layer, their cost and their Pareto front.
#include <QTest>
#include <algorithm>
#include <set>

#include "core/matformer/cost.h"
#include "core/matformer/front.h"
#include "core/matformer/mix_n_match.h"
#include "core/model/build_program.h"
#include "tests/core/io/error_of.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;
using namespace tfm::test;

namespace {

using Sizes = std::vector<std::int64_t>;

ModelConfig deepDecoder(std::int64_t layers, std::int64_t width = 16) {
  ModelConfig c = nestedModel("decoder pre layer").config;
  setUniform(c, 0, layers, {2, 3, 4, width, 1e-5});
  return c;
}

std::vector<Granularity> fourOf(const ModelConfig& c) {
  return granularities(c, defaultNesting(c));
}

/// What n of L equal layers at level i + 1 and the others at level i make, largest that fits
/// (methods: n = floor((B - L c_i) / (c_{i+1} - c_i))).
Submodel closedForm(const ModelConfig& c, const std::vector<Granularity>& all,
                    std::int64_t budget) {
  const std::int64_t layers = layerCount(c);
  std::size_t level = 0;
  while (level + 1 < all.size() && costOf(c, all[level + 1].submodel).parameters <= budget) ++level;
  Submodel mix = all[level].submodel;
  const std::int64_t here = costOf(c, mix).parameters;
  if (level + 1 == all.size() || here > budget) return mix;
  const std::int64_t next = costOf(c, all[level + 1].submodel).parameters;
  const std::int64_t larger = (budget - here) / ((next - here) / layers);
  for (std::int64_t i = layers - larger; i < layers; ++i)
    mix.widths[std::size_t(i)] = all[level + 1].submodel.widths[std::size_t(i)];
  return mix;
}

}  // namespace

class TestMixNMatch : public QObject {
  Q_OBJECT

 private slots:
  void feedForwardsCostTwoMatricesAndTwoBiases() {
    ModelConfig c = nestedModel("encoder post layer").config;
    c.hidden = 256;
    setUniform(c, 1, 0, {4, 64, 64, 2048, 1e-5});
    const std::int64_t rest = parameterLayout(c).total - 1'050'880;
    const std::pair<std::int64_t, std::int64_t> known[] = {
        {2048, 1'050'880}, {1536, 788'224}, {1024, 525'568}, {768, 394'240},
        {512, 262'912},    {384, 197'248},  {256, 131'584}};
    for (const auto& [width, parameters] : known) {
      QCOMPARE(costOf(c, {{width}, {}}).parameters, rest + parameters);
      QCOMPARE(2 * width * 256 + width + 256, parameters);
    }
    QCOMPARE(costOf(c, {}).parameters, parameterLayout(c).total);
  }

  void costIsThatOfTheModelAlone() {
    for (const SmallModel& model : nestedModels())
      for (const Submodel& submodel : triedSubmodels(model.config)) {
        const Cost cost = costOf(model.config, submodel);
        const ModelConfig alone = configOf(model.config, submodel);
        // Shared layers that take different parts share what is in both.
        if (alone.sharesLayers() == model.config.sharesLayers())
          QCOMPARE(cost.parameters, parameterLayout(alone).total);
        else
          QVERIFY(cost.parameters < parameterLayout(alone).total);
        QCOMPARE(cost.flops, buildProgram(alone, fullShape(alone, 1), {}).forwardFlops());
      }
    TFM_VERIFY_ERROR(costOf(deepDecoder(2), {{4, 17}, {}}), "width 17 in layer 2");
    TFM_VERIFY_ERROR(costOf(deepDecoder(2), {{4}, {}}), "1 widths for 2 layers");
  }

  void thereAreGranularitiesToThePowerOfLayers() {
    const ModelConfig c = deepDecoder(3);
    const std::vector<Submodel> all = everyMix(c, fourOf(c), 64);
    QCOMPARE(all.size(), std::size_t{64});
    QCOMPARE(std::set<Submodel>(all.begin(), all.end()).size(), std::size_t{64});
    QCOMPARE(all.front().widths, (Sizes{2, 2, 2}));
    QCOMPARE(all.back().widths, (Sizes{16, 16, 16}));
    QVERIFY(everyMix(c, fourOf(c), 63).empty());
    QVERIFY(everyMix(deepDecoder(200), fourOf(deepDecoder(200)), INT64_MAX - 1).empty());
  }

  void slopesRiseOneLayerAtATime() {
    const ModelConfig c = deepDecoder(3);
    const std::vector<Submodel> all = slopes(c, fourOf(c));
    QCOMPARE(all.size(), std::size_t{3 * 3 + 1});
    QCOMPARE(all[0].widths, (Sizes{2, 2, 2}));
    QCOMPARE(all[1].widths, (Sizes{2, 2, 4}));
    QCOMPARE(all[5].widths, (Sizes{4, 8, 8}));
    QCOMPARE(all[9].widths, (Sizes{16, 16, 16}));
    for (std::size_t i = 1; i < all.size(); ++i)
      QVERIFY(costOf(c, all[i]).parameters > costOf(c, all[i - 1]).parameters);
  }

  void theBudgetIsUsedAsInThePaper() {
    const ModelConfig c = deepDecoder(5);
    const std::vector<Granularity> all = fourOf(c);
    const std::int64_t least = costOf(c, all.front().submodel).parameters;
    const std::int64_t most = costOf(c, all.back().submodel).parameters;
    for (std::int64_t budget = least; budget <= most + 20; budget += 7) {
      const Submodel mix = withinBudget(c, all, budget);
      QVERIFY(costOf(c, mix).parameters <= budget);
      QVERIFY(std::ranges::is_sorted(mix.widths));
      QVERIFY(mix.widths.back() <= 2 * mix.widths.front());  // neighbours: each doubles the last
      QCOMPARE(mix.widths, closedForm(c, all, budget).widths);
    }
    QCOMPARE(withinBudget(c, all, most), all.back().submodel);
    QVERIFY(withinBudget(c, all, most - 1) != all.back().submodel);
    QCOMPARE(withinBudget(c, all, least - 1), all.front().submodel);
    QCOMPARE(withinBudget(c, all, INT64_MIN), all.front().submodel);
  }

  void theBudgetHoldsWhereLayersDiffer() {
    ModelConfig c = nestedModel("both pre layer").config;
    c.encoder_layers[1].first<FeedForward>()->width = 4;
    c.decoder_layers[0].first<FeedForward>()->width = 9;
    const std::vector<Granularity> all = granularities(c, smallNesting(true));
    const std::vector<Submodel> ways = slopes(c, all);
    for (const Submodel& way : ways) {
      const std::int64_t budget = costOf(c, way).parameters;
      QCOMPARE(costOf(c, withinBudget(c, all, budget)).parameters, budget);
      QVERIFY(costOf(c, withinBudget(c, all, budget - 1)).parameters < budget ||
              way == ways.front());
    }
  }

  void randomMixesAreDifferentAndRepeatable() {
    const ModelConfig c = deepDecoder(4);
    const std::vector<Granularity> all = fourOf(c);
    const std::vector<Submodel> mixes = randomMixes(c, all, 200, 3);
    QCOMPARE(mixes.size(), std::size_t{200});
    QCOMPARE(std::set<Submodel>(mixes.begin(), mixes.end()).size(), std::size_t{200});
    QCOMPARE(randomMixes(c, all, 200, 3), mixes);
    QVERIFY(randomMixes(c, all, 200, 4) != mixes);
    for (const Submodel& mix : mixes)
      for (const std::int64_t width : mix.widths)
        QVERIFY(width == 2 || width == 4 || width == 8 || width == 16);
    QCOMPARE(randomMixes(c, all, 1000, 3).size(), std::size_t{256});
    QCOMPARE(randomMixes(c, all, 256, 3), everyMix(c, all, 256));

    ModelConfig narrow = c;
    narrow.decoder_layers[0].first<FeedForward>()->width = 2;  // alike in all granularities
    QCOMPARE(randomMixes(narrow, granularities(narrow, defaultNesting(c)), 1000, 3).size(),
             std::size_t{64});
  }

  void namesAreReadBack() {
    const ModelConfig c = nestedModel("both pre layer").config;
    for (const bool heads : {false, true}) {
      const std::vector<Granularity> all = granularities(c, smallNesting(heads));
      for (const Granularity& one : all) QCOMPARE(nameOf(all, one.submodel), one.name);
      for (const Submodel& submodel : triedSubmodels(c))
        QCOMPARE(submodelNamed(c, all, nameOf(all, submodel)), submodel);
      for (const Submodel& mix : randomMixes(c, all, 20, 1))
        QCOMPARE(submodelNamed(c, all, nameOf(all, mix)), mix);
    }
    const std::vector<Granularity> all = granularities(c, smallNesting(true));
    QCOMPARE(submodelNamed(c, all, "S").widths, (Sizes{1, 1, 1, 1}));
    QCOMPARE(submodelNamed(c, all, "4"), (Submodel{{4, 4, 4, 4}, {3, 3, 3, 3}}));
    QCOMPARE(submodelNamed(c, all, "4/2"), (Submodel{{4, 4, 4, 4}, {2, 2, 2, 2}}));
    QCOMPARE(nameOf(all, {{4, 4, 5, 5}, {}}), std::string("4,4,5,5"));
    QCOMPARE(nameOf(all, {{4, 4, 5, 5}, {1, 2, 3, 3}}), std::string("4/1,4/2,5/3,5/3"));
    QCOMPARE(submodelNamed(c, {}, "all"), (Submodel{fullWidths(c), fullHeads(c)}));
    QCOMPARE(nameOf({}, {}), std::string("all"));
  }

  void wrongNamesAreRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* text, const char* expected) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(expected);
    };
    row("", "there is no granularity \"\"");
    row("XXL", "Choose one of S, M, L, XL, all or widths for 4 layers");
    row("s", "there is no granularity");
    row("1,2,3", "3 widths for 4 layers");
    row("8", "width 8 in layer 1");
    row("1,2,3,0", "width 0 in layer 4");
    row("1,2,,3", "is not a whole number");
    row("1,2,3,4,", "is not a whole number");
    row("1/1,2,3,4", "only some layers");
    row("1/1/1", "is not a whole number");
    row("1/4", "heads 4 in layer 1");
    row("99999999999999999999", "is not a whole number");
    row("-1", "there is no granularity");
  }
  void wrongNamesAreRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const ModelConfig c = nestedModel("both pre layer").config;
    TFM_VERIFY_ERROR(submodelNamed(c, granularities(c, smallNesting(true)), text.toStdString()),
                     expected);
  }

  void theFrontHoldsWhatNothingBeats() {
    using Places = std::vector<std::size_t>;
    const std::vector<Tradeoff> points{{3, 0.7}, {1, 0.5}, {2, 0.4}, {2, 0.6}, {4, 0.7},
                                       {3, 0.7}, {1, 0.5}, {5, 0.9}, {1, 0.3}};
    QCOMPARE(paretoFront(points), (Places{1, 3, 0, 7}));
    QVERIFY(paretoFront({}).empty());
    // Everything that is left out is beaten, and nothing that is in.
    const Places front = paretoFront(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool in = std::ranges::find(front, i) != front.end();
      const bool beaten = std::ranges::any_of(points, [&](const Tradeoff& p) {
        return p.cost <= points[i].cost && p.quality >= points[i].quality &&
               (p.cost < points[i].cost || p.quality > points[i].quality);
      });
      if (in) QVERIFY(!beaten);
      if (!in && i != 5 && i != 6) QVERIFY(beaten);  // these equal an earlier one
    }
  }

  void theHintFitsTheModel() {
    const ModelConfig c = deepDecoder(4);
    TFM_VERIFY_ERROR(submodelNamed(c, fourOf(c), "Z"), "4 layers, e.g. 8,8,8,8");
    TFM_VERIFY_ERROR(submodelNamed(c, fourOf(c), "8,/2,8,8"), "8,8,8,8");
  }

  void submodelsMustExist() {
    const ModelConfig c = deepDecoder(2);
    const auto widths = [](Sizes sizes, Sizes heads = {}) {
      Nesting nesting;
      nesting.widths = std::move(sizes);
      nesting.heads = std::move(heads);
      return nesting;
    };
    requireSubmodels(widths({2, 15}), c);
    requireSubmodels(widths({2, 16}), c);
    requireSubmodels(widths({2, 16}, {1, 2}), c);
    TFM_VERIFY_ERROR(requireSubmodels(widths({2, 44}), c), "width 44");
    TFM_VERIFY_ERROR(requireSubmodels(widths({17}), c), "width 17");
    TFM_VERIFY_ERROR(requireSubmodels(widths({2}, {3}), c), "3 heads");
  }
};

TFM_TEST(TestMixNMatch)
#include "test_mix_n_match.moc"
