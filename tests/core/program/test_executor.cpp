// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <stdexcept>

#include "core/backend/cpu/cpu_backend.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using tfm::AlignedVector;
using tfm::Executor;
using tfm::Program;
using tfm::RunPosition;
using tfm::TensorId;
using tfm::test::EveryOpSizes;

namespace {

constexpr RunPosition kPosition{3, 5, 0};

/// The example program with drawn inputs and parameters.
template <class Real>
struct Example {
  EveryOpSizes sizes;
  std::shared_ptr<const Program> program;
  std::unique_ptr<tfm::Backend<Real>> backend = tfm::makeCpuBackend<Real>();
  Executor<Real> executor;
  AlignedVector<Real> parameters;

  explicit Example(const EveryOpSizes& s, std::int64_t first = 0)
      : sizes(s),
        program(std::make_shared<const Program>(tfm::test::everyOp(s))),
        executor(program, *backend, true) {
    tfm::initialize(program->parameters, 9, parameters);
    tfm::test::setDrawnInputs(executor, s, first);
  }

  TensorId id(const char* name) const { return program->find(name); }
  Real lossAt(const char* loss, const RunPosition& position) {
    executor.forward(parameters.data(), position);
    return executor.values(id(loss)).at(0, 0);
  }
  AlignedVector<Real> gradientOf(const char* loss, const RunPosition& position) {
    AlignedVector<Real> gradient(parameters.size(), Real(0));
    lossAt(loss, position);
    executor.backward(parameters.data(), gradient.data(), {id(loss)}, position);
    return gradient;
  }
};

/// The largest difference of a gradient from central differences, relative to the largest number.
double worstGradient(Example<double>& e, const char* loss) {
  const AlignedVector<double> gradient = e.gradientOf(loss, kPosition);
  double worst = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double value = e.parameters[i];
    e.parameters[i] = value + 1e-5;
    const double above = e.lossAt(loss, kPosition);
    e.parameters[i] = value - 1e-5;
    const double below = e.lossAt(loss, kPosition);
    e.parameters[i] = value;
    worst = std::max(worst, std::abs((above - below) / 2e-5 - gradient[i]));
    largest = std::max(largest, std::abs(gradient[i]));
  }
  return worst / largest;
}

}  // namespace

class TestExecutor : public QObject {
  Q_OBJECT

 private slots:
  void gradientsPassThroughEveryOp_data() {
    QTest::addColumn<double>("dropout");
    QTest::newRow("without dropout") << 0.0;
    QTest::newRow("with dropout") << 0.4;
  }
  void gradientsPassThroughEveryOp() {
    QFETCH(double, dropout);
    Example<double> e({.dropout = dropout});
    QVERIFY(worstGradient(e, "loss") < 1e-6);
    QVERIFY(worstGradient(e, "error") < 1e-6);
  }

  void theGradientCheckSeesOtherDraws() {
    // A backward of another step draws another dropout: that gradient is not the one of this
    // forward.
    Example<double> e({.dropout = 0.4});
    AlignedVector<double> wrong(e.parameters.size(), 0.0);
    const AlignedVector<double> right = e.gradientOf("loss", kPosition);
    e.executor.backward(e.parameters.data(), wrong.data(), {e.id("loss")}, {3, 6, 0});
    double worst = 0.0;
    for (std::size_t i = 0; i < right.size(); ++i)
      worst = std::max(worst, std::abs(right[i] - wrong[i]));
    QVERIFY(worst > 1e-3);
  }

  void floatAgreesWithDouble() {
    Example<double> exact({.dropout = 0.4});
    Example<float> single({.dropout = 0.4});
    QVERIFY(std::abs(exact.lossAt("loss", kPosition) - double(single.lossAt("loss", kPosition))) <
            2e-5);
    const auto a = exact.gradientOf("loss", kPosition);
    const auto b = single.gradientOf("loss", kPosition);
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - double(b[i])) < 2e-5);
  }

  void parameterGradientsAreOverwritten() {
    Example<double> e({});
    const AlignedVector<double> fresh = e.gradientOf("loss", kPosition);
    AlignedVector<double> used(fresh.size(), 7.0);
    e.executor.backward(e.parameters.data(), used.data(), {e.id("loss")}, kPosition);
    QVERIFY(used == fresh);
  }

  void gradientsAreWeightedAndAdded() {
    Example<double> e({});
    const AlignedVector<double> one = e.gradientOf("loss", kPosition);
    AlignedVector<double> sum = one;
    e.executor.backward(e.parameters.data(), sum.data(), {e.id("loss"), 0.25, true}, kPosition);
    bool any = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
      QVERIFY(std::abs(sum[i] - 1.25 * one[i]) <= 1e-14 * std::max(1.0, std::abs(one[i])));
      any = any || one[i] != 0.0;
    }
    QVERIFY(any);
  }

  void activationGradientsStartAtTheLoss() {
    Example<double> e({});
    e.gradientOf("loss", kPosition);
    QCOMPARE(e.executor.gradient(e.id("loss")).at(0, 0), 1.0);
    QCOMPARE(e.executor.gradient(e.id("error")).at(0, 0), 0.0);
    // d loss / d logits = weight (softmax - one-hot): a row of it sums to zero.
    const auto d = e.executor.gradient(e.id("logits"));
    double sum = 0.0, size = 0.0;
    for (std::int64_t c = 0; c < d.cols; ++c) sum += d.at(0, c), size += std::abs(d.at(0, c));
    QVERIFY(std::abs(sum) < 1e-14 && size > 1e-3);
  }

  void dropoutDoesNotDependOnTheChunks() {
    const EveryOpSizes whole{.sequences = 4, .dropout = 0.5};
    const EveryOpSizes half{.sequences = 2, .dropout = 0.5};
    Example<double> all(whole), first(half, 0), second(half, 2);
    all.lossAt("loss", {3, 5, 0});
    first.lossAt("loss", {3, 5, 0});
    second.lossAt("loss", {3, 5, 2});
    const auto same = [&](const char* name) {
      const auto a = all.executor.values(all.id(name));
      const auto b = first.executor.values(first.id(name));
      const auto c = second.executor.values(second.id(name));
      bool equal = true;
      for (std::int64_t r = 0; r < a.rows; ++r)
        for (std::int64_t i = 0; i < a.cols; ++i) {
          const double part = r < b.rows ? b.at(r, i) : c.at(r - b.rows, i);
          equal = equal && std::abs(a.at(r, i) - part) < 1e-14;
        }
      return equal;
    };
    for (const char* name : {"attention.dropped_probabilities", "dropout", "logits"})
      QVERIFY2(same(name), name);
    second.lossAt("loss", {3, 5, 0});
    QVERIFY(!same("attention.dropped_probabilities"));
    QVERIFY(!same("dropout"));
  }

  void dropoutDependsOnSeedAndStepOnly() {
    Example<double> e({.dropout = 0.5});
    const double loss = e.lossAt("loss", {3, 5, 0});
    QCOMPARE(e.lossAt("loss", {3, 5, 0}), loss);
    QVERIFY(e.lossAt("loss", {3, 6, 0}) != loss);
    QVERIFY(e.lossAt("loss", {4, 5, 0}) != loss);
  }

  void theMaskFollowsTheStep() {
    Example<double> e({});
    const auto at = [&](std::uint64_t step) {
      e.lossAt("loss", {3, step, 0});
      const auto v = e.executor.values(e.id("masked_norm"));
      return std::vector<double>(v.data, v.data + v.size());
    };
    // Closed up to step 3, half open at 5, open from 7 on.
    const std::vector<double> closed = at(3), open = at(7);
    QCOMPARE(at(0), closed);
    QCOMPARE(at(1000), open);
    QVERIFY(at(5) != closed && at(5) != open);
    QVERIFY(closed != open);
    for (std::size_t i = 0; i < closed.size(); ++i) QCOMPARE(closed[i] == 0.0, i % 6 >= 3);
  }

  void dropoutSitesDrawDifferentNumbers() {
    const Program p = tfm::test::everyOp({.dropout = 0.5});
    std::vector<std::uint32_t> streams;
    for (const tfm::Step& step : p.steps) {
      if (const auto* d = std::any_cast<tfm::DropoutArguments>(&step.arguments))
        streams.push_back(d->stream);
      if (const auto* a = std::any_cast<tfm::AttentionArguments>(&step.arguments))
        streams.push_back(a->dropout.stream);
    }
    QCOMPARE(streams.size(), std::size_t(2));
    QVERIFY(streams[0] != streams[1]);
  }

  void wrongQuestionsAreRefused() {
    Example<double> e({});
    QVERIFY_EXCEPTION_THROWN(e.executor.ids(e.id("weights")), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(e.executor.values(e.id("ids")), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(e.executor.values(e.id("table")), std::logic_error);
    Executor<double> forward_only(e.program, *e.backend, false);
    QVERIFY_EXCEPTION_THROWN(forward_only.gradient(e.id("logits")), std::logic_error);
    AlignedVector<double> gradient(e.parameters.size());
    QVERIFY_EXCEPTION_THROWN(
        forward_only.backward(e.parameters.data(), gradient.data(), {e.id("loss")}, kPosition),
        std::logic_error);
  }
};

TFM_TEST(TestExecutor)
#include "test_executor.moc"
