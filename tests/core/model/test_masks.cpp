// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/presets.h"
#include "tests/core/model/model_run.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::test::ModelRun;

namespace {

constexpr std::int64_t kLength = 15;
constexpr std::int64_t kLetters = 28;
constexpr std::int64_t kPadded = 4;  // the last positions of the source

/// Logits of one drawn example of the rot13 model; `program` may have been changed before.
struct Example {
  ModelRun run;
  std::vector<std::int32_t> source, target, pad;

  explicit Example(const ModelConfig& config, tfm::Program program) : run(std::move(program)) {
    tfm::test::setDrawnInputs(run, config);
    const tfm::Random random(31, 2);
    for (std::int64_t i = 0; i < kLength; ++i) {
      source.push_back(std::int32_t(random.integer(std::uint64_t(i), 26)));
      target.push_back(std::int32_t(random.integer(100 + std::uint64_t(i), 26)));
      pad.push_back(i >= kLength - kPadded ? 1 : 0);
    }
  }
  std::vector<double> values(std::string_view name) {
    if (run.program().find(tfm::names::kSourceIds) != tfm::kNoTensor) {
      run.setIds(tfm::names::kSourceIds, source);
      run.setIds(tfm::names::kSourcePad, pad);
    }
    run.setIds(tfm::names::kTargetIds, target);
    run.forward();
    return run.values(name);
  }
};

/// The first `rows` rows of both differ by at most 1e-12.
bool sameRows(const std::vector<double>& a, const std::vector<double>& b, std::int64_t rows,
              std::int64_t cols) {
  const auto part = [&](const std::vector<double>& v) {
    return std::vector<double>(v.begin(), v.begin() + rows * cols);
  };
  return tfm::test::worstDifference(part(a), part(b)) <= 1e-12;
}

/// The program without its causal masks.
tfm::Program notCausal(tfm::Program program) {
  for (tfm::Step& step : program.steps)
    if (auto* a = std::any_cast<tfm::AttentionArguments>(&step.arguments)) a->shape.causal = false;
  return program;
}

ModelConfig rot13Config() { return tfm::presetNamed("annotated-rot13").config(); }
ModelConfig languageConfig() { return tfm::presetNamed("character-model").config(); }

tfm::Program programOf(const ModelConfig& config) {
  return tfm::buildProgram(config, {1, config.source_length > 0 ? kLength : 0, kLength}, {});
}

/// The first position whose logits change when the decoder's input changes from `changed` on.
std::int64_t firstChange(const ModelConfig& config, tfm::Program program, std::int64_t changed) {
  Example e(config, std::move(program));
  const std::vector<double> before = e.values(tfm::names::kOutput);
  for (std::int64_t i = changed; i < kLength; ++i)
    e.target[std::size_t(i)] = (e.target[std::size_t(i)] + 1) % 26;
  const std::vector<double> after = e.values(tfm::names::kOutput);
  const std::int64_t cols = std::int64_t(before.size()) / kLength;
  std::int64_t first = 0;
  while (first < kLength && sameRows(before, after, first + 1, cols)) ++first;
  return first;
}

}  // namespace

class TestMasks : public QObject {
  Q_OBJECT

 private slots:
  void theFutureChangesNothingInThePast() {
    for (const ModelConfig& config : {rot13Config(), languageConfig()})
      for (const std::int64_t changed : {1, 2, 7, 14}) {
        QCOMPARE(firstChange(config, programOf(config), changed), changed);
        QCOMPARE(firstChange(config, notCausal(programOf(config)), changed), 0);
      }
  }

  void forbiddenProbabilitiesAreExactlyZero() {
    Example e(rot13Config(), programOf(rot13Config()));
    const std::vector<double> p = e.values("decoder.layers.0.self_attention.probabilities");
    for (std::size_t row = 0; row < p.size() / kLength; ++row)
      for (std::size_t key = row % kLength + 1; key < kLength; ++key)
        QCOMPARE(p[row * kLength + key], 0.0);
  }

  void paddingChangesNothing() {
    Example e(rot13Config(), programOf(rot13Config()));
    const std::int64_t hidden = 8;
    const std::vector<double> states = e.values("encoder.layers.0.feed_forward_norm");
    const std::vector<double> logits = e.values(tfm::names::kOutput);
    const auto changePads = [&] {
      for (std::int64_t i = kLength - kPadded; i < kLength; ++i)
        e.source[std::size_t(i)] = (e.source[std::size_t(i)] + 5) % 26;
    };
    changePads();
    QVERIFY(sameRows(states, e.values("encoder.layers.0.feed_forward_norm"), kLength - kPadded,
                     hidden));
    QVERIFY(sameRows(logits, e.values(tfm::names::kOutput), kLength, kLetters));

    std::fill(e.pad.begin(), e.pad.end(),
              0);  // without the mask the same change is seen everywhere
    const std::vector<double> unmasked = e.values(tfm::names::kOutput);
    changePads();
    QVERIFY(!sameRows(unmasked, e.values(tfm::names::kOutput), 1, kLetters));
  }

  void anEncoderLooksBothWays() {
    Example e(rot13Config(), programOf(rot13Config()));
    const std::vector<double> before = e.values("encoder.layers.0.feed_forward_norm");
    e.source[9] = (e.source[9] + 1) % 26;
    QVERIFY(!sameRows(before, e.values("encoder.layers.0.feed_forward_norm"), 1, 8));
  }
};

TFM_TEST(TestMasks)
#include "test_masks.moc"
