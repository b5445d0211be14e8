// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"

namespace tfm {

/// The streams that one use of random numbers has for itself: first ... first + count - 1.
struct RandomStreams {
  std::string_view draws;  ///< what is drawn, and what a step of it is
  std::uint32_t first;
  std::uint32_t count = 1;

  /// The stream of site `i` of this use.
  std::uint32_t at(std::uint64_t i) const {
    check(i < count, "a use of random numbers has enough streams");
    return first + std::uint32_t(i);
  }
};

/// Every use of Random, so that no two share a stream. Files and losses depend on these numbers.
/// Random knows 24 bits of a stream.
namespace streams {

inline constexpr RandomStreams kBenchmark{"inputs of a benchmark; step: which input", 0};
inline constexpr RandomStreams kFirstValues{"first values of the first 4,096 parameters", 0x1000,
                                            0x1000};
inline constexpr RandomStreams kSampling{"tokens of an answer; step: the prompt", 0x2000};
inline constexpr RandomStreams kGranularity{"the granularity that a training step trains", 0x3A7F};
inline constexpr RandomStreams kMixes{"submodels of Mix'n'Match", 0x3A80};
inline constexpr RandomStreams kUntrained{"weights that are not trained; step: the granularity",
                                          0x4000, 0x1000};
inline constexpr RandomStreams kShares{"how copies of a component share a weight", 0x5117};
inline constexpr RandomStreams kGrowthSeed{"the seed of a growth; step: of the training", 0x6077};
inline constexpr RandomStreams kBroken{"what a broken growth puts in; step: the parameter", 0xB20C};
inline constexpr RandomStreams kMoreFirstValues{"first values of all other parameters", 0x100000,
                                                0x100000};
inline constexpr RandomStreams kDropout{"dropout sites; step: of the training", 0x800000, 0x100000};
inline constexpr RandomStreams kTrainingExamples{"training examples; step: the example", 0xDA0001};
inline constexpr RandomStreams kHeldOutExamples{"held-out examples; step: the example", 0xDA0002};
inline constexpr RandomStreams kOrder{"the order of an epoch; step: the epoch", 0xDA0003};
inline constexpr RandomStreams kWindow{"the order of some batches; step: the first", 0xDA0004};
inline constexpr RandomStreams kFacts{"facts; step 0: themselves, 1: their order", 0xDA0005};
inline constexpr RandomStreams kQuestions{"questions to a model without a task; step: which",
                                          0xDA0006};
inline constexpr RandomStreams kHidden{"tokens hidden from training; step: the example", 0xDA0007};
inline constexpr RandomStreams kHeldOutHidden{"tokens hidden for evaluation; step: the example",
                                              0xDA0008};
inline constexpr RandomStreams kDrawnFeatures{"features that stand for tokens; step: the token",
                                              0xDA0009};
inline constexpr RandomStreams kRegression{"the map that a regression learns; step: which of two",
                                           0xDA000A};

inline constexpr std::array kAll{kBenchmark, kFirstValues, kSampling,         kGranularity,
                                 kMixes,     kUntrained,   kShares,           kGrowthSeed,
                                 kBroken,    kDropout,     kTrainingExamples, kHeldOutExamples,
                                 kOrder,     kWindow,      kMoreFirstValues,  kFacts,
                                 kQuestions, kHidden,      kHeldOutHidden,    kDrawnFeatures,
                                 kRegression};

/// The stream of the first values of a parameter, by its place in the layout.
inline std::uint32_t firstValues(std::size_t place) {
  return place < kFirstValues.count ? kFirstValues.at(place)
                                    : kMoreFirstValues.at(place - kFirstValues.count);
}

}  // namespace streams
}  // namespace tfm
