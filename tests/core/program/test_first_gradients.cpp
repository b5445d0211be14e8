// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/first_gradients.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/backend/cpu/cpu_backend.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "core/program/program_builder.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using tfm::AlignedVector;
using tfm::FirstGradients;
using tfm::InputBits;
using tfm::kNoTensor;
using tfm::Program;
using tfm::ProgramBuilder;
using tfm::TensorId;

namespace {

constexpr std::int64_t kRows = 3, kSize = 4;

/// x -> doubled = x + x -> first = doubled W^T -> second = first W^T -> part = second W[:2]^T
/// -> loss. Sums overwrite only where a step reads a tensor once and wholly.
Program manyReaders() {
  ProgramBuilder b({kRows, 1, 0}, true, false);
  const tfm::Dimension size{{tfm::Axis::Hidden, kSize}};
  const tfm::InitialRule drawn{tfm::InitialValues::Normal, 0.5};
  const TensorId ids = b.ids("ids", kRows);
  const TensorId table = b.parameter("table", {{{tfm::Axis::Vocabulary, 5}}, size}, drawn);
  const TensorId weight = b.parameter("weight", {size, size}, drawn);
  const TensorId x = tfm::ops::embedding(b, "x", ids, table, 1.0);
  const TensorId doubled = tfm::ops::add(b, "doubled", x, x);
  const TensorId first = tfm::ops::linear(b, "first", doubled, weight, kNoTensor);
  const TensorId second = tfm::ops::linear(b, "second", first, weight, kNoTensor);
  const TensorId part = tfm::ops::linear(b, "part", second, b.window(weight, 2, kSize), kNoTensor);
  tfm::ops::squaredError(b, "loss", part, b.input("target", kRows, 2), 0.5);
  return b.finish();
}

/// The loss of manyReaders(), and its gradient over memory full of NaN.
struct Run {
  std::shared_ptr<const Program> program = std::make_shared<const Program>(manyReaders());
  std::unique_ptr<tfm::Backend<double>> backend = tfm::makeCpuBackend<double>();
  tfm::Executor<double> executor{program, *backend, true};
  AlignedVector<double> parameters;

  Run() {
    tfm::initialize(program->parameters, 9, parameters);
    std::vector<std::int32_t> ids;
    std::vector<double> target;
    for (std::int64_t r = 0; r < kRows; ++r) {
      ids.push_back(std::int32_t(r));
      for (std::int64_t c = 0; c < 2; ++c) target.push_back(0.1 * double(r + c));
    }
    executor.upload(program->find("ids"), ids);
    executor.upload(program->find("target"), target);
  }
  double loss() {
    executor.forward(parameters.data(), {});
    return executor.values(program->find("loss")).at(0, 0);
  }
  AlignedVector<double> gradient() {
    AlignedVector<double> result(parameters.size(), std::numeric_limits<double>::quiet_NaN());
    loss();
    executor.backward(parameters.data(), result.data(), {program->find("loss")}, {});
    return result;
  }
};

}  // namespace

class TestFirstGradients : public QObject {
  Q_OBJECT

 private slots:
  void aStepOverwritesWhatItAloneIsTheFirstToAddTo() {
    const Program program = manyReaders();
    const std::vector<FirstGradients> first = tfm::firstGradients(program);
    QCOMPARE(first.size(), program.steps.size() + 1);
    enum Step : std::size_t { kEmbedding, kDoubled, kFirst, kSecond, kPart, kLoss, kEnd };
    // Input 0 is the activation, input 1 the weight; the embedding's are the ids and the table.
    QCOMPARE(first[kEmbedding].parameters, InputBits(0b10));
    QCOMPARE(first[kFirst].activations, InputBits(0b01));
    QCOMPARE(first[kSecond].activations, InputBits(0b01));
    QCOMPARE(first[kPart].activations, InputBits(0b01));
    QCOMPARE(first[kLoss].activations, InputBits(0b01));
    // x is read twice by one step.
    QCOMPARE(first[kDoubled].activations, InputBits(0));
    QCOMPARE(first[kDoubled].cleared_activations, std::vector{program.find("x")});
    // The last step that reads the weight reads only a part of it.
    QCOMPARE(first[kPart].parameters, InputBits(0));
    QCOMPARE(first[kPart].cleared_parameters.size(), std::size_t(1));
    QCOMPARE(first[kPart].cleared_parameters[0].rows, kSize);
    QCOMPARE(first[kFirst].parameters | first[kSecond].parameters, InputBits(0));
    QCOMPARE(first[kEnd].cleared_activations, std::vector{program.find("loss")});
  }

  void everyGradientIsBegunOnce() {
    const Program program = tfm::test::everyOp({.dropout = 0.4});
    std::vector<int> begun(program.tensors.size(), 0);
    const std::vector<FirstGradients> first = tfm::firstGradients(program);
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (const TensorId id : first[i].cleared_activations) ++begun[std::size_t(id)];
      for (const tfm::ParameterWindow& w : first[i].cleared_parameters)
        ++begun[std::size_t(w.parameter)];
      for (std::size_t j = 0; i < program.steps.size() && j < program.steps[i].inputs.size(); ++j)
        if (((first[i].activations | first[i].parameters) >> j & 1U) != 0)
          ++begun[std::size_t(program.steps[i].inputs[j])];
    }
    for (const tfm::Step& step : program.steps)
      for (const TensorId id : step.inputs) {
        if (id == kNoTensor) continue;
        const tfm::TensorInfo& t = program.tensors[std::size_t(id)];
        const bool differentiated =
            t.role == tfm::Role::Activation || t.role == tfm::Role::Parameter;
        QVERIFY2(begun[std::size_t(id)] == (differentiated ? 1 : 0), t.name.c_str());
      }
  }

  /// Gradients of activations take turns in memory where nobody watches them.
  void gradientsThatShareMemoryAreTheSame() {
    const auto backend = tfm::makeCpuBackend<double>();
    const tfm::test::EveryOpSizes sizes{.dropout = 0.4}, hidden{.dropout = 0.4, .watched = false};
    std::int64_t memory[2] = {};
    const auto gradientsOf = [&](const tfm::test::EveryOpSizes& s) {
      const auto program = std::make_shared<const Program>(tfm::test::everyOp(s));
      memory[s.watched ? 1 : 0] = tfm::gradientMemory(*program).size;
      tfm::Executor<double> executor(program, *backend, true);
      AlignedVector<double> parameters;
      tfm::initialize(program->parameters, 9, parameters);
      tfm::test::setDrawnInputs(executor, s, 0);
      std::vector<AlignedVector<double>> all;
      for (const std::uint64_t step : {0, 5}) {  // the second one over what the first one has left
        executor.forward(parameters.data(), {3, step, 0});
        all.emplace_back(parameters.size());
        executor.backward(parameters.data(), all.back().data(), {program->find("loss")},
                          {3, step, 0});
      }
      return all;
    };
    const auto got = gradientsOf(hidden), expected = gradientsOf(sizes);
    for (std::size_t run = 0; run < got.size(); ++run)
      for (std::size_t i = 0; i < got[run].size(); ++i)
        QVERIFY(std::abs(got[run][i] - expected[run][i]) < 1e-14);
    QVERIFY2(2 * memory[0] < memory[1],
             qPrintable(QString("%1 of %2").arg(memory[0]).arg(memory[1])));
  }
  /// No two gradients that are needed at the same time overlap.
  void gradientsThatShareMemoryDoNotOverlap() {
    const Program program = tfm::test::everyOp({.dropout = 0.4, .watched = false});
    const tfm::GradientMemory memory = tfm::gradientMemory(program);
    const auto count = std::int64_t(program.steps.size());
    struct Held {
      std::int64_t first, end, offset, size;  // the steps between which it is needed
    };
    std::vector<Held> held;
    for (std::int64_t made = 0; made < count; ++made)
      for (const TensorId id : program.steps[std::size_t(made)].outputs) {
        if (id == kNoTensor || memory.offsets[std::size_t(id)] < 0) continue;
        std::int64_t last = -1;
        for (std::int64_t i = 0; i < count; ++i)
          if (std::ranges::count(program.steps[std::size_t(i)].inputs, id) > 0) last = i;
        const tfm::TensorInfo& t = program.tensors[std::size_t(id)];
        held.push_back(
            {made, last < 0 ? count : last, memory.offsets[std::size_t(id)], t.rows * t.cols});
        if (last < 0) held.back().first = 0;  // zero from the beginning to the end
        QVERIFY(held.back().offset + held.back().size <= memory.size);
      }
    QVERIFY(!held.empty());
    for (const Held& a : held)
      for (const Held& b : held) {
        const bool together = &a != &b && a.first <= b.end && b.first <= a.end;
        QVERIFY(!together || a.offset + a.size <= b.offset || b.offset + b.size <= a.offset);
      }
  }

  void gradientsOfManyReadersAreThoseOfFiniteDifferences() {
    Run run;
    const AlignedVector<double> gradient = run.gradient();
    QVERIFY(gradient == run.gradient());
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double value = run.parameters[i];
      run.parameters[i] = value + 1e-5;
      const double above = run.loss();
      run.parameters[i] = value - 1e-5;
      const double below = run.loss();
      run.parameters[i] = value;
      const double expected = (above - below) / 2e-5;
      QVERIFY2(std::abs(gradient[i] - expected) < 1e-8, std::to_string(i).c_str());
    }
  }
};

TFM_TEST(TestFirstGradients)
#include "test_first_gradients.moc"
