// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/program/program_builder.h"
#include "tests/test_program.h"

using tfm::AlignedVector;
using tfm::Axis;
using tfm::InitialRule;
using tfm::InitialValues;
using tfm::ParameterLayout;

namespace {

/// A layout of one large matrix (200 x 100) and one small vector.
ParameterLayout layoutOf(InitialRule rule) {
  tfm::ProgramBuilder b({}, false, false);
  b.parameter("matrix", {{{Axis::FeedForward, 200}}, {{Axis::Hidden, 100}}}, rule);
  b.parameter("vector", {{{Axis::Hidden, 100}}}, {InitialValues::Constant, 1.0});
  return b.finish().parameters;
}

struct Drawn {
  double mean = 0.0, deviation = 0.0, largest = 0.0;
};

Drawn statistics(InitialRule rule) {
  AlignedVector<double> values;
  tfm::initialize(layoutOf(rule), 4, values);
  Drawn d;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) d.mean += values[std::size_t(i)] / kCount;
  for (int i = 0; i < kCount; ++i) {
    d.deviation += std::pow(values[std::size_t(i)] - d.mean, 2) / kCount;
    d.largest = std::max(d.largest, std::abs(values[std::size_t(i)]));
  }
  d.deviation = std::sqrt(d.deviation);
  return d;
}

bool near(double value, double expected) { return std::abs(value - expected) < 0.02 * expected; }

}  // namespace

class TestParameterLayout : public QObject {
  Q_OBJECT

 private slots:
  void xavierIsUniform() {
    const Drawn d = statistics({InitialValues::XavierUniform});
    const double bound = std::sqrt(6.0 / 300.0);
    QVERIFY(d.largest <= bound && d.largest > 0.999 * bound);
    QVERIFY(near(d.deviation, bound / std::sqrt(3.0)));
    QVERIFY(std::abs(d.mean) < 0.02 * bound);
  }

  void lecunIsTruncatedAndKeepsItsVariance() {
    const Drawn d = statistics({InitialValues::LecunNormal});
    QVERIFY(near(d.deviation, 0.1));
    QVERIFY(d.largest <= 2.0 * 0.1 / 0.8796 && d.largest > 0.22);
  }

  void heAndNormalAreNormal() {
    const Drawn he = statistics({InitialValues::HeNormal});
    QVERIFY(near(he.deviation, std::sqrt(0.02)));
    QVERIFY(he.largest > 3.0 * he.deviation);
    QVERIFY(near(statistics({InitialValues::Normal, 0.3}).deviation, 0.3));
  }

  void constantsAreConstant() {
    AlignedVector<double> values;
    tfm::initialize(layoutOf({InitialValues::Constant, -2.5}), 4, values);
    QVERIFY(
        std::all_of(values.begin(), values.begin() + 20000, [](double v) { return v == -2.5; }));
    QVERIFY(std::all_of(values.begin() + 20000, values.end(), [](double v) { return v == 1.0; }));
  }

  void valuesFollowTheSeedInBothPrecisions() {
    const ParameterLayout layout = layoutOf({InitialValues::LecunNormal});
    AlignedVector<double> a, b, other;
    AlignedVector<float> single;
    tfm::initialize(layout, 4, a);
    tfm::initialize(layout, 4, b);
    tfm::initialize(layout, 5, other);
    tfm::initialize(layout, 4, single);
    QVERIFY(a == b);
    QVERIFY(a != other);
    for (std::size_t i = 0; i < a.size(); ++i) QCOMPARE(single[i], float(a[i]));
  }

  void parametersOfEqualRulesDiffer() {
    tfm::ProgramBuilder b({}, false, false);
    const tfm::Shape shape{{{Axis::Hidden, 8}}, {{Axis::Hidden, 8}}};
    b.parameter("first", shape, {InitialValues::HeNormal});
    b.parameter("second", shape, {InitialValues::HeNormal});
    AlignedVector<double> values;
    tfm::initialize(b.finish().parameters, 4, values);
    QVERIFY(!std::equal(values.begin(), values.begin() + 64, values.begin() + 64));
  }
};

TFM_TEST(TestParameterLayout)
#include "test_parameter_layout.moc"
