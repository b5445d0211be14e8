// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/train/train_config.h"
#include "tests/core/golden.h"
#include "tests/test_program.h"

using namespace tfm::train;
using tfm::test::Golden;

namespace {

ScheduleConfig scheduleOf(const Golden& golden) {
  const Golden settings = golden.at("settings");
  const std::string name = golden.at("name").text();
  ScheduleConfig s;
  if (name == "constant") {
    s.learning_rate = settings.at("value").number();
    return s;
  }
  s.start_rate = settings.at("init_value").number();
  s.learning_rate = settings.at("peak_value").number();
  s.end_rate = settings.at("end_value").number();
  s.warmup_steps = std::int64_t(settings.at("warmup_steps").number());
  if (name == "warmup_cosine") {
    s.kind = ScheduleKind::WarmupCosine;
    s.total_steps = std::int64_t(settings.at("decay_steps").number());
  } else {
    s.kind = ScheduleKind::WarmupExponential;
    s.decay_begin = std::int64_t(settings.at("transition_begin").number());
    s.decay_steps = std::int64_t(settings.at("transition_steps").number());
    s.decay_rate = settings.at("decay_rate").number();
  }
  return s;
}

/// The largest relative difference from the golden's rates.
double worst(const ScheduleConfig& schedule, const Golden& steps, const Golden& golden) {
  const std::vector<double> at = steps.numbers(), rates = golden.at("rates").numbers();
  double result = 0.0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double rate = learningRate(schedule, std::int64_t(at[i]));
    result = std::max(result, std::abs(rate - rates[i]) / std::max(1e-6, std::abs(rates[i])));
  }
  return result;
}

}  // namespace

class TestSchedules : public QObject {
  Q_OBJECT

 private slots:
  void equalOptax() {
    const Golden golden = Golden::read("schedules_and_optimizers").at("schedules");
    const Golden cases = golden.at("cases");
    QCOMPARE(cases.size(), std::size_t{3});
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ScheduleConfig schedule = scheduleOf(cases.at(i));
      QVERIFY(worst(schedule, golden.at("steps"), cases.at(i)) < 1e-12);
      schedule.learning_rate *= 1.0 + 1e-6;
      ++schedule.warmup_steps;
      QVERIFY(worst(schedule, golden.at("steps"), cases.at(i)) > 1e-8);
    }
  }

  void notebookScheduleIsTheWrittenOne() {
    const Golden cases = Golden::read("schedules_and_optimizers").at("schedules").at("cases");
    QCOMPARE(notebookSchedule(), scheduleOf(cases.at(2)));
    QCOMPARE(learningRate(notebookSchedule(), 4000), 1e-3);
  }

  void extremesAreFinite() {
    ScheduleConfig s;
    s.warmup_steps = 0;
    for (const ScheduleKind kind : {ScheduleKind::WarmupCosine, ScheduleKind::WarmupExponential}) {
      s.kind = kind;
      QCOMPARE(learningRate(s, 0), s.learning_rate);
      s.total_steps = 1;
      for (const std::int64_t step : {0, 1, 1'000'000'000}) {
        const double rate = learningRate(s, step);
        QVERIFY(std::isfinite(rate) && rate >= 0.0 && rate <= s.learning_rate);
      }
    }
  }
};

TFM_TEST(TestSchedules)
#include "test_schedules.moc"
