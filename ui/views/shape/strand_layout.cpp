// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/strand_layout.h"

#include <algorithm>

namespace tfm::ui {
namespace {

// Pixels at scale 1.
constexpr double kColumn = 12.0;
constexpr double kStrand = 34.0;
constexpr double kCrossing = 26.0;
constexpr double kStrandSpace = 28.0;  // between chains
constexpr double kStrandEdge = 8.0;
constexpr double kLane = 12.0;
constexpr double kLowest = 110.0, kHighest = 300.0;  // the widest states
constexpr double kLeast = 5.0;                       // the narrowest

bool crosses(const observe::PassedMap& map) { return map.shuffled && map.groups > 1; }

double widthOf(const StrandChain& chain) {
  double width = kColumn;
  for (const observe::PassedMap& map : chain.maps)
    width += kStrand + kColumn + (crosses(map) ? kCrossing : 0.0);
  return width;
}

/// The parts of what a map writes that are drawn apart: those in which the next one reads it, and
/// no fewer than come from it.
std::int64_t partsAfter(const StrandChain& chain, std::size_t map) {
  const std::int64_t own = chain.maps[map].groups;
  return map + 1 < chain.maps.size() ? std::max(own, chain.maps[map + 1].groups) : own;
}

class Setter {
 public:
  Setter(StrandLayout& out, double height, double scale)
      : out_(out), height_(height), scale_(scale) {}

  void add(const StrandChain& chain, std::size_t index, const QPointF& corner, double line) {
    const double unit = out_.unit, axis = corner.y() + height_ / 2;
    ChainPlace place;
    double x = corner.x();
    const auto column = [&](std::int64_t width) {
      const double high = std::max(kLeast * unit, double(width) * scale_);
      place.columns.emplace_back(x, axis - high / 2, kColumn * unit, high);
      x += kColumn * unit;
    };
    column(chain.maps.front().inputs);
    for (std::size_t m = 0; m < chain.maps.size(); ++m) {
      const observe::PassedMap& map = chain.maps[m];
      const QRectF from = place.columns.back();
      const double high = std::max(kLeast * unit, double(map.outputs) * scale_);
      const double right = x + kStrand * unit, top = axis - high / 2;
      const std::size_t first = out_.strands.size();
      for (std::int64_t g = 0; g < map.groups; ++g) {
        const double begin = double(g) / double(map.groups), end = double(g + 1) / map.groups;
        out_.strands.push_back(
            {index, m, g,
             QPolygonF({QPointF(x, from.top() + begin * from.height()),
                        QPointF(right, top + begin * high), QPointF(right, top + end * high),
                        QPointF(x, from.top() + end * from.height())})});
      }
      if (map.joined > 0) place.joints.emplace_back(x, from.bottom());
      x = right;
      if (crosses(map)) {
        const std::int64_t parts = partsAfter(chain, m);
        for (std::int64_t g = 0; g < map.groups; ++g)
          for (std::int64_t p = 0; p < parts; ++p)
            out_.crossings.push_back(
                {first + std::size_t(g),
                 p,
                 {x, top + high * (double(g) + (double(p) + 0.5) / double(parts)) / map.groups},
                 {x + kCrossing * unit,
                  top + high * (double(p) + (double(g) + 0.5) / double(map.groups)) / parts}});
        x += kCrossing * unit;
      }
      column(map.outputs);
    }
    place.lane = corner.y() + height_ + kLane * unit / 2;
    place.area = {corner, QPointF(x, corner.y() + height_)};
    place.caption = {corner.x() - kStrandSpace * unit / 2, corner.y() + height_ + kLane * unit,
                     x - corner.x() + kStrandSpace * unit, 2 * line};
    out_.chains.push_back(std::move(place));
  }

 private:
  StrandLayout& out_;
  double height_, scale_;
};

}  // namespace

std::vector<StrandChain> chainsOf(std::span<const observe::StackStage> stages) {
  std::vector<StrandChain> chains;
  for (const observe::StackStage& stage : stages) {
    const observe::PassedMap* before = nullptr;
    for (const observe::PassedMap& map : stage.maps) {
      const bool goes_on = before != nullptr && before->block == map.block &&
                           map.inputs == map.joined + before->outputs;
      if (!goes_on) chains.push_back({stage.layer, {}});
      chains.back().maps.push_back(map);
      before = &map;
    }
  }
  return chains;
}

StrandLayout layOutStrands(std::span<const StrandChain> chains, const StrandRoom& room) {
  StrandLayout out;
  out.unit = room.unit;
  if (chains.empty()) return out;
  const double unit = room.unit, edge = kStrandEdge * unit;
  std::int64_t widest = 1;
  // First in how many lines they stand, then how high these are.
  std::vector<QPoint> seats;  // x: pixels, y: line
  double x = edge;
  int lines = 1;
  for (const StrandChain& chain : chains) {
    const double width = widthOf(chain) * unit;
    if (x > edge && x + width > room.area.width() - edge) {
      x = edge;
      ++lines;
    }
    seats.emplace_back(int(x), lines - 1);
    x += width + kStrandSpace * unit;
    out.size.setWidth(std::max(out.size.width(), x - kStrandSpace * unit + edge));
    for (const observe::PassedMap& map : chain.maps)
      widest = std::max({widest, map.inputs - map.joined, map.outputs});
  }
  const double words = kLane * unit + 2 * room.line + 2 * edge;
  const double fitting = (room.area.height() - 2 * room.line) / lines - words;
  const double height = std::clamp(fitting, kLowest * unit, kHighest * unit);
  Setter setter(out, height, height / double(widest));
  for (std::size_t i = 0; i < chains.size(); ++i)
    setter.add(chains[i], i,
               room.area.topLeft() + QPointF(seats[i].x(), edge + seats[i].y() * (height + words)),
               room.line);
  out.legend_top = room.area.top() + lines * (height + words) + edge;
  out.size.setHeight(out.legend_top + 1.5 * room.line - room.area.top());
  return out;
}

}  // namespace tfm::ui
