// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/elastic_mark.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/matformer/front.h"

namespace tfm::ui {
namespace {

/// The measurements of one mark, by seed.
using Measured = std::map<std::uint64_t, const ElasticPoint*>;

template <class Value>
train::Spread spreadOver(const Measured& measured, Value value) {
  std::vector<double> values;
  for (const auto& [seed, point] : measured) values.push_back(double(value(point->score)));
  return train::spreadOf(values);
}

ElasticMark markOf(const Measured& measured) {
  const ElasticPoint& first = *measured.begin()->second;
  ElasticMark mark;
  mark.kind = first.kind;
  mark.name = first.name;
  mark.submodel = first.score.submodel;
  mark.cost = first.score.cost;
  for (const auto& [seed, point] : measured) mark.seeds.push_back(seed);
  mark.by_position = first.score.answers.by_position;
  const auto each = [&](double train::SubmodelScore::*number) {
    return spreadOver(measured, [number](const auto& score) { return score.*number; });
  };
  const auto meanCount = [&](const auto& count) {
    return std::llround(spreadOver(measured, count).mean);
  };
  mark.accuracy = spreadOver(measured, [](const auto& score) { return score.accuracy(); });
  mark.loss = each(&train::SubmodelScore::loss);
  mark.agreement = each(&train::SubmodelScore::agreement);
  mark.divergence = each(&train::SubmodelScore::divergence);
  mark.milliseconds = each(&train::SubmodelScore::milliseconds);
  mark.examples = meanCount([](const auto& score) { return score.examples; });
  mark.interval =
      train::wilsonInterval({meanCount([](const auto& score) { return score.answers.right; }),
                             meanCount([](const auto& score) { return score.answers.all; })});
  return mark;
}

}  // namespace

std::vector<ElasticMark> marksOf(std::span<const ElasticPoint> points) {
  std::map<std::pair<ElasticKind, Submodel>, Measured> groups;
  for (const ElasticPoint& point : points)
    groups[{point.kind, point.score.submodel}][point.seed] = &point;
  std::vector<ElasticMark> marks;
  for (const auto& [key, measured] : groups) marks.push_back(markOf(measured));
  std::stable_sort(marks.begin(), marks.end(), [](const ElasticMark& a, const ElasticMark& b) {
    return std::tie(a.cost.parameters, a.cost.flops) < std::tie(b.cost.parameters, b.cost.flops);
  });
  return marks;
}

double costOf(const ElasticMark& mark, CostAxis axis) {
  const double costs[] = {double(mark.cost.parameters), double(mark.cost.flops),
                          mark.milliseconds.mean};
  return costs[int(axis)];
}

std::vector<std::size_t> frontOf(std::span<const ElasticMark> marks, CostAxis axis) {
  std::vector<matformer::Tradeoff> tradeoffs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].kind == ElasticKind::Separate) continue;
    tradeoffs.push_back({costOf(marks[i], axis), marks[i].accuracy.mean});
    places.push_back(i);
  }
  std::vector<std::size_t> front = matformer::paretoFront(tradeoffs);
  for (std::size_t& place : front) place = places[place];
  return front;
}

QStringList granularityNames(std::span<const ElasticMark> marks) {
  QStringList names;
  for (const ElasticMark& mark : marks)
    if (mark.kind != ElasticKind::Mixed && !names.contains(mark.name)) names << mark.name;
  return names;
}

}  // namespace tfm::ui
