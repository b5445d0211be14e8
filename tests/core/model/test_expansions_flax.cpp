// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/model/presets.h"
#include "core/program/ops/ops.h"
#include "tests/core/model/golden_model.h"
#include "tests/test_program.h"

using tfm::ModelConfig;
using tfm::Program;
using tfm::TensorId;
using tfm::TensorInfo;
using tfm::test::agrees;
using tfm::test::Golden;
using tfm::test::ModelRun;

namespace {

/// The program with one step more: the mean of its output's squares as the loss (the target stays
/// zero).
Program withMeanSquare(Program p) {
  const TensorId output = p.find(tfm::names::kOutput);
  const TensorInfo out = p.tensors[std::size_t(output)];
  const auto add = [&](std::string_view name, tfm::Role role, std::int64_t rows, std::int64_t cols,
                       std::int64_t& memory) {
    const auto id = TensorId(p.tensors.size());
    p.tensors.push_back({std::string(name), role, rows, cols, memory});
    p.index[std::string(name)] = id;
    memory += rows * cols;
    return id;
  };
  const TensorId target =
      add(tfm::names::kLabelFeatures, tfm::Role::Input, out.rows, out.cols, p.input_size);
  const TensorId loss = add(tfm::names::kLoss, tfm::Role::Activation, 1, 1, p.activation_size);
  p.steps.push_back({&tfm::ops::kSquaredError,
                     "loss",
                     {output, target},
                     {loss},
                     tfm::SquaredErrorArguments{1.0 / double(out.rows * out.cols)}});
  return p;
}

}  // namespace

/// The model of the expansions notebook as flax computes it.
class TestExpansionsFlax : public QObject {
  Q_OBJECT

 private:
  const Golden golden_ = Golden::read("expansions_flax");

  ModelConfig config() const {
    ModelConfig c = tfm::test::configOf(golden_.at("config"), 2, tfm::Architecture::Encoder);
    c.input = tfm::InputKind::Features;
    c.output = tfm::OutputKind::Labels;
    c.target_length = 0;
    return c;
  }
  ModelRun runOf(const ModelConfig& c) const {
    ModelRun run(withMeanSquare(tfm::buildProgram(c, {3, 2, 0}, {})));
    tfm::test::setParameters(run, golden_.at("parameters"));
    run.setNumbers(tfm::names::kSourceFeatures, golden_.at("x").numbers());
    return run;
  }

 private slots:
  void theGoldenIsOfThePreset() {
    QVERIFY(tfm::presetNamed("expansions-notebook").config() == config());
  }

  void outputLossAndGradients() {
    ModelRun run = runOf(config());
    QVERIFY(agrees(run.backward(), golden_.at("loss").number()));
    QVERIFY(agrees(run.values(tfm::names::kOutput), golden_.at("output").numbers()));
    const std::string wrong = tfm::test::wrongGradients(run, golden_.at("gradients"));
    QVERIFY2(wrong.empty(), wrong.c_str());
    // The first step adds the positions, so that its gradient is that of the input.
    QVERIFY(
        agrees(run.activationGradient("encoder.positions"), golden_.at("x_gradient").numbers()));
  }

  void anotherEpsIsSeen() {
    ModelConfig wrong = config();
    wrong.encoder_layers[1].blocks[0].norm_eps = 2e-6;
    ModelRun run = runOf(wrong);
    run.forward();
    QVERIFY(!agrees(run.values(tfm::names::kOutput), golden_.at("output").numbers()));
  }
};

TFM_TEST(TestExpansionsFlax)
#include "test_expansions_flax.moc"
