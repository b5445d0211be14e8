// SPDX-License-Identifier: GPL-3.0-or-later
// Growth asks what a parameter is, never what it is called.
#include <QTest>
#include <set>

#include "core/base/error.h"
#include "core/expand/parameter_maps.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/expand/small_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

ParameterLayout renamed(ParameterLayout layout, const std::string& word) {
  for (std::size_t i = 0; i < layout.parameters.size(); ++i)
    layout.parameters[i].name = word + std::to_string(i * 37 % 1009);
  return layout;
}

Recipe recipeFor(const ModelConfig& model, const Growth& growth) {
  if (growth.kind == Kind::Hidden) return growHidden(model, growth, 0);
  return growth.kind == Kind::Layers ? addLayers(model, growth) : growSizes(model, growth);
}

/// One of each kind and method; not every model can do them all.
std::vector<Growth> largeGrowths(const ModelConfig& model) {
  std::vector<Growth> growths{growthTo(Kind::FeedForward, 20), growthTo(Kind::Heads, 20),
                              growthTo(Kind::ValueSize, 20), growthTo(Kind::KeySize, 20)};
  for (int method = 1; method <= int(HiddenMethod::Mask); ++method) {
    growths.push_back(growthTo(Kind::Hidden, 2 * model.hidden));
    growths.back().hidden_method = HiddenMethod(method);
  }
  for (int method = 1; method <= int(LayerMethod::HandOver); ++method)
    for (const Stacks stack : {Stacks::Encoder, Stacks::Decoder}) {
      growths.push_back(growthTo(Kind::Layers, 5));
      growths.back().layer_method = LayerMethod(method);
      growths.back().stacks = stack;
      growths.back().position = 1;
      growths.back().unshare = true;
    }
  for (Growth& growth : growths) growth.allow_inexact = true;
  return growths;
}

bool same(const ParameterGrowth& a, const ParameterGrowth& b) {
  return a.before.has_value() == b.before.has_value() &&
         (!a.before || (a.before->tag == b.before->tag && a.before->offset == b.before->offset)) &&
         a.rows == b.rows && a.cols == b.cols && a.factor == b.factor &&
         a.centred_rows == b.centred_rows && a.centred_cols == b.centred_cols &&
         a.fresh_moments == b.fresh_moments && a.reset == b.reset && a.violated == b.violated &&
         a.given == b.given;
}

}  // namespace

class TestTags : public QObject {
  Q_OBJECT

 private slots:
  void noTwoParametersAreTheSame() {
    for (const auto& [name, config] : smallModels()) {
      const ParameterLayout layout = parameterLayout(config);
      std::set<ParameterTag> tags;
      for (const ParameterInfo& p : layout.parameters) {
        tags.insert(p.tag);
        QCOMPARE(layout.find(p.tag), &p);
      }
      QCOMPARE(tags.size(), layout.parameters.size());
    }
  }

  void growthIsPlannedWithoutNames() {
    std::set<std::pair<Kind, int>> planned;
    std::vector<SmallModel> models = smallModels();
    models.push_back({"shared", presetNamed("encoder-layer-notebook").config()});
    for (const auto& [name, config] : models)
      for (const Growth& growth : largeGrowths(config)) {
        Recipe recipe;
        ParameterLayout after;
        try {
          recipe = recipeFor(config, growth);
          after = parameterLayout(recipe.after);
        } catch (const Error&) {
          continue;
        }
        const ParameterLayout before = parameterLayout(config);
        const Progress silent;
        Work work(silent, 1);
        const auto maps = parameterMaps(config, growth, recipe, before, after, work);
        const auto nameless =
            parameterMaps(config, growth, recipe, renamed(before, "a"), renamed(after, "b"), work);
        QVERIFY2(std::ranges::equal(maps, nameless, same), name.c_str());
        planned.insert({growth.kind, int(growth.hidden_method) + int(growth.layer_method)});
      }
    // Four sizes, five methods for the hidden size and three for layers.
    QCOMPARE(planned.size(), std::size_t(4 + 5 + 3));
  }
};

TFM_TEST(TestTags)
#include "test_tags.moc"
