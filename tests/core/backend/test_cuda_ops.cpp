// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels for a GPU, on the simulated device or a real one, beside those of the CPU.
#include <dlfcn.h>

#include <QScopeGuard>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/backend/buffer.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/tile.h"
#include "core/program/ops/update_ops.h"
#include "core/tensor/random.h"
#include "tests/core/backend/far_off.h"
#include "tests/core/backend/simulated_cuda/cuda_plugin.h"
#include "tests/core/program/every_op.h"
#include "tests/core/program/ops/op_case.h"
#include "tests/core/program/ops/op_checker.h"
#include "tests/named_rows.h"
#include "tests/test_program.h"

using tfm::Backend;
using tfm::Buffer;
using tfm::CheckBackend;
using tfm::MatrixView;
using tfm::test::farOff;
using tfm::test::OpCase;

namespace {

constexpr std::int64_t kGaps[] = {0, 3};

template <class Real>
std::unique_ptr<Backend<Real>> makeTested(std::string_view name = "cuda") {
  const tfm::Device device = tfm::test::cudaDevice(name);
  if constexpr (sizeof(Real) == sizeof(float))
    return device.make_float();
  else
    return device.make_double();
}

bool hasKernels(const tfm::Op* op) { return tfm::cuda::findDeviceOp(op->name) != nullptr; }

/// Runs ops that the GPU has no kernels for on the CPU, in whose memory a CheckBackend is called.
template <class Real>
class OthersOnCpu final : public Backend<Real> {
 public:
  explicit OthersOnCpu(const Backend<Real>& inner) : inner_(inner) {}
  std::string_view name() const override { return inner_.name(); }
  const tfm::DeviceMemory& memory() const override { return inner_.memory(); }
  void forward(const tfm::OpCall<Real>& call) const override {
    hasKernels(call.op) ? inner_.forward(call) : call.op->template kernels<Real>().forward(call);
  }
  void backward(const tfm::OpCall<Real>& call) const override {
    hasKernels(call.op) ? inner_.backward(call) : call.op->template kernels<Real>().backward(call);
  }

 private:
  const Backend<Real>& inner_;
};

/// A program with every op, and every op of training outside programs.
template <class Real>
void runEveryOp(const CheckBackend<Real>& both) {
  const OthersOnCpu<Real> backend(both);
  namespace ops = tfm::ops;
  const auto program = std::make_shared<const tfm::Program>(tfm::test::everyOp({.dropout = 0.4}));
  tfm::Executor<Real> executor(program, backend, true);
  tfm::AlignedVector<Real> drawn;
  tfm::initialize(program->parameters, 9, drawn);
  Buffer<Real> parameters(backend.memory(), drawn), gradients(backend.memory(), drawn),
      first(backend.memory(), drawn), second(backend.memory(), drawn);
  Buffer<double> squares(backend.memory(), 1);
  tfm::test::setDrawnInputs(executor, {}, 0);
  for (const std::uint64_t step : {0, 5, 9}) {  // the mask of a norm has weights 0, 0.5 and 1
    const tfm::RunPosition position{3, step, 0};
    executor.forward(parameters.data(), position);
    executor.backward(parameters.data(), gradients.data(), {program->find("loss"), 1, step == 5},
                      position);
  }
  ops::addSquares(backend, gradients.span(), squares.data(), true);
  ops::addSquares(backend, gradients.span().first(3), squares.data(), false);
  Buffer<Real> used(backend.memory(), std::vector<Real>{1, 2, 3}), unused(backend.memory(), 3);
  ops::clipFactor(backend, gradients.data(), squares.span(), 0.01, used.span());
  squares.upload(std::vector{std::numeric_limits<double>::infinity()});
  ops::clipFactor(backend, gradients.data(), squares.span(), 0.01, unused.span());
  for (const Buffer<Real>* numbers : {&used, &unused}) {
    ops::scale(backend, gradients.span(), numbers->span().first(1));
    ops::sgd(backend, parameters.span(), gradients.span(), first.span(),
             std::any(tfm::SgdRule{0.1, 0.9, 0.01}), numbers->span());
  }
  ops::sgd(backend, parameters.span(), gradients.span(), first.span(),
           tfm::SgdRule{0.1, 0.9, 0.01});
  ops::fill(backend, ops::rowOf(second.span()), 2.0);
  for (const bool decoupled : {false, true})
    ops::adam(backend, parameters.span(), gradients.span(), first.span(), second.span(),
              tfm::AdamRule{.learning_rate = 0.1, .weight_decay = 0.01, .decoupled = decoupled});
  executor.argmax(program->find("logits"));
}

/// Positions that are kept in runs of some length, in two sequences.
template <class Real>
void runKeptPositions(const CheckBackend<Real>& both) {
  const OthersOnCpu<Real> backend(both);
  std::vector<Real> states(std::size_t(2 * 64 * (2 * 5 + 2 * 3)));
  Buffer<Real> kept(backend.memory(), states);
  std::vector<std::int32_t> first{0, 9};
  for (const std::int64_t length : {4, 1, 2}) {
    tfm::ProgramBuilder b({}, false, false);
    const std::int64_t rows = 2 * length;
    const tfm::AttentionShape shape{2, length, 64, 4, 5, 3, true};
    tfm::ops::cachedAttention(b, "kept", b.input("q", rows, 20), b.input("k", rows, 10),
                              b.input("v", rows, 6), b.ids("places", rows), {shape, 2});
    tfm::Executor<Real> executor(std::make_shared<const tfm::Program>(b.finish()), backend, false,
                                 kept.data());
    const tfm::Program& program = executor.program();
    QCOMPARE(program.state_size, std::ssize(states));
    for (const char* name : {"q", "k", "v"}) {
      const tfm::TensorId id = program.find(name);
      const tfm::TensorInfo& t = program.tensors[std::size_t(id)];
      const tfm::Random random{std::uint64_t(first[0]), std::uint32_t(id)};
      std::vector<Real> numbers(std::size_t(t.rows * t.cols));
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = Real(random.normal(i));
      executor.upload(id, std::span<const Real>(numbers));
    }
    std::vector<std::int32_t> places;
    for (std::int32_t& next : first)
      for (std::int64_t i = 0; i < length; ++i) places.push_back(next++);
    executor.upload(program.find("places"), places);
    executor.forward(nullptr, {});
  }
}

/// A call of a case's op on drawn numbers, forward and backward.
template <class Real>
void runCase(const OpCase& op, const Backend<Real>& backend,
             const std::function<Real(Real)>& rounded = std::identity()) {
  std::vector<std::vector<Real>> memory;
  const auto drawn = [&](tfm::test::Size size) -> MatrixView<Real> {
    if (size.rows == 0) return {};
    const tfm::Random random(11, std::uint32_t(memory.size()));
    std::vector<Real>& numbers = memory.emplace_back(std::size_t(size.rows * size.cols));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = rounded(Real(random.uniform(i) - 0.5));
    return {numbers.data(), size.rows, size.cols};
  };
  tfm::OpCall<Real> call;
  call.op = op.step().op;
  call.arguments = &op.step().arguments;
  call.position = &op.position;
  for (std::size_t i = 0; i < op.step().inputs.size(); ++i) {
    call.inputs[i].values = drawn(op.input(i));
    call.inputs[i].ids = op.ids[i];
    if (op.hasGradient(i)) call.inputs[i].gradient = drawn(op.input(i));
  }
  for (std::size_t i = 0; i < op.step().outputs.size(); ++i)
    call.outputs[i].values = drawn(op.output(i));
  call.outputs[0].gradient = drawn(op.output(0));
  backend.forward(call);
  backend.backward(call);
}

/// A precision, its rounding, and the largest difference that this makes, relative to the largest
/// number: two numbers of a product are off by half of their last bit.
struct Rounding {
  const char* device;
  float (*rounded)(float);
  double most;
};
constexpr Rounding kRoundings[] = {
    {"cuda-tf32", tfm::cuda::rounded<tfm::cuda::Precision::Tf32>, 0x1p-10},
    {"cuda-bf16", tfm::cuda::rounded<tfm::cuda::Precision::Bf16>, 0x1p-7}};

/// Sizes that leave large tiles partly empty, and more keys than a block could share the scores of.
const std::vector<OpCase>& largeCases() {
  using tfm::test::CaseBuilder;
  using tfm::test::makeCase;
  const auto linear = [](const char* name, std::int64_t rows, std::int64_t in, std::int64_t out) {
    return makeCase(name, nullptr, [=](CaseBuilder& b) {
      b.append({&tfm::ops::kLinear,
                "y",
                {b.x(rows, in), b.x(out, in), b.x(1, out)},
                {b.activation("y", rows, out)},
                {}});
    });
  };
  const auto attention = [](const char* name, const tfm::AttentionShape& s, double dropout,
                            bool maps = true) {
    OpCase c = makeCase(name, nullptr,
                        [&](CaseBuilder& b) {
                          tfm::ops::attention(
                              b, "y", b.x(s.batch * s.queries, s.heads * s.key_size),
                              b.x(s.batch * s.keys, s.heads * s.key_size),
                              b.x(s.batch * s.keys, s.heads * s.value_size), tfm::kNoTensor, s,
                              dropout, b.x(s.batch * s.heads * s.queries, s.keys));
                        },
                        {{}, true, false, {}, maps});
    c.position = {5, 7, 0};
    return c;
  };
  static const std::vector<OpCase> all{
      linear("y and dy", 530, 20, 515),
      linear("dw", 19, 515, 530),
      attention("wide values", {4, 70, 90, 8, 9, 70}, 0.2),
      attention("wide keys", {4, 90, 70, 8, 70, 9}, 0.0),
      attention("causal", {4, 90, 90, 8, 9, 9, true}, 0.2),
      attention("many keys", {1, 2, 20'000, 1, 2, 3}, 0.0),
      attention("without maps", {4, 90, 70, 8, 9, 10}, 0.2, false)};
  return all;
}

/// Just enough tiles to be large.
std::vector<OpCase> roundedCases() {
  using tfm::test::CaseBuilder;
  const tfm::AttentionShape s{8, 33, 40, 8, 9, 11, false};
  return {tfm::test::makeCase("grouped linear", nullptr,
                              [](CaseBuilder& b) {
                                tfm::ops::groupedLinear(b, "y", b.x(37, 64 * 34), b.x(64 * 35, 34),
                                                        b.x(1, 64 * 35), 64, true);
                              }),
          tfm::test::makeCase("attention", nullptr, [&](CaseBuilder& b) {
            tfm::ops::attention(b, "y", b.x(s.batch * s.queries, s.heads * s.key_size),
                                b.x(s.batch * s.keys, s.heads * s.key_size),
                                b.x(s.batch * s.keys, s.heads * s.value_size), tfm::kNoTensor, s,
                                0.0);
          })};
}

/// Its sums are off by a little.
class SlightlyOff final : public tfm::BackendDecorator<double> {
 public:
  SlightlyOff() : BackendDecorator(makeTested<double>()) {}
  void forward(const tfm::OpCall<double>& call) const override {
    inner().forward(call);
    const MatrixView<double> y = call.out(0);
    if (call.op == &tfm::ops::kAdd)
      tfm::ops::scale(inner(), {y.data, std::size_t(y.size())}, 1.0 + 1e-9);
  }
};

}  // namespace

class TestCudaOps : public QObject {
  Q_OBJECT

 private:
  using Check = std::string (*)(const OpCase&, std::int64_t, const Backend<double>&);

  const std::vector<OpCase> cases_ = tfm::test::opCases();

 private slots:
  /// No library that this machine may have.
  void initTestCase() {
    if (tfm::test::isSimulated()) qputenv("TFM_CUBLASLT", "");
  }
  /// The checks themselves run on the CPU's results, each call of theirs on both.
  void everyCallIsThatOfTheCpu_data() { addNamedRows(cases_); }
  void everyCallIsThatOfTheCpu() {
    QFETCH(int, index);
    const OpCase& op = cases_[std::size_t(index)];
    if (!hasKernels(op.step().op)) QSKIP("The GPU has no kernels for it");
    const CheckBackend<double> both(tfm::makeCpuBackend<double>(), makeTested<double>());
    for (const std::int64_t gap : kGaps)
      for (const Check check : {tfm::test::wrongValue, tfm::test::wrongAccumulation,
                                tfm::test::wrongAfresh, tfm::test::wrongWithEmptyViews}) {
        const std::string wrong = check(op, gap, both) + farOff(both, 1e-12);
        QVERIFY2(wrong.empty(), wrong.c_str());
      }
  }

  void numbersAreRounded() {
    const auto tf32 = kRoundings[0].rounded, bf16 = kRoundings[1].rounded;
    for (const auto rounded : {tf32, bf16})
      for (const float x : {0.0F, -1.0F, 1.5F, 0x1p-140F, -std::numeric_limits<float>::infinity()})
        QCOMPARE(rounded(x), std::abs(x) > 0 && std::abs(x) < 1e-30F ? rounded(rounded(x)) : x);
    QCOMPARE(tf32(1.0F + 0x1p-11F), 1.0F + 0x1p-10F);  // halves away from zero
    QCOMPARE(tf32(-1.0F - 0x1p-11F), -1.0F - 0x1p-10F);
    QCOMPARE(tf32(1.0F + 0x1.Fp-12F), 1.0F);
    QCOMPARE(bf16(1.0F + 0x1p-8F), 1.0F);  // halves to the even one
    QCOMPARE(bf16(1.0F + 0x3p-8F), 1.0F + 0x1p-6F);
    QCOMPARE(bf16(1.0F + 0x1.1p-8F), 1.0F + 0x1p-7F);
    QVERIFY(std::isnan(tf32(std::nanf(""))) && std::isnan(bf16(std::nanf(""))));
  }

  /// NVIDIA's library is used for large products, where it is found; here another one stands for
  /// it.
  void productsOfALibraryAreThoseOfTheCpu() {
    if (!tfm::test::isSimulated()) QSKIP("A real device has the real library, or none");
    const auto run = [](const OpCase& op) {
      const CheckBackend<float> both(tfm::makeCpuBackend<float>(), makeTested<float>());
      runCase<float>(op, both);
      return farOff(both, 2e-5);
    };
    qputenv("TFM_CUBLASLT", TFM_FAKE_CUBLASLT);
    const auto restore = qScopeGuard([] { qputenv("TFM_CUBLASLT", ""); });
    // As soon as somebody else keeps it, it stays when a backend ends.
    void* library = ::dlopen(TFM_FAKE_CUBLASLT, RTLD_NOW);
    const auto products = reinterpret_cast<int (*)()>(::dlsym(library, "tfmFakeProducts"));
    QVERIFY(makeTested<float>()->details().starts_with("large products by "));
    for (const OpCase& op : largeCases()) {
      if (op.step().op != &tfm::ops::kLinear) continue;
      const int before = products();
      QCOMPARE(run(op), std::string());
      QCOMPARE(products(), before + 3);
    }
    const int before = products();
    const CheckBackend<double> exact(tfm::makeCpuBackend<double>(), makeTested<double>());
    runCase(largeCases().front(), exact);
    QCOMPARE(run(roundedCases().front()), std::string());
    QCOMPARE(products(), before);  // proofs and groups are multiplied by kernels of our own
    ::dlclose(library);
  }
  void aLibraryThatIsMissingIsSaid() {
    const auto details = [](const char* name) {
      const QByteArray before = qgetenv("TFM_CUBLASLT");
      qputenv("TFM_CUBLASLT", name);
      const QString said = QString::fromStdString(makeTested<float>()->details());
      qputenv("TFM_CUBLASLT", before);
      return said;
    };
    QVERIFY(details("/nowhere.so").startsWith("all products by kernels of its own (/nowhere.so: "));
    QVERIFY(details("").contains("turns it off"));
    if (!tfm::test::isSimulated()) return;
    QVERIFY(details("libdl.so.2").contains("has no cublasLtCreate"));
  }

  /// An op of programs may have none: it is named here, and by the device that is asked for it.
  void opsHaveKernels() {
    for (const tfm::Op* op : tfm::ops::kUpdates) QVERIFY2(hasKernels(op), op->name.data());
    for (const tfm::Op* op : tfm::ops::kAll) {
      if (!hasKernels(op)) {
        qWarning("the GPU has no kernels for '%s'", op->name.data());
        continue;
      }
      const tfm::cuda::DeviceOp& own = *tfm::cuda::findDeviceOp(op->name);
      QVERIFY2(own.single_precision.forward != nullptr, op->name.data());
      QVERIFY2(
          (own.double_precision.backward != nullptr) == (op->double_precision.backward != nullptr),
          op->name.data());
    }
  }

  void aProgramIsThatOfTheCpu() {
    const CheckBackend<double> exact(tfm::makeCpuBackend<double>(), makeTested<double>());
    runEveryOp(exact);
    runKeptPositions(exact);
    QCOMPARE(std::ssize(exact.worst()),
             std::ranges::count_if(tfm::ops::kAll, hasKernels) + std::ssize(tfm::ops::kUpdates) + 1);
    QCOMPARE(farOff(exact, 1e-12), std::string());
    const CheckBackend<float> single(tfm::makeCpuBackend<float>(), makeTested<float>());
    runEveryOp(single);
    runKeptPositions(single);
    QCOMPARE(farOff(single, 2e-5), std::string());
  }

  void anOpThatIsOffIsNoticed() {
    const CheckBackend<double> off(tfm::makeCpuBackend<double>(), std::make_unique<SlightlyOff>());
    runEveryOp(off);
    QVERIFY(farOff(off, 1e-12).starts_with("add is off by"));
  }

  void anUnknownOpIsNamed() {
    tfm::Op unknown = tfm::ops::kAdd;
    unknown.name = "abacus";
    tfm::OpCall<float> call;
    call.op = &unknown;
    try {
      makeTested<float>()->forward(call);
      QFAIL("it was run");
    } catch (const std::runtime_error& error) {
      QVERIFY(QString(error.what()).contains("the GPU has no kernels for 'abacus'"));
    }
  }

  void aTokenOutsideTheVocabularyIsNotANumber() {
    const auto backend = makeTested<float>();
    const std::vector<std::int32_t> tokens{1, 7, -1};
    const Buffer<std::int32_t> ids(backend->memory(), tokens);
    const Buffer<float> table(backend->memory(), std::vector<float>{1, 2, 3, 4});
    Buffer<float> y(backend->memory(), 6);
    const std::any arguments = tfm::EmbeddingArguments{};
    tfm::OpCall<float> call;
    call.op = &tfm::ops::kEmbedding;
    call.arguments = &arguments;
    call.inputs[0].ids = ids.span();
    call.inputs[1].values = {table.data(), 2, 2};
    call.outputs[0].values = {y.data(), 3, 2};
    backend->forward(call);
    const auto got = y.download();
    QCOMPARE(got[0], 3.0F);
    QCOMPARE(got[1], 4.0F);
    for (std::size_t i = 2; i < 6; ++i) QVERIFY(std::isnan(got[i]));
  }

  void largeTilesAreThoseOfTheCpu_data() { addNamedRows(largeCases()); }
  void largeTilesAreThoseOfTheCpu() {
    QFETCH(int, index);
    const OpCase& op = largeCases()[std::size_t(index)];
    const CheckBackend<double> exact(tfm::makeCpuBackend<double>(), makeTested<double>());
    runCase(op, exact);
    QCOMPARE(exact.worst().size(), 1U);
    QCOMPARE(farOff(exact, 1e-12), std::string());
    const CheckBackend<float> single(tfm::makeCpuBackend<float>(), makeTested<float>());
    runCase(op, single);
    QCOMPARE(farOff(single, 2e-5), std::string());
  }
  /// Products in a lower precision are those of rounded numbers, up to the order of sums, and those
  /// of the numbers themselves up to the rounding. Plain products are not.
  void productsAreOfRoundedNumbers_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < 2; ++i) QTest::newRow(kRoundings[i].device) << i;
  }
  void productsAreOfRoundedNumbers() {
    QFETCH(int, index);
    const Rounding& rounding = kRoundings[index];
    const auto differenceFrom = [&](const char* device, const OpCase& op, bool rounds) {
      // What the device is given is what the CPU is given, or not yet rounded.
      const CheckBackend<float> both(tfm::makeCpuBackend<float>(), makeTested<float>(device));
      runCase<float>(op, both,
                     rounds ? std::function<float(float)>(rounding.rounded)
                            : std::function<float(float)>(std::identity()));
      const tfm::OpDifference worst = both.worst().front();
      return std::max(worst.forward, worst.backward);
    };
    for (const OpCase& op : roundedCases()) {
      const double none = differenceFrom(rounding.device, op, true);
      const double off = differenceFrom(rounding.device, op, false);
      const double plain = differenceFrom("cuda", op, false);
      const QString what = QString("%1: %2 %3 %4")
                               .arg(QString::fromStdString(op.name))
                               .arg(none)
                               .arg(off)
                               .arg(plain);
      QVERIFY2(plain < 2e-6 && off > 20 * plain && off < rounding.most, qPrintable(what));
      if (op.step().op != &tfm::ops::kAttention)  // whose products are of products
        QVERIFY2(none < 2e-6, qPrintable(what));
    }
  }
  /// Only large ones, and not in double precision.
  void smallProductsAndProofsAreNotRounded() {
    const CheckBackend<double> exact(tfm::makeCpuBackend<double>(),
                                     makeTested<double>("cuda-bf16"));
    runCase(roundedCases().front(), exact);
    QCOMPARE(farOff(exact, 1e-12), std::string());
    const CheckBackend<float> small(tfm::makeCpuBackend<float>(), makeTested<float>("cuda-bf16"));
    runEveryOp(small);
    QCOMPARE(farOff(small, 2e-5), std::string());
  }

  /// The cases above have large tiles, those of the op table do not.
  void fewOrNarrowTilesAreSmall() {
    const auto areLarge = [](std::int64_t rows, std::int64_t cols, std::int64_t groups) {
      const bool large = tfm::cuda::useLargeTiles<float>(rows, cols, groups);
      return large == tfm::cuda::useLargeTiles<double>(rows, cols, groups) ? int(large) : -1;
    };
    QCOMPARE(areLarge(530, 515, 1), 1);
    QCOMPARE(areLarge(70, 90, 32), 1);
    QCOMPARE(areLarge(90, 70, 32), 1);
    QCOMPARE(areLarge(33, 50, 2), 0);
    QCOMPARE(areLarge(4096, 16, 1), 0);
  }
};

TFM_TEST(TestCudaOps)
#include "test_cuda_ops.moc"
