// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <vector>

#include "core/train/metrics.h"
#include "ui/elastic/elastic_mark.h"

/// A submodel that answered `right` of `examples` held-out examples.
inline tfm::ui::ElasticPoint pointOf(tfm::ui::ElasticKind kind, const QString& name,
                                     const std::vector<std::int64_t>& widths, std::int64_t right,
                                     std::int64_t examples = 2000, std::uint64_t seed = 1) {
  tfm::train::SubmodelScore score;
  score.submodel.widths = widths;
  std::int64_t sum = 0;
  for (const std::int64_t width : widths) sum += width;
  // A small classifier: embeddings and attention of 214,000, 129 for each feed-forward unit.
  score.cost = {214'000 + 129 * sum, 9'300'000 + 8'256 * sum};
  score.examples = examples;
  score.answers = {right, examples};
  score.loss = 1.35 - 1.15 * score.accuracy();
  score.agreement = 0.5 + 0.5 * score.accuracy();
  score.divergence = 0.2 * (1 - score.accuracy());
  score.milliseconds = 0.21 + 1.6e-4 * double(sum);
  return {kind, name, seed, score};
}

/// Four granularities, their separately trained twins and all mixes of four layers with at most
/// two neighbouring granularities, for three seeds; the mixes for the first.
inline std::vector<tfm::ui::ElasticPoint> sampleScores() {
  using tfm::ui::ElasticKind;
  const std::int64_t widths[] = {32, 64, 128, 256};
  const char* const names[] = {"S", "M", "L", "XL"};
  const std::int64_t nested[4][3] = {
      {1608, 1622, 1596}, {1633, 1651, 1629}, {1652, 1664, 1641}, {1659, 1670, 1652}};
  const std::int64_t separate[4][3] = {
      {1590, 1617, 1601}, {1639, 1640, 1612}, {1655, 1648, 1650}, {1662, 1675, 1641}};
  std::vector<tfm::ui::ElasticPoint> points;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::vector<std::int64_t> all(4, widths[i]);
      points.push_back(
          pointOf(ElasticKind::Trained, names[i], all, nested[i][seed - 1], 2000, seed));
      points.push_back(
          pointOf(ElasticKind::Separate, names[i], all, separate[i][seed - 1], 2000, seed));
    }
  const std::int64_t mixed[] = {1612, 1625, 1622, 1630, 1649, 1640, 1655, 1657, 1661};
  for (std::size_t step = 0; step < 3; ++step)
    for (std::size_t larger = 1; larger < 4; ++larger) {
      std::vector<std::int64_t> mix(4, widths[step]);
      for (std::size_t i = 0; i < larger; ++i) mix[3 - i] = widths[step + 1];
      const QString name =
          QStringLiteral("%1,%2,%3,%4").arg(mix[0]).arg(mix[1]).arg(mix[2]).arg(mix[3]);
      points.push_back(pointOf(ElasticKind::Mixed, name, mix, mixed[3 * step + larger - 1]));
    }
  return points;
}

/// Evaluations every 50 of 1,000 steps that four granularities climb one above the other.
inline std::vector<tfm::train::Evaluation> sampleEvaluations() {
  std::vector<tfm::train::Evaluation> evaluations;
  for (std::int64_t step = 50; step <= 1000; step += 50) {
    tfm::train::Evaluation evaluation;
    evaluation.step = step;
    evaluation.examples = 2000;
    for (int i = 0; i < 4; ++i) {
      const double learned = 1 - std::exp(-double(step) / (260.0 + 30 * i));
      const double accuracy =
          0.5 + (0.312 + 0.012 * i) * learned + 0.004 * std::sin(double(step * (i + 3)));
      evaluation.granularities.push_back({1.35 - 1.15 * accuracy, accuracy});
    }
    evaluations.push_back(evaluation);
  }
  return evaluations;
}
