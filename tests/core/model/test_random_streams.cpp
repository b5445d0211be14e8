// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/random_streams.h"

#include <QTest>
#include <set>

#include "core/model/build_program.h"
#include "core/model/config_fields.h"
#include "core/model/presets.h"
#include "tests/test_program.h"

using tfm::RandomStreams;

class TestRandomStreams : public QObject {
  Q_OBJECT

 private slots:
  void noTwoUsesShareAStream() {
    for (const RandomStreams& a : tfm::streams::kAll) {
      QVERIFY(a.count >= 1 && a.first + a.count <= 0x1000000);
      for (const RandomStreams& b : tfm::streams::kAll) {
        const bool apart = a.first + a.count <= b.first || b.first + b.count <= a.first;
        QVERIFY2(apart || a.draws == b.draws, b.draws.data());
      }
    }
  }

  /// More parameters and dropout sites than any other config has.
  void theDeepestModelHasEnoughStreams() {
    tfm::ModelConfig c = tfm::presetNamed("small-sequence").config();
    c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.1;
    tfm::setUniform(c, tfm::kMaxLayers, tfm::kMaxLayers, {1, 1, 1, 1, 1e-5});
    for (auto* layers : {&c.encoder_layers, &c.decoder_layers})
      for (tfm::LayerConfig& layer : *layers) layer.gated = true;
    const tfm::Program program = tfm::buildProgram(c, tfm::minimalShape(c), {.training = true});
    std::set<std::uint32_t> streams;
    const std::size_t parameters = program.parameters.parameters.size();
    for (std::size_t i = 0; i < parameters; ++i) streams.insert(tfm::streams::firstValues(i));
    std::size_t sites = 0;
    const auto add = [&](const tfm::DropoutArguments& dropout) {
      streams.insert(dropout.stream);
      ++sites;
    };
    for (const tfm::Step& step : program.steps) {
      if (const auto* d = std::any_cast<tfm::DropoutArguments>(&step.arguments)) add(*d);
      if (const auto* a = std::any_cast<tfm::AttentionArguments>(&step.arguments)) add(a->dropout);
    }
    QVERIFY(parameters > 40'000 && sites > 9'000);
    QCOMPARE(streams.size(), parameters + sites);
  }

  void moreSitesThanStreamsAreRefused() {
    QCOMPARE(tfm::streams::kUntrained.at(0xFFF), std::uint32_t(0x4FFF));
    QVERIFY_EXCEPTION_THROWN(tfm::streams::kUntrained.at(0x1000), std::logic_error);
  }
};

TFM_TEST(TestRandomStreams)
#include "test_random_streams.moc"
