// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/ask/weight_step.h"
#include "core/document/untrained.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::train;

namespace {

struct Opened {
  Document document = untrained(presetNamed("rot13"));
  std::shared_ptr<const data::TextCodec> codec = makeCodec(document);

  WeightStep step(const std::string& weight, const std::string& text = "there") const {
    return weightStep(document.state, document.train, *codec,
                      framingFor(document.state.config, *codec), text, weight);
  }
};

/// Of different kinds, in both stacks.
const std::array<std::string, 5> kWeights{
    "output.weight[2, 3]", "encoder.layers.0.self_attention.query.weight[4, 1]",
    "decoder.layers.0.cross_attention.value.bias[0, 6]",
    "decoder.layers.0.feed_forward.linear1.weight[1, 7]", "encoder.embedding.weight[7, 2]"};

}  // namespace

class TestWeightStep : public QObject {
  Q_OBJECT

 private slots:
  void theMeasuredSlopeIsTheGradient() {
    const Opened opened;
    double largest = 0.0;
    for (const std::string& weight : kWeights) {
      const WeightStep step = opened.step(weight);
      const double distance = std::abs(step.slope - step.gradient);
      QVERIFY2(distance <= 1e-5 + 1e-4 * std::abs(step.gradient), weight.c_str());
      largest = std::max(largest, std::abs(step.gradient));
      // The first step of Adam goes against the gradient, as far as the learning rate.
      QVERIFY(step.gradient == 0.0 || (step.next < step.value) == (step.gradient > 0.0));
    }
    QVERIFY(largest > 1e-3);
    // The control: the slope of one weight is not the gradient of another.
    QVERIFY(std::abs(opened.step(kWeights[0]).slope - opened.step(kWeights[2]).gradient) > 1e-4);
  }

  void aLetterThatIsNotReadTeachesNothing() {
    const WeightStep read = Opened().step("encoder.embedding.weight[7, 2]");     // h
    const WeightStep unread = Opened().step("encoder.embedding.weight[25, 2]");  // z
    QVERIFY(read.gradient != 0.0 && read.slope != 0.0);
    QCOMPARE(unread.gradient, 0.0);
    QCOMPARE(unread.slope, 0.0);
  }

  void whatIsNoWeightIsRefused() {
    const auto problem = [](const std::string& weight) {
      const auto found = problemOf([&] { (void)Opened().step(weight); });
      return found ? found->problem() : std::string();
    };
    QCOMPARE(problem("output[0, 0]"), std::string("'output[0, 0]' is no weight"));
    QVERIFY(problem("output.weight[99, 0]").find("outside") != std::string::npos);
    QVERIFY(problem("no.such[0, 0]").find("names no tensor") != std::string::npos);
  }
};

TFM_TEST(TestWeightStep)
#include "test_weight_step.moc"
