// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the notes on Funnel-Transformer and DeLighT.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/model/build_program.h"
#include "core/observe/stack_stages.h"
#include "core/reproduce/lightweight_sizes.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(std::to_string(i));
  return names;
}

Drawing ladder(const std::vector<std::int64_t>& chosen) {
  const Numbers blocks = lengthsOf(funnelOf444(), chosen[0]);
  return {.kind = DrawingKind::Bars,
          .x_title = "layer",
          .y_title = "positions",
          .series = {{.name = "every layer pools, as the notes say",
                      .y = lengthsOf(funnelOf444(true), chosen[0])},
                     {.name = "the first layer of a block pools (blocks of 4)", .y = blocks}},
          .names = numbered(blocks.size())};
}

Drawing indices(const std::vector<std::int64_t>& chosen) {
  const std::int64_t times = std::int64_t{1} << (chosen[1] - 1);
  const std::int64_t length = chosen[0] / times * times;
  Series engine{.name = "engine: floor(i / 2^(M-1)) with i from 0",
                .y = repeatedVectors(length, times)};
  Series notes{.name = "notes: the same with i from 1"};
  for (std::int64_t i = 1; i <= length; ++i) {
    engine.x.push_back(double(i));
    notes.x.push_back(double(i));
    notes.y.push_back(std::floor(double(i) / double(times)));
  }
  return {.x_title = "position, the first is 1",
          .y_title = "vector that it repeats, the first is 0",
          .series = {std::move(notes), std::move(engine)},
          .levels = {{"the last vector", double(length / times - 1)}}};
}

/// Operations of each layer, the first being 1.
Numbers measuredCost(std::int64_t tokens) {
  Numbers cost;
  for (const observe::StackStage& stage :
       observe::stackStages(buildProgram(funnelOf444(), {1, tokens, 0}, {}), Stack::Encoder))
    if (stage.layer >= 0) cost.push_back(double(stage.flops));
  const double first = cost.front();
  for (double& one : cost) one /= first;
  return cost;
}

Drawing cost(const std::vector<std::int64_t>& chosen) {
  Drawing drawing{.kind = DrawingKind::Bars,
                  .x_title = "layer of a Funnel with blocks of 4, hidden size 768",
                  .y_title = "operations, the first layer being 1",
                  .series = {{.name = "\"a factor of four\" per pooling"},
                             {.name = "\"a linear speedup\": a factor of two"},
                             {.name = "operations of this engine", .y = measuredCost(chosen[0])}}};
  const Numbers lengths = lengthsOf(funnelOf444(), chosen[0]);
  for (const double length : lengths) {
    const double share = length / lengths.front();
    drawing.series[0].y.push_back(share * share);
    drawing.series[1].y.push_back(share);
  }
  drawing.names = numbered(lengths.size());
  return drawing;
}

Drawing groups(const std::vector<std::int64_t>& chosen) {
  Drawing drawing{
      .kind = DrawingKind::Bars,
      .x_title = "groups",
      .y_title = "weights",
      .series = {{.name = "counted in the engine's grouped map"}, {.name = "G d_group^2"}},
      .levels = {{"dense: d_in x d_out", double(chosen[0] * chosen[0])}}};
  for (std::int64_t count = 1; count <= 16 && chosen[0] % count == 0; count *= 2) {
    drawing.names.push_back(std::to_string(count));
    const double each = double(chosen[0]) / double(count);
    drawing.series[0].y.push_back(weightsOfGroups(chosen[0], count));
    drawing.series[1].y.push_back(double(count) * each * each);
  }
  return drawing;
}

Drawing widths(const std::vector<std::int64_t>& chosen) {
  Drawing drawing{.kind = DrawingKind::Bars,
                  .x_title = "map of the DExTra unit, and its groups",
                  .y_title = "outputs",
                  .series = {{.name = "outputs"}},
                  .levels = {{"d_max = w_m d_in, w_m = 2", 2.0 * double(chosen[0])},
                             {"d_0 = d / 2", double(chosen[0]) / 2}}};
  for (const GroupedSizes& map : dextraUnit(chosen[0], chosen[1])) {
    drawing.names.push_back(std::to_string(drawing.names.size() + 1) + " (" +
                            std::to_string(map.groups) + ')');
    drawing.series[0].y.push_back(double(map.outputs));
  }
  return drawing;
}

Drawing shuffle(const std::vector<std::int64_t>&) {
  constexpr std::int64_t kSize = 8;
  const Numbers order = shuffled(kSize, 2);
  Drawing drawing{.x_title = "the shuffle", .y_title = "place", .names = {"before", "after"}};
  for (std::int64_t group = 0; group < 2; ++group) {
    const std::string letter = group == 0 ? "x" : "y";
    for (std::int64_t i = 0; i < kSize / 2; ++i) {
      const double before = double(group * kSize / 2 + i + 1);
      const auto after = double(std::ranges::find(order, before) - order.begin() + 1);
      const std::string name = letter + std::to_string(i + 1);
      drawing.series.push_back({name, {0, 1}, {before, after}, {name, name}});
    }
  }
  return drawing;
}

}  // namespace

std::vector<Picture> lightweightPictures() {
  return {
      {.name = "lengths",
       .title = "The ladder of lengths: pooling in every layer, or once per block",
       .says = "T_M = T / 2^(M-1) holds for blocks. If each layer pooled, as the notes say, a text "
               "would be gone after a few layers; one that is too short keeps its length.",
       .choices = {{"Tokens", 512, 8, 512}},
       .drawn = ladder},
      {.name = "index",
       .title = "floor(i / 2^(M-1)): which vector a position repeats",
       .says =
           "With i = 1 ... T, as the notes write it, the last position asks for a vector after the "
           "last one, and the first vector is repeated once less.",
       .choices = {{"Positions T", 8, 4, 64}, {"Blocks M", 3, 1, 5}},
       .drawn = indices},
      {.name = "cost",
       .title = "\"A quarter per layer\" and \"linear\", beside what each layer costs",
       .says = "Only the scores of attention become four times cheaper, all maps twice. The first "
               "layer of a block still reads the keys and values of the unpooled states.",
       .choices = {{"Tokens", 512, 16, 512, 16}},
       .drawn = cost},
      {.name = "shuffle",
       .title = "The shuffle of [x1 ... x4, y1 ... y4]",
       .says =
           "1 ... 8 through the engine's grouped map with two identity matrices. The notes call "
           "it the input mixer, which is something else: it hands the unit's input to each map.",
       .drawn = shuffle},
      {.name = "groups",
       .title = "G d_group^2 weights against a dense map",
       .says = "512 features in 4 groups of 128 take a quarter of the 262,144 weights.",
       .choices = {{"Features", 512, 16, 1024, 16}},
       .drawn = groups},
      {.name = "widths",
       .title = "d_max and d_0: the maps of a DExTra unit",
       .says =
           "The first half of the maps expand to d_max = w_m d_in, the others reduce to d_0 = d / "
           "2. Sizes are rounded up to a multiple of the groups and of 8, as in the official "
           "code.",
       .choices = {{"Hidden size d", 128, 32, 1024, 32}, {"Maps N", 4, 2, 12}},
       .drawn = widths},
  };
}

}  // namespace tfm::reproduce
