// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences that shrink, blocks that swell.
#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/shape/length_band.h"
#include "ui/views/shape/scaling_panel.h"
#include "ui/views/shape/shape_view.h"
#include "ui/views/shape/width_strands.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kShapeSteps = 60;  // enough for states that are no longer random

}  // namespace

void Tour::trainShortly(const char* preset, const char* task, const QString& question) {
  train::TrainConfig training;
  training.batch_size = 16;
  training.stop.steps = kShapeSteps;
  document_.start(presetNamed(preset).config(), data::defaultTaskConfig(task), training);
  document_.observing().setQuestion(question);
  document_.training().play();
  await(QString("%1 trains").arg(preset),
        [&] { return document_.training().step() >= kShapeSteps; });
  Robot::waitUntil([&] { return !document_.training().isRunning(); }, kPatience);
}

void Tour::seeFunnel() {
  ShapeView& shape = window_.shape();
  LengthBand& band = shape.pictures().band();
  const auto states_are_seen = [&] { return shape.isReady() && !band.values().empty(); };
  trainShortly("funnel", "sentiment",
               "the film was charming and the ending of this story moved me");
  window_.showScreen(kShape);
  shape.showSide(ShapeSide::Length);
  await("the states of a Funnel are seen", states_are_seen);
  const auto& stages = band.stages();
  check(stages.back().length < stages.front().length, "the sequence shrinks");
  for (std::size_t stage = 1; stage < stages.size(); ++stage)
    if (stages[stage].length < stages[stage - 1].length) {
      Robot::click(*band.viewport(), band.itemRect(band.items().of(stage, 1)).center());
      break;
    }
  check(band.lockedItem() >= 0, "a click locks a pooled position");
  picture("shape-funnel");
  exportAll("shape-length", band);
  inOtherLooks([this](const QString& look) { picture("shape-funnel-" + look); });
  Robot::press(band, Qt::Key_Escape);
  check(band.lockedItem() < 0, "Esc frees the position");
  window_.showScreen(kAttention);
  const auto pooled_maps_are_seen = [this] {
    return window_.attention().lock({1, 0, 0}, std::nullopt);
  };
  await("pooled layers have maps of their own", pooled_maps_are_seen);
  picture("attention-funnel");

  trainShortly("funnel-tagger", "sort", "funnelshape");
  window_.showScreen(kShape);
  await("the states of its decoder are seen", states_are_seen);
  check(band.stages().back().length == band.stages().front().length,
        "the sequence is stretched again");
  Robot::click(*band.viewport(), band.itemRect(band.items().of(2, 2)).center());
  picture("shape-funnel-decoder");
  Robot::press(band, Qt::Key_Escape);
}

void Tour::seeDelight() {
  ShapeView& shape = window_.shape();
  WidthStrands& strands = shape.pictures().strands();
  trainShortly("delight", "reverse", "there");
  window_.showScreen(kShape);
  shape.showSide(ShapeSide::Width);
  await("the states inside a DeLighT are seen",
        [&] { return shape.isReady() && !strands.values().empty(); });
  int grouped = -1;
  for (int item = 0; item < strands.itemCount() && grouped < 0; ++item) {
    const Strand& strand = strands.strandLayout().strands[std::size_t(item)];
    if (strands.chains()[strand.chain].layer >= 0 &&
        strands.chains()[strand.chain].maps[strand.map].groups > 1)
      grouped = item;
  }
  check(grouped >= 0, "there are groups");
  if (grouped >= 0) Robot::click(*strands.viewport(), strands.itemRect(grouped).center());
  check(strands.lockedItem() == grouped, "a click locks a strand");
  picture("shape-delight");
  exportAll("shape-width", strands);
  Robot::press(strands, Qt::Key_Escape);
  window_.showScreen(kMatrices);
  Robot::wait(1.5);
  picture("matrices-delight");

  window_.showScreen(kShape);
  shape.showPreset("delight-wmt14-en-de-128");
  await("a preset has outlines", [&] { return shape.isReady(); });
  check(strands.values().empty(), "outlines have no values");
  const QString published = shape.scaling().parameters();
  picture("shape-outlines");
  ScalingChart& chart = shape.scaling().chart();
  emit chart.dragged(ScalingEnd::Most, 6);
  await("parameters follow the scaling",
        [&] { return shape.isReady() && shape.scaling().parameters() != published; });
  picture("shape-scaling");
  exportAll("block-wise-scaling", chart);
  shape.showPreset("");
}

}  // namespace tfm::ui
