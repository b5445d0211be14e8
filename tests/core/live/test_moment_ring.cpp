// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/live/moment_ring.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::train;

namespace {

Moment moment(std::int64_t step, std::int64_t events = 0, bool landmark = false,
              std::size_t parameters = 10) {
  auto state = std::make_shared<ModelState>();
  state->step = step;
  for (auto* numbers : {&state->parameters, &state->first_moment, &state->second_moment})
    numbers->assign(parameters, 0.0F);
  return {std::move(state), events, landmark};
}

const std::int64_t kEach = byteCount(*moment(0).state);
constexpr std::int64_t kPlenty = std::int64_t{1} << 40;

std::vector<std::int64_t> stepsOf(const MomentRing& ring) {
  std::vector<std::int64_t> steps;
  for (const Moment& m : ring.moments()) steps.push_back(m.step());
  return steps;
}

std::int64_t bytesOf(const MomentRing& ring) {
  std::int64_t bytes = 0;
  for (const Moment& m : ring.moments()) bytes += byteCount(*m.state);
  return bytes;
}

/// The largest gap between two kept steps from `first` to `end`.
std::int64_t largestGap(const std::vector<std::int64_t>& steps, std::int64_t first,
                        std::int64_t end) {
  std::int64_t largest = 0;
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i] > first && steps[i - 1] < end)
      largest = std::max(largest, steps[i] - steps[i - 1]);
  return largest;
}

}  // namespace

class TestMomentRing : public QObject {
  Q_OBJECT

 private slots:
  void keepsAllThatFits() {
    MomentRing ring(10 * kEach);
    for (int step = 0; step < 10; ++step) ring.add(moment(step));
    QCOMPARE(ring.moments().size(), std::size_t{10});
    ring.add(moment(10));
    QCOMPARE(ring.moments().size(), std::size_t{10});
    QCOMPARE(ring.moments().front().step(), std::int64_t{0});
    QCOMPARE(ring.moments().back().step(), std::int64_t{10});
  }

  void neverExceedsItsBudget() {
    MomentRing ring(1000 * kEach, 100'000);
    for (int i = 0; i < 5000; ++i) {
      ring.add(moment(i, 0, i % 7 == 0, 1 + std::size_t(i % 50)));
      QVERIFY(ring.bytes() <= 1000 * kEach);
    }
    QCOMPARE(ring.bytes(), bytesOf(ring));
    MomentRing few(kPlenty, 30);
    for (int i = 0; i < 200; ++i) few.add(moment(i));
    QCOMPARE(few.moments().size(), std::size_t{30});
    MomentRing plenty(kPlenty, 100'000);  // the control
    for (int i = 0; i < 5000; ++i) plenty.add(moment(i));
    QCOMPARE(plenty.moments().size(), std::size_t{5000});
  }

  void isDenseAtBothEnds() {
    MomentRing ring(100 * kEach);
    for (int step = 0; step <= 100'000; step += 10) ring.add(moment(step));
    const std::vector<std::int64_t> steps = stepsOf(ring);
    QCOMPARE(steps.size(), std::size_t{100});
    QVERIFY(std::is_sorted(steps.begin(), steps.end()));
    QCOMPARE(steps.front(), std::int64_t{0});
    QCOMPARE(steps.back(), std::int64_t{100'000});
    QVERIFY2(largestGap(steps, 0, 100) <= 40,
             QByteArray::number(qlonglong(largestGap(steps, 0, 100))));
    QVERIFY(largestGap(steps, 99'900, 100'000) <= 40);
    QVERIFY(largestGap(steps, 0, 1'000) <= 400);
    QVERIFY(largestGap(steps, 99'000, 100'000) <= 400);
    const std::int64_t middle = largestGap(steps, 30'000, 70'000);
    QVERIFY(middle > 1'000 && middle < 25'000);
  }

  void keepsTheEndsAndTheLandmarks() {
    MomentRing ring(20 * kEach);
    ring.add(moment(0, 0, true));
    for (int step = 1; step < 1000; ++step) {
      if (step != 500) {
        ring.add(moment(step, step > 500 ? 1 : 0));
        continue;
      }
      ring.add(moment(500, 0, true));
      ring.add(moment(500, 1, true));
    }
    const std::vector<std::int64_t> steps = stepsOf(ring);
    QCOMPARE(std::count(steps.begin(), steps.end(), 500), 2);
    QCOMPARE(steps.front(), std::int64_t{0});
    QCOMPARE(steps.back(), std::int64_t{999});
    MomentRing plain(20 * kEach);  // the control: without landmarks the place is lost
    for (int step = 0; step < 1000; ++step) plain.add(moment(step));
    const std::vector<std::int64_t> others = stepsOf(plain);
    QVERIFY(std::count(others.begin(), others.end(), 500) < 2);
    // Where there are more landmarks than fit, the ends stay longest.
    MomentRing all(5 * kEach);
    for (int step = 0; step < 50; ++step) all.add(moment(step, 0, true));
    QCOMPARE(stepsOf(all), (std::vector<std::int64_t>{0, 46, 47, 48, 49}));
    MomentRing one(kEach);
    for (int step = 0; step < 50; ++step) one.add(moment(step, 0, true));
    QCOMPARE(stepsOf(one), (std::vector<std::int64_t>{49}));
  }

  void forgetsWhatIsUndone() {
    MomentRing ring;
    for (int step = 0; step <= 10; ++step) ring.add(moment(step, step < 5 ? 0 : 1));
    ring.add(moment(10, 2));
    ring.takeAfter(10, 1);
    QCOMPARE(ring.moments().back().events, std::int64_t{1});
    ring.takeAfter(7, 1);
    QCOMPARE(ring.moments().back().step(), std::int64_t{7});
    ring.takeAfter(7, 0);
    QCOMPARE(ring.moments().back().step(), std::int64_t{4});
    QCOMPARE(ring.bytes(), bytesOf(ring));
  }

  void theSameMomentIsKeptOnce() {
    MomentRing ring;
    ring.add(moment(3, 0, true));
    const Moment again = moment(3, 0);
    ring.add(again);
    QCOMPARE(ring.moments().size(), std::size_t{1});
    QVERIFY(ring.moments()[0].state == again.state && ring.moments()[0].landmark);
    ring.add(moment(3, 1));
    QCOMPARE(ring.moments().size(), std::size_t{2});
    QVERIFY_EXCEPTION_THROWN(ring.add(moment(2, 1)), std::logic_error);
  }
};

TFM_TEST(TestMomentRing)
#include "test_moment_ring.moc"
