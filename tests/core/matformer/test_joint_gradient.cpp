// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient of several submodels on one batch (Devvrit et al., version 1, equation 3).
#include <QTest>
#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "core/tensor/random.h"
#include "core/train/gradient_engine.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr double kUntouched = 12345.0;

struct Result {
  double loss = 0.0;
  AlignedVector<double> gradient;  ///< kUntouched where nothing was written
};

/// Of one model in double precision on its probe batch.
class Gradients {
 public:
  explicit Gradients(ModelConfig config)
      : config_(std::move(config)),
        parameters_(inDouble(trainedState(config_))),
        batch_(probeBatch(config_)),
        engine_(config_, -1, *backend_, workers_) {}

  AlignedVector<double>& parameters() { return parameters_; }

  Result of(const std::vector<WeightedPart>& parts) {
    Result result{0.0, AlignedVector<double>(parameters_.size(), kUntouched)};
    result.loss = engine_.gradient(parameters_, batch_, 1, 0, result.gradient, {}, parts).loss;
    return result;
  }

 private:
  ModelConfig config_;
  AlignedVector<double> parameters_;
  Batch batch_;
  std::unique_ptr<Backend<double>> backend_ = makeCpuBackend<double>();
  WorkerPool workers_{2};
  GradientEngine<double> engine_;
};

std::vector<WeightedPart> partsOf(const ModelConfig& config, bool heads) {
  matformer::Nesting nesting = smallNesting(heads);
  nesting.weights = {0.4, 0.1, 0.2, 0.3};
  std::vector<WeightedPart> parts;
  for (const matformer::Granularity& one : matformer::granularities(config, nesting))
    parts.push_back({one.submodel, one.weight});
  return parts;
}

}  // namespace

class TestJointGradient : public QObject {
  Q_OBJECT

 private slots:
  void model_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("heads");
    for (const SmallModel& model : nestedModels())
      for (const bool heads : {false, true})
        QTest::addRow("%s%s", model.name.c_str(), heads ? ", heads" : "")
            << QString::fromStdString(model.name) << heads;
  }

  void isTheWeightedSumOfAll_data() { model_data(); }
  void isTheWeightedSumOfAll() {
    QFETCH(QString, name);
    QFETCH(bool, heads);
    const ModelConfig config = nestedModel(name.toStdString()).config;
    Gradients gradients(config);
    const std::vector<WeightedPart> parts = partsOf(config, heads);
    double loss = 0.0, largest = 1.0, worst = 0.0, unweighted = 0.0;
    std::vector<double> sum(gradients.parameters().size(), 0.0), mean = sum;
    for (const WeightedPart& part : parts) {
      const Result one = gradients.of({{part.submodel, 1.0}});
      loss += part.weight * one.loss;
      for (std::size_t i = 0; i < sum.size(); ++i) {
        if (one.gradient[i] == kUntouched) continue;
        sum[i] += part.weight * one.gradient[i];
        mean[i] += 0.25 * one.gradient[i];
      }
    }
    // Last, so that what the single ones left behind would show.
    const Result joint = gradients.of(parts);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      largest = std::max(largest, std::abs(sum[i]));
      worst = std::max(worst, std::abs(sum[i] - joint.gradient[i]));
      unweighted = std::max(unweighted, std::abs(mean[i] - joint.gradient[i]));
    }
    QVERIFY2(worst <= 1e-12 * largest, QByteArray::number(worst));
    QVERIFY(unweighted > 1e-4);
    QVERIFY(std::abs(joint.loss - loss) <= 1e-12 * loss);
  }

  void isTheSlopeOfTheJointLoss_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"encoder post layer", "tied layer", "both shared and tied"})
      QTest::newRow(name) << QString(name);
  }
  void isTheSlopeOfTheJointLoss() {
    QFETCH(QString, name);
    ModelConfig config = nestedModel(name.toStdString()).config;
    config.activation = Activation::Gelu;  // smooth everywhere
    Gradients gradients(config);
    const std::vector<WeightedPart> parts = partsOf(config, true);
    const Result joint = gradients.of(parts);
    AlignedVector<double>& p = gradients.parameters();
    const Random random(5, 5);
    double worst = 0.0, largest = 0.0;
    for (std::uint64_t i = 0; i < 60; ++i) {
      const auto at = std::size_t(random.integer(i, std::int64_t(p.size())));
      constexpr double kStep = 1e-5;
      const double value = p[at];
      const auto lossAt = [&](double x) {
        p[at] = x;
        return gradients.of(parts).loss;
      };
      const double slope = (lossAt(value + kStep) - lossAt(value - kStep)) / (2.0 * kStep);
      p[at] = value;
      worst = std::max(worst, std::abs(slope - joint.gradient[at]));
      largest = std::max(largest, std::abs(slope));
    }
    QVERIFY(largest > 1e-3);
    QVERIFY2(worst < 1e-7 * std::max(1.0, largest), QByteArray::number(worst));
  }

  void neuronsLearnFromTheGranularitiesThatHaveThem() {
    // Rows m_{i-1} < j <= m_i of W_1 and columns of W_2: granularities i and larger (B2).
    ModelConfig config = nestedModel("both pre layer").config;
    config.activation = Activation::Gelu;  // no neuron is dead
    const ParameterLayout layout = trainedState(config).layout;
    Gradients gradients(config);
    for (const WeightedPart& part : partsOf(config, false)) {
      const AlignedVector<double> g = gradients.of({part}).gradient;
      const std::int64_t width = part.submodel.widths.front();
      for (const char* stack : {"encoder", "decoder"}) {
        const std::string place = std::string(stack) + ".layers.1.feed_forward.";
        const ParameterInfo& w1 = *layout.find(place + "linear1.weight");
        const ParameterInfo& b1 = *layout.find(place + "linear1.bias");
        const ParameterInfo& w2 = *layout.find(place + "linear2.weight");
        for (std::int64_t j = 0; j < w1.rows(); ++j) {
          const bool untouched = j >= width;
          double norm = 0.0;
          for (std::int64_t h = 0; h < config.hidden; ++h) {
            const double in = g[std::size_t(w1.offset + j * w1.cols() + h)];
            const double out = g[std::size_t(w2.offset + h * w2.cols() + j)];
            QCOMPARE(in == kUntouched, untouched);
            QCOMPARE(out == kUntouched, untouched);
            norm += std::abs(out);
          }
          QCOMPARE(g[std::size_t(b1.offset + j)] == kUntouched, untouched);
          QVERIFY(norm > 0.0);
        }
        const ParameterInfo& b2 = *layout.find(place + "linear2.bias");
        for (std::int64_t h = 0; h < config.hidden; ++h)
          QVERIFY(g[std::size_t(b2.offset + h)] != kUntouched);  // b_2 is always whole
      }
    }
  }
};

TFM_TEST(TestJointGradient)
#include "test_joint_gradient.moc"
