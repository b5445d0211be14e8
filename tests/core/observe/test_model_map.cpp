// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <map>
#include <set>

#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/attention_stage.h"
#include "core/observe/model_map.h"
#include "core/program/ops/ops.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

/// A program of a preset on a short text, as it is explained.
Program programOf(const ModelConfig& config) {
  BatchShape shape = fullShape(config, 1);
  shape.source_length = std::min<std::int64_t>(shape.source_length, 6);
  shape.target_length = std::min<std::int64_t>(shape.target_length, 5);
  return buildProgram(config, shape, {.loss = true, .scores = true});
}

/// What is wrong with a map; "" if nothing is.
std::string problemOf(const Program& program, const ModelMap& map) {
  if (map.leaves.size() != program.steps.size()) return "not every step has a leaf";
  std::set<std::string> paths;
  for (std::size_t n = 0; n < map.nodes.size(); ++n) {
    const MapNode& node = map.nodes[n];
    if (!paths.insert(node.path).second) return "two parts have the path " + node.path;
    if (node.first >= node.end) return node.path + " has no steps";
    std::set<std::string> titles;
    std::map<TensorId, int> writers;
    std::size_t next = node.first;
    for (const std::size_t child : node.children) {
      const MapNode& part = map.nodes[child];
      if (part.parent != n) return part.path + " has another parent";
      if (part.first != next) return part.path + " is not where the part before ends";
      next = part.end;
      if (!titles.insert(part.title).second) return "two parts are called " + part.title;
      for (const TensorId id : part.writes) ++writers[id];
    }
    if (!node.children.empty() && next != node.end) return node.path + " has steps of no part";
    if (node.children.empty() != (node.level == MapLevel::Step)) return node.path + " is no leaf";
    for (const auto& [id, count] : writers)
      if (count != 1) return program.tensors[std::size_t(id)].name + " is written twice";
    for (const TensorId id : node.writes)
      if (!map.contains(n, map.makers[std::size_t(id)])) return node.path + " writes another's";
    for (const TensorId id : node.reads)
      if (const std::size_t maker = map.makers[std::size_t(id)];
          maker != kNoNode && map.contains(n, maker))
        return node.path + " reads its own";
  }
  for (std::size_t i = 0; i < map.leaves.size(); ++i) {
    const MapNode& leaf = map.nodes[map.leaves[i]];
    if (leaf.level != MapLevel::Step || leaf.first != i || leaf.end != i + 1)
      return program.steps[i].path + " has a leaf that is not its own";
  }
  return {};
}

}  // namespace

class TestModelMap : public QObject {
  Q_OBJECT

 private slots:
  void everyStepOfEveryPresetHasOnePlace_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < int(presets().size()); ++i)
      QTest::newRow(std::string(presets()[std::size_t(i)].name).c_str()) << i;
  }
  void everyStepOfEveryPresetHasOnePlace() {
    QFETCH(const int, index);
    const Program program = programOf(presets()[std::size_t(index)].config());
    const ModelMap map = modelMap(program);
    const std::string problem = problemOf(program, map);
    QVERIFY2(problem.empty(), problem.c_str());
  }

  void theCheckFindsABrokenMap() {
    const Program program = programOf(presetNamed("rot13").config());
    const ModelMap good = modelMap(program);
    QCOMPARE(problemOf(program, good), std::string());
    ModelMap broken = good;
    broken.nodes[good.leaves[3]].first = 2;
    QVERIFY(!problemOf(program, broken).empty());
    broken = good;
    broken.nodes[good.nodes[0].children[1]].title = good.nodes[good.nodes[0].children[0]].title;
    QVERIFY(!problemOf(program, broken).empty());
    broken = good;
    broken.nodes[good.leaves[1]].writes = good.nodes[good.leaves[0]].writes;
    QVERIFY(!problemOf(program, broken).empty());
  }

  void partsOfTheOpeningModel() {
    const Program program = programOf(presetNamed("rot13").config());
    const ModelMap map = modelMap(program);
    std::vector<std::string> titles;
    for (const std::size_t child : map.nodes[0].children) titles.push_back(map.nodes[child].title);
    QCOMPARE(titles, (std::vector<std::string>{"encoder", "decoder", "output", "loss"}));
    const std::size_t layer = map.find("decoder.layers.0");
    QVERIFY(layer != kNoNode);
    titles.clear();
    for (const std::size_t child : map.nodes[layer].children)
      titles.push_back(map.nodes[child].title);
    QCOMPARE(titles,
             (std::vector<std::string>{"self-attention", "cross-attention", "feed-forward"}));
    const std::size_t query = map.find("decoder.layers.0.cross_attention.query");
    QVERIFY(query != kNoNode);
    QCOMPARE(map.nodes[query].title, std::string("query"));
    QCOMPARE(map.nodes[query].weights.size(), 2U);
    QCOMPARE(map.wayTo(query).size(), 5U);  // model, decoder, layer, block, step
  }

  void theStreamGoesFromBlockToBlock() {
    const Program program = programOf(presetNamed("rot13").config());
    const ModelMap map = modelMap(program);
    const MapNode& layer = map.nodes[map.find("decoder.layers.0")];
    TensorId states = layer.in;
    QVERIFY(states != kNoTensor);
    for (const std::size_t child : layer.children) {
      const MapNode& block = map.nodes[child];
      QCOMPARE(block.in, states);
      QVERIFY(block.joins != kNoNode);
      QCOMPARE(program.steps[block.joins].op, &ops::kAdd);
      states = block.out;
    }
    QCOMPARE(layer.out, states);
    // The cross-attention reads the encoder's states beside the stream.
    const MapNode& cross = map.nodes[layer.children[1]];
    const MapNode& encoder = map.nodes[map.find("encoder")];
    QVERIFY(std::ranges::find(cross.reads, encoder.out) != cross.reads.end());
    QVERIFY(std::ranges::find(encoder.writes, encoder.out) != encoder.writes.end());
    QCOMPARE(map.nodes[map.find("decoder")].in, kNoTensor);
  }

  void attentionComputesItsScoresFirst() {
    const Program program = programOf(presetNamed("rot13").config());
    const auto attention = std::ranges::find(program.steps, &ops::kAttention, &Step::op);
    QVERIFY(attention != program.steps.end());
    const auto computed = computedBy(program, *attention);
    QCOMPARE(computed.size(), 4U);
    QVERIFY(program.tensors[std::size_t(computed.front())].name.ends_with(".scores"));
    QVERIFY(program.tensors[std::size_t(computed[2])].name.ends_with(".probabilities"));
    QVERIFY(program.tensors[std::size_t(computed.back())].name.ends_with(".mixed"));
  }

  /// With an intervention, the probabilities are what it makes of the softmax.
  void stagesOfAnAttentionAreItsTensors() {
    using enum AttentionStage;
    ModelConfig config = presetNamed("rot13").config();
    const std::string path = "decoder.layers.0.self_attention.";
    for (const bool changed : {false, true}) {
      if (changed) config.changes = {{.tensor = path + "probabilities", .row = 1, .added = {0.5}}};
      const Program program = programOf(config);
      const Step& attention = *program.makerOf(program.find(path + "mixed"));
      for (const TensorId id : attention.outputs) {
        if (id == kNoTensor) continue;
        const auto stage = attentionStageOf(program, id);
        QVERIFY(stage);
        QCOMPARE(tensorAt(attention, *stage), id);
        QCOMPARE(isAttentionMap(program, id), stage != Mixed);
      }
      QCOMPARE(tensorAt(attention, Probabilities), program.find(path + "probabilities"));
      QCOMPARE(tensorAt(attention, Softmax), program.find(path + "probabilities (before)"));
      QCOMPARE(tensorAt(attention, Softmax) != kNoTensor, changed);
      QVERIFY(!attentionStageOf(program, attention.inputs.front()));
    }
  }
};

TFM_TEST(TestModelMap)
#include "test_model_map.moc"
