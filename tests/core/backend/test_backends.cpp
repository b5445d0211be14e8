// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "core/backend/buffer.h"
#include "core/backend/check_backend.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/registry.h"
#include "core/backend/trace_backend.h"
#include "core/base/error.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/backend/protected_backend.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using tfm::Backend;
using tfm::MatrixView;
using tfm::OpCall;

namespace {

/// Has linear maps of its own, which add `off` to the first number of what they compute; hands all
/// other ops on.
template <class Real>
class OwnLinear final : public tfm::BackendDecorator<Real> {
 public:
  OwnLinear(Real forward, Real backward)
      : tfm::BackendDecorator<Real>(tfm::makeBackend<Real>()),
        forward_(forward),
        backward_(backward) {}

  void forward(const OpCall<Real>& call) const override {
    this->inner().forward(call);
    if (call.op == &tfm::ops::kLinear) call.out(0).at(0, 0) += forward_;
  }
  void backward(const OpCall<Real>& call) const override {
    this->inner().backward(call);
    if (call.op == &tfm::ops::kLinear) call.din(1).sum.at(0, 0) += backward_;
  }

 private:
  Real forward_, backward_;
};

/// A forward and a backward through every op.
class Run {
 public:
  explicit Run(const Backend<double>& backend)
      : backend_(backend), executor_(program_, backend, true) {
    tfm::AlignedVector<double> drawn;
    tfm::initialize(program_->parameters, 9, drawn);
    for (tfm::Buffer<double>* numbers : {&parameters_, &gradients_, &momentum_, &second_})
      *numbers = {backend.memory(), drawn};
    tfm::test::setDrawnInputs(executor_, {}, 0);
  }
  void operator()() {
    const tfm::TensorId loss = program_->find("loss");
    executor_.forward(parameters_.data(), {});
    executor_.backward(parameters_.data(), gradients_.data(), {loss}, {});
  }
  /// Each of ops::kUpdates.
  void update() {
    namespace ops = tfm::ops;
    ops::addSquares(backend_, gradients_.span(), squares_.data(), true);
    ops::addSquares(backend_, gradients_.span().first(3), squares_.data(), false);
    ops::scale(backend_, gradients_.span(), 0.5);
    ops::clipFactor(backend_, parameters_.data(), squares_.span(), 0.1, numbers_.span());
    ops::scale(backend_, gradients_.span(), numbers_.span());
    ops::sgd(backend_, parameters_.span(), gradients_.span(), momentum_.span(),
             tfm::SgdRule{0.1, 0.9, 0.01});
    ops::fill(backend_, ops::rowOf(second_.span()), 2.0);
    ops::adam(backend_, parameters_.span(), gradients_.span(), momentum_.span(), second_.span(),
              tfm::AdamRule{.learning_rate = 0.1});
    executor_.argmax(program_->find("logits"));
  }
  const tfm::Program& program() const { return *program_; }
  tfm::AlignedVector<double> parameters() const { return parameters_.download(); }
  tfm::AlignedVector<double> gradients() const { return gradients_.download(); }
  double squares() const { return squares_.download().front(); }

 private:
  std::shared_ptr<const tfm::Program> program_ =
      std::make_shared<const tfm::Program>(tfm::test::everyOp({.dropout = 0.4}));
  const Backend<double>& backend_;
  tfm::Executor<double> executor_;
  tfm::Buffer<double> parameters_, gradients_, momentum_, second_, squares_{backend_.memory(), 1},
      numbers_{backend_.memory(), 1};
};

using Worst = std::map<std::string_view, tfm::OpDifference>;

/// How far a backend is from the reference, by op.
Worst checked(std::unique_ptr<Backend<double>> tested) {
  const tfm::CheckBackend<double> check(tfm::makeBackend<double>(), std::move(tested));
  Run run(check);
  run();
  run.update();
  Worst worst;
  for (const tfm::OpDifference& d : check.worst()) worst[d.op] = d;
  return worst;
}

}  // namespace

class TestBackends : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { tfm::chooseDevice("cpu"); }

  void allIsComputedOnTheChosenDevice() {
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));
    tfm::test::chooseProtectedDevice();
    QCOMPARE(tfm::chosenDevice(), std::string("protected"));
    QCOMPARE(tfm::makeBackend<float>()->name(), "protected");
    QCOMPARE(tfm::makeBackend<double>()->name(), "protected");
  }

  void anUnknownDeviceIsNamedWithThoseThereAre() {
    const auto lame = [] { return std::string("it lacks a wheel"); };
    tfm::addDevice({"cart", lame, {}, {}});
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));
    for (const std::string name : {"abacus", "cart"}) try {
        tfm::chooseDevice(name);
        QFAIL("it was found");
      } catch (const tfm::Error& error) {
        QVERIFY(std::string(error.what()).find(name) != std::string::npos);
        QVERIFY(error.hint().find("cpu") != std::string::npos);
        QVERIFY(error.hint().find("cart (cannot run here: it lacks a wheel)") != std::string::npos);
      }
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));
  }

  /// What they are for is tested by test_cli_same_numbers.
  void fixedKernelsAreThoseOfTheProcessor() {
    for (const auto& [op, d] : checked(tfm::makeCpuBackend<double>(tfm::KernelSet::Fixed)))
      QVERIFY2(d.forward < 1e-12 && d.backward < 1e-12, op.data());
    for (const tfm::Op* op :
         {&tfm::ops::kLinear, &tfm::ops::kGroupedLinear, &tfm::ops::kMaskedLayerNorm})
      QVERIFY2(op->kernels<float>(tfm::KernelSet::Fixed).forward != op->kernels<float>().forward,
               op->name.data());
  }

  void sameNumbersAreThoseOfTheCpu() {
    QVERIFY(!tfm::sameNumbers());
    tfm::setSameNumbers(true);
    QCOMPARE(tfm::makeBackend<float>()->name(), tfm::kSameNumbers);
    QCOMPARE(tfm::makeBackend<double>()->name(), tfm::kSameNumbers);
    QCOMPARE(tfm::makeBackend<float>(false)->name(), "cpu");
    QVERIFY_EXCEPTION_THROWN(tfm::test::chooseProtectedDevice(), tfm::Error);
    QCOMPARE(tfm::chosenDevice(), std::string("cpu"));
    tfm::setSameNumbers(false);
    tfm::test::chooseProtectedDevice();
    QVERIFY_EXCEPTION_THROWN(tfm::setSameNumbers(true), tfm::Error);
    QVERIFY_EXCEPTION_THROWN(tfm::makeBackend<float>(true), tfm::Error);
    QCOMPARE(tfm::makeBackend<float>()->name(), "protected");
  }

  void anEmptyInstructionSetIsNone() {
    const QByteArray before = qgetenv("TFM_CPU");
    qputenv("TFM_CPU", "abacus");
    QVERIFY_EXCEPTION_THROWN(tfm::makeCpuBackend<float>(), tfm::Error);
    qputenv("TFM_CPU", "");
    QCOMPARE(tfm::makeCpuBackend<float>()->name(), "cpu");
    qputenv("TFM_CPU", before);
  }

  void aCheckFindsTheOpThatDiffers() {
    const Worst same = checked(tfm::makeBackend<double>());
    const Worst other = checked(std::make_unique<OwnLinear<double>>(1e-3, 2e-3));
    QCOMPARE(same.size(), other.size());
    for (const auto& [op, difference] : same) {
      QVERIFY2(difference.forward <= 1e-14 && difference.backward <= 1e-14, op.data());
      const bool own = op == tfm::ops::kLinear.name;
      QCOMPARE(other.at(op).forward > 1e-14, own);
      QCOMPARE(other.at(op).backward > 1e-14, own);
    }
    // Relative to the largest number where that is more than 1.
    QVERIFY(other.at("linear").forward <= 1.001e-3);
    QVERIFY(other.at("linear").backward <= 2.001e-3);
  }

  void aCheckGoesOnWithTheReference() {
    const auto usual = tfm::makeBackend<double>();
    const tfm::CheckBackend<double> check(tfm::makeBackend<double>(),
                                          std::make_unique<OwnLinear<double>>(1e-3, 2e-3));
    Run expected(*usual), got(check);
    expected();
    got();
    QVERIFY(got.gradients() == expected.gradients());
  }

  void aCheckSeesWhatIsNotANumber() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Worst worst = checked(std::make_unique<OwnLinear<double>>(nan, 0.0));
    QVERIFY(std::isinf(worst.at("linear").forward));
    QCOMPARE(worst.at("linear").backward, 0.0);
  }

  /// Each backend in its own memory, the reference there or here.
  void aCheckComparesAcrossMemories() {
    const auto usual = tfm::makeBackend<double>();
    for (const bool tested : {true, false}) {
      const tfm::CheckBackend<double> check(
          tested ? tfm::makeBackend<double>() : tfm::test::makeProtectedBackend<double>(),
          tested ? tfm::test::makeProtectedBackend<double>() : tfm::makeBackend<double>());
      Run expected(*usual), got(check);
      for (Run* run : {&expected, &got}) {
        (*run)();
        run->update();
      }
      QVERIFY(got.parameters() == expected.parameters());
      QVERIFY(got.gradients() == expected.gradients());
      QCOMPARE(got.squares(), expected.squares());
      std::set<std::string_view> seen;
      for (const tfm::OpDifference& d : check.worst()) {
        seen.insert(d.op);
        QVERIFY2(d.forward <= 1e-14 && d.backward <= 1e-14, d.op.data());
      }
      for (const tfm::Op* op : tfm::ops::kUpdates)
        QVERIFY2(seen.contains(op->name), op->name.data());
    }
  }

  void aTraceCountsEveryCall() {
    tfm::TraceBackend<double> trace(tfm::makeBackend<double>());
    Run run(trace);
    run();
    std::map<std::string_view, std::int64_t> steps, forwards, backwards;
    for (const tfm::Step& step : run.program().steps) ++steps[step.op->name];
    std::int64_t flops = 0;
    for (const tfm::OpCost& cost : trace.costs()) {
      (cost.backward ? backwards : forwards)[cost.op] += cost.calls;
      if (!cost.backward) flops += cost.flops;
      QVERIFY(cost.seconds >= 0.0 && cost.bytes > 0);
    }
    QCOMPARE(forwards.erase(tfm::ops::kFill.name), std::size_t(1));  // of gradients
    QCOMPARE(forwards, steps);
    QCOMPARE(steps.erase(tfm::ops::kPoolIds.name), std::size_t(1));  // has no backward
    QCOMPARE(backwards, steps);
    QCOMPARE(flops, run.program().forwardFlops());
    trace.reset();
    QVERIFY(trace.costs().empty());
  }

  void aTraceKnowsBytesAndOperations() {
    // 3 x 5 numbers by a 2 x 5 matrix, with a bias: 3 x 2.
    tfm::TraceBackend<float> trace(tfm::makeBackend<float>());
    std::vector<float> x(15), w(10), b(2), y(6), dx(15), dw(10), db(2), dy(6);
    OpCall<float> call;
    call.op = &tfm::ops::kLinear;
    call.inputs[0] = {MatrixView<float>(x.data(), 3, 5), {}, MatrixView<float>(dx.data(), 3, 5)};
    call.inputs[1] = {MatrixView<float>(w.data(), 2, 5), {}, MatrixView<float>(dw.data(), 2, 5)};
    call.inputs[2] = {MatrixView<float>(b.data(), 1, 2), {}, MatrixView<float>(db.data(), 1, 2)};
    call.outputs[0] = {MatrixView<float>(y.data(), 3, 2), MatrixView<float>(dy.data(), 3, 2)};
    trace.forward(call);
    trace.backward(call);
    tfm::ops::adam(trace, w, dw, std::span(x).first(10), std::span(dx).first(10), tfm::AdamRule{});
    for (const tfm::OpCost& cost : trace.costs()) {
      const bool adam = cost.op == "adam";
      QCOMPARE(cost.flops, adam ? 160 : 3 * (2 * 10 + 2) * (cost.backward ? 2 : 1));
      // Adam also reads its rate and two corrections.
      QCOMPARE(cost.bytes, 4 * (adam ? 43 : 33 * (cost.backward ? 2 : 1)));
    }
    QCOMPARE(trace.costs().size(), std::size_t(3));
  }

  void aTraceMayBeCalledFromSeveralThreads() {
    tfm::TraceBackend<double> trace(tfm::makeBackend<double>());
    Run a(trace), b(trace);
    std::thread other([&] { b(); });
    a();
    other.join();
    std::int64_t calls = 0;
    for (const tfm::OpCost& cost : trace.costs())
      if (cost.op != tfm::ops::kFill.name) calls += cost.calls;
    std::int64_t directions = 0;
    for (const tfm::Step& step : a.program().steps)
      directions += step.op->double_precision.backward == nullptr ? 1 : 2;
    QCOMPARE(calls, 2 * directions);
  }
};

TFM_TEST(TestBackends)
#include "test_backends.moc"
