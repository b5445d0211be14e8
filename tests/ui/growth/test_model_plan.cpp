// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <map>
#include <set>

#include "core/model/blocks/blocks.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/model_map.h"
#include "tests/test_program.h"
#include "ui/growth/model_plan.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

using Names = std::vector<std::string>;

ModelConfig configNamed(const QString& preset) {
  return presetNamed(preset.toStdString()).config();
}

/// The step of the map that first reads each parameter.
std::map<std::string, std::size_t> readers(const ModelConfig& config) {
  const Program program = buildProgram(config, minimalShape(config), {});
  const observe::ModelMap map = observe::modelMap(program);
  std::map<std::string, std::size_t> readers;
  for (std::size_t step = 0; step < map.leaves.size(); ++step)
    for (const TensorId id : map.nodes[map.leaves[step]].weights)
      readers.try_emplace(program.tensors[std::size_t(id)].name, step);
  return readers;
}

/// The parameters of a model as they are read in its plan: row by row, block by block, and the
/// columns of a block downwards.
Names readOrder(const ModelPlan& plan, const std::vector<ParameterInfo>& parameters) {
  struct Item {
    int row;
    double block, left, top;
    std::string name;
    auto operator<=>(const Item&) const = default;
  };
  std::vector<Item> items;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const PlanBlock& block = plan.blockOf(i);
    items.push_back({block.row, block.frame.left(), plan.pieces[i].left(), plan.pieces[i].top(),
                     parameters[i].name});
  }
  std::ranges::sort(items);
  Names names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

ModelPlan planAt(const std::vector<ParameterInfo>& parameters, double width, double pitch) {
  std::vector<ParameterTag> tags;
  for (const ParameterInfo& p : parameters) tags.push_back(p.tag);
  const std::vector<PlanPlace> places = planPlaces(tags);
  std::vector<PlanPiece> pieces;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    pieces.push_back({places[i],
                      {std::max(double(parameters[i].cols()) * pitch, 70.0),
                       double(parameters[i].rows()) * pitch + 30.0}});
  const auto title = [](const QString& words) { return QSizeF(6.0 * double(words.size()), 16.0); };
  return layOutPlan(pieces, {.width = width, .gap = 12, .row_gap = 12, .inset = 4, .title = title});
}

/// The plan with the largest cells that fits.
ModelPlan largestPlan(const std::vector<ParameterInfo>& parameters, const QSizeF& page) {
  for (double pitch = 16.0;; pitch *= 0.8) {
    ModelPlan plan = planAt(parameters, page.width(), pitch);
    if ((plan.size.height() <= page.height() && plan.size.width() <= page.width() + 0.1) ||
        pitch < 0.01)
      return plan;
  }
}

/// The first parameter that is read too late; "" if none is. The terms of one part, such as weight
/// and bias, have no order.
QString lateOf(const Names& order, const std::map<std::string, std::size_t>& readers) {
  const auto part = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  for (std::size_t i = 1; i < order.size(); ++i)
    if (readers.at(order[i]) < readers.at(order[i - 1]) && part(order[i]) != part(order[i - 1]))
      return QString::fromStdString(order[i]);
  return {};
}

/// What is wrong with a plan; "" if nothing is.
QString problemOf(const ModelPlan& plan, double width) {
  for (std::size_t a = 0; a < plan.blocks.size(); ++a) {
    const PlanBlock& block = plan.blocks[a];
    if (block.frame.right() > width + 0.1) return block.place.title + " is outside";
    for (std::size_t b = 0; b < a; ++b)
      if (block.frame.intersects(plan.blocks[b].frame))
        return block.place.title + " covers another";
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
      if (!block.frame.adjusted(-0.1, -0.1, 0.1, 0.1).contains(plan.pieces[i]))
        return block.place.title + " has a piece outside";
      for (std::size_t j = block.first; j < i; ++j)
        if (plan.pieces[i].adjusted(0.1, 0.1, -0.1, -0.1).intersects(plan.pieces[j]))
          return block.place.title + " has pieces on each other";
    }
    const Stack stack = block.place.site.stack;
    if (a > 0 && stack != Stack::None && stack != plan.blocks[a - 1].place.site.stack &&
        block.row == plan.blocks[a - 1].row)
      return block.place.title + " does not begin a row";
  }
  return {};
}

double usedShare(const ModelPlan& plan) {
  double used = 0.0;
  for (const PlanBlock& block : plan.blocks) used += block.frame.width() * block.frame.height();
  return used / (plan.size.width() * plan.size.height());
}

/// A block that stands alone in its row, stacked though its pieces had room side by side; "" if
/// there is none.
QString holeIn(const ModelPlan& plan) {
  for (std::size_t a = 0; a < plan.blocks.size(); ++a) {
    const PlanBlock& block = plan.blocks[a];
    const auto row = [&](const PlanBlock& other) { return other.row == block.row; };
    if (std::ranges::count_if(plan.blocks, row) > 1) continue;
    double all = 0.0, bottom = 0.0, highest = 0.0;
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
      const QRectF& piece = plan.pieces[i];
      bottom = std::max(bottom, piece.bottom());
      highest = std::max(highest, piece.height());
      all += piece.width();
    }
    const bool stacked = bottom - plan.pieces[block.first].top() > highest + 0.1;
    if (stacked && all < block.frame.width() - 8) return block.place.title;
  }
  return {};
}

void addPresets() {
  QTest::addColumn<QString>("preset");
  for (const Preset& preset : presets()) {
    const std::string name(preset.name);
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
}

}  // namespace

class TestModelPlan : public QObject {
  Q_OBJECT

 private slots:
  void isReadInTheOrderOfTheModelMap_data() { addPresets(); }
  void isReadInTheOrderOfTheModelMap() {
    QFETCH(QString, preset);
    const ModelConfig config = configNamed(preset);
    std::vector<ParameterInfo> parameters = parameterLayout(config).parameters;
    const auto wanted = readers(config);
    const auto order = [&] { return readOrder(largestPlan(parameters, {1200, 800}), parameters); };
    QCOMPARE(lateOf(order(), wanted), QString());
    if (parameters.size() < 2) return;
    std::swap(parameters.front(), parameters.back());
    QVERIFY(!lateOf(order(), wanted).isEmpty());
  }

  /// The parameters of a block of the map are one block of the plan.
  void hasTheBlocksOfTheModelMap_data() { addPresets(); }
  void hasTheBlocksOfTheModelMap() {
    QFETCH(QString, preset);
    const ModelConfig config = configNamed(preset);
    const Program program = buildProgram(config, minimalShape(config), {});
    const observe::ModelMap map = observe::modelMap(program);
    const std::vector<ParameterInfo> parameters = program.parameters.parameters;
    const ModelPlan plan = planAt(parameters, 1200, 2.0);
    std::set<std::string> seen;
    for (const std::size_t leaf : map.leaves) {
      const observe::MapNode& block = map.nodes[map.nodes[leaf].parent];
      for (const TensorId id : map.nodes[leaf].weights) {
        const std::string& name = program.tensors[std::size_t(id)].name;
        const auto found = std::ranges::find(parameters, name, &ParameterInfo::name);
        if (found == parameters.end() || !seen.insert(name).second) continue;
        const PlanBlock& own = plan.blockOf(std::size_t(found - parameters.begin()));
        QCOMPARE(own.place.site.stack, block.site.stack);
        QCOMPARE(own.place.site.layer, block.site.layer);
        QCOMPARE(own.place.site.block, block.site.block);
      }
    }
    QCOMPARE(seen.size(), parameters.size());
  }

  void fillsThePageWithoutOverlaps_data() {
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QSizeF>("page");
    for (const char* preset :
         {"rot13", "small-translator", "sentiment-classifier", "masked-encoder",
          "funnel-b4-4-4-small", "funnel-tagger", "delight-wmt14-en-de-128"})
      for (const QSizeF& page : {QSizeF(760, 560), QSizeF(1080, 760), QSizeF(1500, 800)})
        QTest::addRow("%s %g", preset, page.width()) << QString(preset) << page;
  }
  void fillsThePageWithoutOverlaps() {
    QFETCH(QString, preset);
    QFETCH(QSizeF, page);
    const auto parameters = parameterLayout(configNamed(preset)).parameters;
    const ModelPlan plan = largestPlan(parameters, page);
    QCOMPARE(problemOf(plan, page.width()), QString());
    QVERIFY2(usedShare(plan) > 0.8, qPrintable(QString::number(usedShare(plan))));
  }

  void rowsLeaveNoHoleBesideTheirPieces() {
    const auto parameters = parameterLayout(configNamed("rot13")).parameters;
    bool control = false;
    for (const double width : {760.0, 1000.0, 1400.0}) {
      ModelPlan plan = planAt(parameters, width, 7);
      QCOMPARE(problemOf(plan, width), QString());
      QCOMPARE(holeIn(plan), QString());
      for (const PlanBlock& block : plan.blocks)
        for (std::size_t i = 1; i < block.count; ++i) {
          QRectF& piece = plan.pieces[block.first + i];
          piece.moveTop(plan.pieces[block.first + i - 1].bottom());
        }
      control = control || !holeIn(plan).isEmpty();
    }
    QVERIFY(control);
  }

  void theCheckFindsABrokenPlan() {
    const auto parameters = parameterLayout(configNamed("rot13")).parameters;
    const ModelPlan good = largestPlan(parameters, {1080, 760});
    QCOMPARE(problemOf(good, 1080), QString());
    ModelPlan broken = good;
    broken.blocks[1].frame = broken.blocks[0].frame;
    QVERIFY(!problemOf(broken, 1080).isEmpty());
    broken = good;
    broken.pieces[1] = broken.pieces[0];
    QVERIFY(!problemOf(broken, 1080).isEmpty());
    broken = good;
    for (PlanBlock& block : broken.blocks) block.row = 0;
    QVERIFY(!problemOf(broken, 1080).isEmpty());
  }

  /// The encoder's states go into each cross-attention, by a lane beside the blocks.
  void arrowsLeadFromTheEncoderToWhatReadsIt_data() { addPresets(); }
  void arrowsLeadFromTheEncoderToWhatReadsIt() {
    QFETCH(QString, preset);
    const ModelConfig config = configNamed(preset);
    const auto parameters = parameterLayout(config).parameters;
    const ModelPlan plan = planAt(parameters, 1200, 2.0);
    std::int64_t links = 0;
    for (const PlanBlock& block : plan.blocks) {
      const bool reads = attendsToMemory(block.place.site.kind) && config.hasEncoder();
      QCOMPARE(block.memory.has_value(), reads);
      QVERIFY(plan.lane == 0.0 || block.frame.right() < plan.lane);
      if (!reads) continue;
      ++links;
      const PlanBlock& from = plan.blocks[*block.memory];
      QCOMPARE(from.place.site.stack, Stack::Encoder);
      QVERIFY(plan.blocks[*block.memory + 1].place.site.stack != Stack::Encoder);
      QVERIFY(from.row < block.row);
    }
    QCOMPARE(links, config.hasEncoder() ? std::ssize(config.decoder_layers) : 0);
    QCOMPARE(plan.lane > 0.0, links > 0);
    QVERIFY(plan.lane < plan.size.width());
  }

  /// What is lower than its row is stacked, unless the row has room beside it.
  void roomAtTheEndOfARowIsUsed() {
    const Site input{Stack::Encoder, -1, -1}, layer{Stack::Encoder, 0, 0};
    std::vector<PlanPiece> pieces{{{input}, {40, 100}}};
    for (int i = 0; i < 4; ++i) pieces.push_back({{layer}, {40, 45}});
    const auto columns = [&](double width) {
      return layOutPlan(pieces, {.width = width, .gap = 10}).columns;
    };
    QCOMPARE(columns(135), (std::vector<int>{0, 0, 0, 1, 1}));
    QCOMPARE(columns(215), (std::vector<int>{0, 0, 1, 2, 3}));
  }

  void aLayerThatFitsIsNotSplit() {
    const Site first{Stack::Encoder, 0, 0}, second{Stack::Encoder, 1, 0};
    const std::vector<RowPart> parts{{40, first}, {40, first}, {40, second}, {40, second}};
    const auto rows = [&](double width) {
      std::vector<int> numbers;
      for (const RowPlace& place : placeInRows(parts, width, 5)) numbers.push_back(place.row);
      return numbers;
    };
    QCOMPARE(rows(200), (std::vector<int>{0, 0, 0, 0}));
    QCOMPARE(rows(140), (std::vector<int>{0, 0, 1, 1}));
    QCOMPARE(rows(50), (std::vector<int>{0, 1, 2, 3}));
  }

  void aStackBeginsARow() {
    const std::vector<RowPart> parts{
        {40, {Stack::Encoder}}, {40, {Stack::Decoder}}, {40, {Stack::None}}};
    const auto places = placeInRows(parts, 500, 5);
    QCOMPARE(places[1].row, 1);
    QCOMPARE(places[2].row, 1);
    QCOMPARE(places[2].left, 45.0);
  }

  /// While a matrix grows, all others stay in their rows and columns.
  void keptRowsAndColumnsStay() {
    const auto parameters = parameterLayout(configNamed("rot13")).parameters;
    std::vector<PlanPiece> pieces;
    for (const ParameterInfo& p : parameters)
      pieces.push_back({{p.tag.site}, {double(p.cols()) * 4, double(p.rows()) * 4}});
    const PlanSpace space{.width = 600, .gap = 5, .row_gap = 5};
    const ModelPlan before = layOutPlan(pieces, space);
    pieces[2].size *= 20.0;
    const ModelPlan kept = layOutPlan(pieces, space, &before), other = layOutPlan(pieces, space);
    QCOMPARE(kept.columns, before.columns);
    const auto rows = [](const ModelPlan& plan) {
      std::vector<int> numbers;
      for (const PlanBlock& block : plan.blocks) numbers.push_back(block.row);
      return numbers;
    };
    QCOMPARE(rows(kept), rows(before));
    QVERIFY(rows(other) != rows(before));
  }

  void titlesNameALayerOnce() {
    std::vector<ParameterTag> tags;
    for (const ParameterInfo& p : parameterLayout(configNamed("rot13")).parameters)
      tags.push_back(p.tag);
    std::vector<QString> titles;
    for (const PlanPlace& place : planPlaces(tags)) titles.push_back(place.title);
    titles.erase(std::unique(titles.begin(), titles.end()), titles.end());
    const std::vector<QString> wanted{"encoder input",
                                      "encoder layer 1: self attention",
                                      "feed forward",
                                      "decoder input",
                                      "decoder layer 1: self attention",
                                      "cross attention",
                                      "feed forward",
                                      "output"};
    QCOMPARE(titles, wanted);
  }
};

TFM_TEST(TestModelPlan)
#include "test_model_plan.moc"
