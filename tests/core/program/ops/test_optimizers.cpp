// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/golden.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using tfm::test::Golden;

namespace {

/// Parameters and memory after each of the golden's five steps.
struct Steps {
  std::vector<double> values, first, second;
};

template <class Real>
Steps stepsOf(const Golden& optimizers, const Golden& golden, double momentum_offset) {
  const auto backend = tfm::makeCpuBackend<Real>();
  const Golden settings = golden.at("settings");
  const std::vector<double> start = optimizers.at("start").numbers();
  const std::vector<double> gradients = optimizers.at("gradients").numbers();
  const std::size_t size = start.size();
  std::vector<Real> p(start.begin(), start.end()), m(size), v(size);
  Steps steps;
  for (std::size_t step = 0; step < gradients.size() / size; ++step) {
    const std::vector<Real> g(gradients.begin() + std::ptrdiff_t(step * size),
                              gradients.begin() + std::ptrdiff_t((step + 1) * size));
    if (golden.at("name").text() == "sgd") {
      const double momentum = settings.at("momentum").number() + momentum_offset;
      tfm::ops::sgd(*backend, p, g, m, tfm::SgdRule{settings.at("lr").number(), momentum});
    } else {
      tfm::AdamRule rule;
      rule.learning_rate = settings.at("lr").number();
      rule.beta1 = settings.at("betas").numbers()[0] + momentum_offset;
      rule.beta2 = settings.at("betas").numbers()[1];
      rule.eps = settings.at("eps").number();
      rule.weight_decay = settings.has("weight_decay") ? settings.at("weight_decay").number() : 0.0;
      rule.decoupled = golden.at("name").text() == "adamw";
      rule.correctFor(std::int64_t(step) + 1);
      tfm::ops::adam(*backend, p, g, m, v, rule);
    }
    steps.values.insert(steps.values.end(), p.begin(), p.end());
    steps.first.insert(steps.first.end(), m.begin(), m.end());
    steps.second.insert(steps.second.end(), v.begin(), v.end());
  }
  return steps;
}

}  // namespace

class TestOptimizers : public QObject {
  Q_OBJECT

 private:
  const Golden optimizers_ = Golden::read("schedules_and_optimizers").at("optimizers");

  static void addRows() {
    QTest::addColumn<int>("index");
    const Golden cases = Golden::read("schedules_and_optimizers").at("optimizers").at("cases");
    for (std::size_t i = 0; i < cases.size(); ++i)
      QTest::newRow(cases.at(i).at("name").text().c_str()) << int(i);
  }
  Golden fetched() const {
    QFETCH(int, index);
    return optimizers_.at("cases").at(std::size_t(index));
  }

 private slots:
  void stepsAreThoseOfTorch_data() { addRows(); }
  void stepsAreThoseOfTorch() {
    const Golden golden = fetched();
    const Golden memory = golden.at("memory");
    const Steps steps = stepsOf<double>(optimizers_, golden, 0.0);
    QVERIFY(tfm::test::worstDifference(steps.values, golden.at("values").numbers()) <= 1e-12);
    if (memory.has("momentum_buffer"))
      QVERIFY(tfm::test::worstDifference(steps.first, memory.at("momentum_buffer").numbers()) <=
              1e-12);
    if (memory.has("exp_avg")) {
      QVERIFY(tfm::test::worstDifference(steps.first, memory.at("exp_avg").numbers()) <= 1e-12);
      QVERIFY(tfm::test::worstDifference(steps.second, memory.at("exp_avg_sq").numbers()) <= 1e-12);
    }
  }

  void floatAgreesWithDouble_data() { addRows(); }
  void floatAgreesWithDouble() {
    const Golden golden = fetched();
    QVERIFY(tfm::test::worstDifference(stepsOf<float>(optimizers_, golden, 0.0).values,
                                       stepsOf<double>(optimizers_, golden, 0.0).values) <= 2e-5);
  }

  void anotherMomentumIsSeen_data() { addRows(); }
  void anotherMomentumIsSeen() {
    const Golden golden = fetched();
    QVERIFY(tfm::test::worstDifference(stepsOf<double>(optimizers_, golden, 1e-6).values,
                                       golden.at("values").numbers()) > 1e-10);
  }

  void weightDecayOfSgdAndAdamIsPartOfTheGradient() {
    // With g = 0 and decay d the gradient is d p: sgd makes p (1 - lr d), Adam's first step lr
    // toward zero.
    std::vector<double> p{2.0}, g{0.0}, m{0.0}, v{0.0};
    const auto backend = tfm::makeCpuBackend<double>();
    tfm::ops::sgd(*backend, p, g, m, tfm::SgdRule{0.1, 0.0, 0.5});
    QVERIFY(std::abs(p[0] - 1.9) < 1e-15);
    p = {2.0}, m = {0.0};
    tfm::AdamRule rule;
    rule.learning_rate = 0.1;
    rule.weight_decay = 0.5;
    rule.correctFor(1);
    tfm::ops::adam(*backend, p, g, m, v, rule);
    QVERIFY(std::abs(p[0] - 1.9) < 1e-8);
  }
};

TFM_TEST(TestOptimizers)
#include "test_optimizers.moc"
