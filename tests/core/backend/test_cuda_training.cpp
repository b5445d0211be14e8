// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings on the simulated device or a real one.
#include <cuda_runtime.h>

#include <QTest>
#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <span>

#include "core/backend/backend_decorator.h"
#include "core/backend/buffer.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/registry.h"
#include "core/live/training_loop.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/backend/far_off.h"
#include "tests/core/backend/simulated_cuda/cuda_plugin.h"
#include "tests/core/train/device_runs.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// "" or the first number that is further from the expected one than the tolerance, or than that
/// share of a larger one.
QString firstFarOff(const std::vector<double>& got, const std::vector<double>& expected,
                    double tolerance) {
  if (got.size() != expected.size()) return "there are more or fewer";
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double off = std::abs(got[i] - expected[i]);
    if (!(off <= tolerance * std::max(1.0, std::abs(expected[i]))))
      return QString("number %1: %2 instead of %3").arg(i).arg(got[i]).arg(expected[i]);
  }
  return {};
}

/// How far numbers are from the expected ones, relative to the length of these. Adam moves a number
/// whose gradient is nothing but rounding by a whole step, so single numbers may be far off.
double distance(std::span<const float> got, std::span<const float> expected) {
  double off = 0.0, length = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    off += std::pow(double(got[i]) - double(expected[i]), 2.0);
    length += std::pow(double(expected[i]), 2.0);
  }
  return std::sqrt(off / length);
}

/// A backend that hands on all calls, and recordings.
class HandsOn : public BackendDecorator<float> {
 public:
  HandsOn() : BackendDecorator(cudaDevice().make_float()) {}
  std::unique_ptr<Recording> record(const std::function<void()>& work) const override {
    return inner().record(work);
  }
};
/// One whose calls remember the step in which they were made, as an argument would.
class RemembersTheStep final : public HandsOn {
 public:
  void forward(const OpCall<float>& call) const override { inner().forward(remembering(call)); }
  void backward(const OpCall<float>& call) const override { inner().backward(remembering(call)); }

 private:
  OpCall<float> remembering(OpCall<float> call) const {
    if (call.position == &kFirstPosition) return call;
    RunPosition position;
    memory().download(&position, call.position, sizeof(position));
    call.position = positions_.emplace_back(memory(), std::span(&position, 1)).data();
    return call;
  }
  mutable std::deque<Buffer<RunPosition>> positions_;
};
/// One whose updates remember the numbers of the step in which they were made.
class RemembersTheRate final : public HandsOn {
 public:
  void forward(const OpCall<float>& call) const override {
    OpCall<float> own = call;
    if (call.op == &ops::kAdam) {
      AlignedVector<float> numbers(std::size_t(call.in(1).cols));
      memory().download(numbers.data(), call.in(1).data, numbers.size() * sizeof(float));
      own.inputs[1].values.data = numbers_.emplace_back(memory(), numbers).data();
    }
    inner().forward(own);
  }

 private:
  mutable std::deque<Buffer<float>> numbers_;
};

/// One that keeps attention maps and all gradients.
class KeepsAll final : public HandsOn {
 public:
  bool keepsAll() const override { return true; }
};

Program trainingProgram(const ModelConfig& model, std::int64_t sequences, bool watched) {
  ProgramOptions options;
  options.training = options.loss = true;
  options.watched = watched;
  return buildProgram(model, fullShape(model, sequences), options);
}

constexpr double kLossTolerance = 5e-3;

/// A learning rate, clipping and a state that differ in each step.
TrainConfig changing() {
  TrainConfig changing = clippingConfig();
  changing.schedule.kind = ScheduleKind::WarmupCosine;
  changing.schedule.warmup_steps = 5;
  changing.schedule.total_steps = 10;
  return changing;
}

Trainer trainerOn(const Document& document, std::unique_ptr<Backend<float>> backend) {
  return {makeTask(document), document.state, document.train, 1, std::move(backend)};
}

}  // namespace

class TestCudaTraining : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (isSimulated()) qputenv("TFM_CUBLASLT", "");  // one that this machine may have
    addDevice(cudaDevice());
  }
  void cleanup() {
    chooseDevice("cpu");
    simulated::setLazy(false);
    simulated::setMemory(simulated::kEnoughMemory);
  }

  /// What is launch-bound is faster on the CPU, and nobody knows beforehand what will be trained.
  void aGpuIsUsedOnlyIfItIsAskedFor() {
    QCOMPARE(std::ranges::count(devices(), std::string("cuda"), &Device::name), 1);
    QCOMPARE(chosenDevice(), std::string("cpu"));
  }

  void rot13LearnsAsOnTheCpu_data() {
    QTest::addColumn<bool>("dropout");
    QTest::newRow("without dropout") << false;
    QTest::newRow("the same dropout") << true;
  }
  void rot13LearnsAsOnTheCpu() {
    QFETCH(bool, dropout);
    const Document document = documentOf("rot13", "rot13", clippingConfig(), dropout);
    const Outcome expected = outcomeOf(document, 20);
    chooseDevice("cuda");
    QCOMPARE(makeBackend<float>()->name(), "cuda");
    const Outcome got = outcomeOf(document, 20);
    QCOMPARE(firstFarOff(got.losses, expected.losses, kLossTolerance), QString());
    QVERIFY(got.losses[19] < 0.9 * got.losses.front());
  }

  /// All that can be done to a training, and then the same losses and parameters up to rounding.
  void trainingsAreThoseOfTheCpu_data() {
    QTest::addColumn<DeviceRun>("run");
    QTest::addColumn<double>("of_parameters");
    QTest::newRow("nested, joint") << &trainedNested << 5e-3;
    QTest::newRow("growth") << &trainedAndGrown << 1e-5;
    QTest::newRow("undo") << &trainedAndUndone << 1e-5;
  }
  void trainingsAreThoseOfTheCpu() {
    QFETCH(DeviceRun, run);
    QFETCH(double, of_parameters);
    const Outcome expected = run();
    chooseDevice("cuda");
    const Outcome got = run();
    QCOMPARE(firstFarOff(got.losses, expected.losses, kLossTolerance), QString());
    QCOMPARE(got.states.size(), expected.states.size());
    for (std::size_t i = 0; i < got.states.size(); ++i) {
      const ModelState &a = got.states[i], &b = expected.states[i];
      QVERIFY(a.config == b.config && a.step == b.step);
      const double off = distance(a.parameters, b.parameters);
      QVERIFY2(off < of_parameters, qPrintable(QString::number(off)));
    }
    QCOMPARE(got.answers, expected.answers);
  }

  /// Whatever errors add up to, no call of a training is far from the CPU's.
  void everyCallOfATrainingIsThatOfTheCpu() {
    auto both =
        std::make_unique<CheckBackend<float>>(makeCpuBackend<float>(), cudaDevice().make_float());
    const CheckBackend<float>& check = *both;
    Trainer trainer =
        trainerOn(documentOf("rot13", "rot13", clippingConfig(), true), std::move(both));
    losses(trainer, 3);
    trainer.evaluate(10);
    for (const char* op : {"embedding", "attention", "linear", "cross-entropy", "adam"})
      QVERIFY2(std::ranges::count(check.worst(), op, &OpDifference::op) == 1, op);
    QCOMPARE(farOff(check, 2e-5), std::string());
  }

  /// A recording of a step is the step itself: the same bits as call by call, although random
  /// numbers, the learning rate and the data change from step to step.
  void aRecordedTrainingIsTheSame_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("nested");
    QTest::addColumn<bool>("lazy");
    QTest::newRow("sgd") << int(OptimizerKind::Sgd) << false << false;
    QTest::newRow("adam") << int(OptimizerKind::Adam) << false << false;
    QTest::newRow("adamw, a device that lags") << int(OptimizerKind::AdamW) << false << true;
    QTest::newRow("nested submodels in turn") << int(OptimizerKind::Adam) << true << false;
  }
  void aRecordedTrainingIsTheSame() {
    QFETCH(int, kind);
    QFETCH(bool, nested);
    QFETCH(bool, lazy);
    TrainConfig config = changing();
    config.optimizer.kind = OptimizerKind(kind);
    if (nested) {
      config.nesting.widths = {3, 10, 33};
      config.nesting.heads = {1, 2, 3};
      config.nesting.training = matformer::Training::Sampled;
    }
    const Document document = nested ? documentOf("small-sequence", "copy", config, true)
                                     : documentOf("rot13", "rot13", config, true);
    constexpr int kSteps = 8;
    Trainer calls =
        trainerOn(document, std::make_unique<BackendDecorator<float>>(cudaDevice().make_float()));
    const std::vector<double> expected = losses(calls, kSteps);
    const std::int64_t before = simulated::graphLaunches();
    simulated::setLazy(lazy);
    Trainer recorded = trainerOn(document, cudaDevice().make_float());
    QVERIFY(losses(recorded, kSteps) == expected);
    QVERIFY(sameState(recorded.state(), calls.state()));
    QVERIFY(recorded.gradients() == calls.gradients());
    simulated::setLazy(false);
    if (!isSimulated()) return;
    // One a step, from the second step of its kind on.
    const std::int64_t launches = simulated::graphLaunches() - before;
    QVERIFY2(nested ? launches > 0 : launches == kSteps - 1, qPrintable(QString::number(launches)));
  }

  void whatARecordingMustNotRememberIsSeen() {
    const Document document = documentOf("rot13", "rot13", changing(), true);
    const auto trained = [&](std::unique_ptr<Backend<float>> backend) {
      Trainer trainer = trainerOn(document, std::move(backend));
      return losses(trainer, 4);
    };
    const std::vector<double> expected = trained(cudaDevice().make_float());
    QVERIFY(trained(std::make_unique<HandsOn>()) == expected);
    QVERIFY(trained(std::make_unique<RemembersTheStep>()) != expected);
    QVERIFY(trained(std::make_unique<RemembersTheRate>()) != expected);
  }

  /// The device itself decides whether it updates, before the host knows. Here each step multiplies
  /// all parameters by about -999.
  void aStepThatIsNotFiniteChangesNothing_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("sgd") << int(OptimizerKind::Sgd);
    QTest::newRow("adamw") << int(OptimizerKind::AdamW);
  }
  void aStepThatIsNotFiniteChangesNothing() {
    QFETCH(int, kind);
    TrainConfig far = clippingConfig();
    far.optimizer.kind = OptimizerKind(kind);
    far.optimizer.weight_decay = 1.0;
    far.schedule.learning_rate = 999;
    Trainer trainer = trainerOn(documentOf("rot13", "rot13", far), cudaDevice().make_float());
    const std::shared_ptr<const ModelState> first = (trainer.step(), trainer.lastGood());
    QVERIFY(first != nullptr);
    bool diverged = false;
    for (int step = 1; step < 20 && !diverged; ++step) {
      const ModelState before = trainer.state();
      const std::int64_t launches = simulated::graphLaunches();
      try {
        trainer.step();
      } catch (const Diverged&) {
        diverged = true;
        if (isSimulated()) QVERIFY(simulated::graphLaunches() > launches);  // it was recorded
        QVERIFY(sameState(trainer.state(), before));
        QVERIFY(trainer.lastGood() == first);
      }
    }
    QVERIFY(diverged);
  }

  /// Maps that nobody looks at are not kept: the same numbers in less memory.
  void trainingKeepsNoMaps() {
    const Document document = documentOf("rot13", "rot13", clippingConfig(), true);
    const auto measured = [&](std::unique_ptr<Backend<float>> backend) {
      Trainer trainer = trainerOn(document, std::move(backend));
      const std::size_t before = simulated::bytesInUse();
      simulated::forgetPeak();
      std::vector<double> all = losses(trainer, 3);
      return std::pair(std::move(all), simulated::peakBytes() - before);
    };
    const auto [expected, with] = measured(std::make_unique<KeepsAll>());
    const auto [got, without] = measured(cudaDevice().make_float());
    QVERIFY(got == expected);
    if (!isSimulated()) return;
    const auto bytes = [&](bool watched) {
      return trainingProgram(document.state.config, clippingConfig().batch_size, watched)
          .memoryBytes(sizeof(float), true);
    };
    const auto saved = std::int64_t(with) - std::int64_t(without);
    QVERIFY2(saved >= bytes(true) - bytes(false), qPrintable(QString::number(saved)));
  }
  /// On a sequence twice as long, a training without maps takes twice the memory, not four times.
  void memoryGrowsWithTheLength() {
    const auto bytes = [](std::int64_t length, bool watched) {
      ModelConfig model = presetNamed("benchmark-decoder").config();
      model.target_length = length;
      return double(trainingProgram(model, 4, watched).memoryBytes(sizeof(float), true));
    };
    QVERIFY(bytes(2048, false) < 2.01 * bytes(1024, false));
    QVERIFY(bytes(2048, true) > 3 * bytes(1024, true));
  }

  void aRecordedTrainingGoesOnFromAnotherState() {
    const Document document = documentOf("rot13", "rot13", changing(), true);
    Trainer trainer = trainerOn(document, cudaDevice().make_float());
    losses(trainer, 3);
    const ModelState middle = trainer.state();
    const std::vector<double> expected = losses(trainer, 3);
    trainer.restore(middle);
    QVERIFY(losses(trainer, 3) == expected);
    trainer.restore(middle);
    trainer.setTraced(true);
    QVERIFY(losses(trainer, 3) == expected);
    const std::vector<OpCost> costs = trainer.takeCosts();
    const auto adam = std::ranges::find(costs, "adam", &OpCost::op);
    QVERIFY(adam != costs.end() && adam->calls == 3);  // none is hidden in a recording
    trainer.setTraced(false);
    trainer.restore(middle);
    QVERIFY(losses(trainer, 3) == expected);
  }

  /// However far the training has come when its numbers are read.
  void aLateStateIsThatOfItsMoment() {
    const Document document = documentOf("rot13", "rot13", changing(), true);
    if (isSimulated()) simulated::setLazy(true);
    Trainer trainer = trainerOn(document, cudaDevice().make_float());
    losses(trainer, 3);
    LateState late = trainer.lateState(true);
    LateDownload<float> gradients = trainer.lateGradients();
    const ModelState now = trainer.state();
    const AlignedVector<float> gradients_now = trainer.gradients();
    losses(trainer, 2);
    QVERIFY(sameState(*late.take(), now));
    QVERIFY(gradients.take() == gradients_now);
    QVERIFY(!sameState(trainer.state(), now));
    QVERIFY(trainer.lateState(false).take()->first_moment.empty());
  }

  void aFullDeviceLeavesTheModelAsItWas() {
    if (!isSimulated()) QSKIP("A real device has more memory");
    const Document document = documentOf("rot13", "rot13", clippingConfig());
    Trainer trainer = trainerOn(document, cudaDevice().make_float());
    const ModelState before = trainer.state();
    simulated::setMemory(simulated::bytesInUse() + 100);
    QVERIFY_EXCEPTION_THROWN(trainer.step(), DeviceFull);
    QVERIFY_EXCEPTION_THROWN(trainer.evaluate(10), DeviceFull);
    QVERIFY_EXCEPTION_THROWN(trainer.restore(before), DeviceFull);
    QVERIFY_EXCEPTION_THROWN(trainerOn(document, cudaDevice().make_float()), DeviceFull);
    QVERIFY(sameState(trainer.state(), before));
    // On the CPU it goes on like any other training there.
    Trainer expected = trainerOf(document);
    trainer.moveTo(makeBackend<float>());
    QVERIFY(losses(trainer, 3) == losses(expected, 3));
    QVERIFY(sameState(trainer.state(), expected.state()));
    // There is no room to go back.
    simulated::setMemory(simulated::bytesInUse() + 100);
    QVERIFY_EXCEPTION_THROWN(trainer.moveTo(cudaDevice().make_float()), std::exception);
    QVERIFY(losses(trainer, 2) == losses(expected, 2));
    simulated::setMemory(simulated::kEnoughMemory);
    trainer.moveTo(cudaDevice().make_float());
    QCOMPARE(trainer.backend().name(), "cuda");
    losses(trainer, 2);
    QCOMPARE(trainer.stepsDone(), std::int64_t(7));
  }

  void aFullDeviceIsToldAndTrainingGoesOnOnTheCpu() {
    if (!isSimulated()) QSKIP("A real device has more memory");
    chooseDevice("cuda");
    TrainingLoop loop(documentOf("rot13", "rot13", clippingConfig()), 1);
    simulated::setMemory(simulated::bytesInUse() + 100);
    std::vector<LoopEvent> events;
    const auto step = [&] {
      const LoopNews news = loop.drain();
      events.insert(events.end(), news.events.begin(), news.events.end());
      return news.step;
    };
    loop.play();
    QTRY_VERIFY((step(), !events.empty()));
    QVERIFY(events.front().kind == LoopEvent::Kind::DeviceFull);
    QVERIFY(QString::fromStdString(events.front().text).contains("'cuda' is full"));
    QCOMPARE(loop.document().get().state.step, std::int64_t(0));
    chooseDevice("cpu");
    loop.moveToDevice();
    loop.stepOnce();
    QTRY_COMPARE(step(), std::int64_t(1));
    QCOMPARE(events.size(), std::size_t(1));
  }

  void theSameRunGivesTheSameBits() {
    const Document document = documentOf("rot13", "rot13", clippingConfig(), true);
    chooseDevice("cuda");
    const Outcome first = outcomeOf(document, 4), second = outcomeOf(document, 4);
    QVERIFY(first.losses == second.losses);
    QVERIFY(sameState(first.states.front(), second.states.front()));
  }

  void twoThreadsTrainAsOne() {
    const Document document = documentOf("rot13", "rot13", clippingConfig());
    chooseDevice("cuda");
    Trainer one = trainerOf(document, 1), two = trainerOf(document, 2);
    QVERIFY(losses(one, 3) == losses(two, 3));
  }
};

TFM_TEST(TestCudaTraining)
#include "test_cuda_training.moc"
