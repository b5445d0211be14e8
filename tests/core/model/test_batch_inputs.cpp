// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <stdexcept>

#include "core/backend/cpu/cpu_backend.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "tests/test_program.h"

using tfm::Batch;

namespace {

/// A program with its executor.
struct Model {
  std::shared_ptr<const tfm::Program> program;
  std::unique_ptr<tfm::Backend<double>> backend = tfm::makeCpuBackend<double>();
  tfm::Executor<double> executor;

  Model(const tfm::ModelConfig& config, const tfm::BatchShape& shape)
      : program(
            std::make_shared<const tfm::Program>(tfm::buildProgram(config, shape, {.loss = true}))),
        executor(program, *backend, false) {}

  std::vector<int> ids(std::string_view name) {
    const auto span = executor.ids(program->find(name));
    return {span.begin(), span.end()};
  }
  std::vector<double> numbers(std::string_view name) {
    const auto view = executor.values(program->find(name));
    return {view.data, view.data + view.size()};
  }
};

Batch threeSequences() {
  Batch b;
  b.size = 3;
  b.source_length = b.target_length = 2;
  b.source = {1, 2, 3, 4, 5, 6};
  b.source_pad = {0, 1, 0, 0, 0, 1};
  b.target = {11, 12, 13, 14, 15, 16};
  b.labels = {21, 22, 23, 24, 25, 26};
  b.label_weights = {0.5F, 0.0F, 0.25F, 0.0F, 0.125F, 0.125F};
  return b;
}

}  // namespace

class TestBatchInputs : public QObject {
  Q_OBJECT

 private slots:
  void aPartOfABatchIsCopied() {
    Model m(tfm::presetNamed("rot13").config(), {2, 2, 2});
    tfm::setInputs(m.executor, threeSequences(), 1);
    QCOMPARE(m.ids(tfm::names::kSourceIds), (std::vector<int>{3, 4, 5, 6}));
    QCOMPARE(m.ids(tfm::names::kSourcePad), (std::vector<int>{0, 0, 0, 1}));
    QCOMPARE(m.ids(tfm::names::kTargetIds), (std::vector<int>{13, 14, 15, 16}));
    QCOMPARE(m.ids(tfm::names::kTargetPad), (std::vector<int>{0, 0, 0, 0}));
    QCOMPARE(m.ids(tfm::names::kLabels), (std::vector<int>{23, 24, 25, 26}));
    QCOMPARE(m.numbers(tfm::names::kLabelWeights), (std::vector<double>{0.25, 0.0, 0.125, 0.125}));
  }

  void aDecoderAloneReadsTokensAsOneHotRows() {
    tfm::ModelConfig config = tfm::presetNamed("annotated-decoder").config();
    Model m(config, {2, 2, 2});
    tfm::setInputs(m.executor, threeSequences(), 1);
    std::vector<double> wanted(4 * 28, 0.0);
    for (std::size_t row = 0; row < 4; ++row) wanted[row * 28 + row + 3] = 1.0;  // tokens 3 to 6
    QCOMPARE(m.numbers(tfm::names::kMemory), wanted);
    Batch given = threeSequences();  // the control: rows that are given are read instead
    given.memory.assign(6 * 28, 0.5);
    tfm::setInputs(m.executor, given, 1);
    QCOMPARE(m.numbers(tfm::names::kMemory), std::vector<double>(4 * 28, 0.5));
  }

  void whatIsMissingIsZeroAgain() {
    Model m(tfm::presetNamed("rot13").config(), {2, 2, 2});
    tfm::setInputs(m.executor, threeSequences(), 1);
    Batch bare = threeSequences();
    bare.source_pad.clear();
    bare.label_weights.clear();
    tfm::setInputs(m.executor, bare, 1);
    QCOMPARE(m.ids(tfm::names::kSourcePad), (std::vector<int>{0, 0, 0, 0}));
    QCOMPARE(m.numbers(tfm::names::kLabelWeights), (std::vector<double>{0.0, 0.0, 0.0, 0.0}));
  }

  void narrowFeaturesAreFilledUp() {
    tfm::ModelConfig c = tfm::presetNamed("expansions-notebook").config();
    c.hidden = 3;
    Model m(c, {1, 2, 0});
    Batch b;
    b.size = 2;
    b.source_length = 2;
    b.source_features = {1, 2, 3, 4, 5, 6, 7, 8};
    tfm::setInputs(m.executor, b, 1);
    QCOMPARE(m.numbers(tfm::names::kSourceFeatures), (std::vector<double>{5, 6, 0, 7, 8, 0}));
  }

  void featuresOfTheirOwnWidthAreTaken() {
    tfm::ModelConfig c = tfm::presetNamed("expansions-notebook").config();
    c.feature_size = 2;
    Model m(c, {1, 2, 0});
    Batch b;
    b.size = 1;
    b.source_length = 2;
    b.source_features = {1, 2, 3, 4};
    tfm::setInputs(m.executor, b, 0);
    QCOMPARE(m.numbers(tfm::names::kSourceFeatures), b.source_features);
    b.source_features = {1, 2, 3, 4, 5, 6};  // narrow enough for hidden, but not for the input
    QVERIFY_EXCEPTION_THROWN(tfm::setInputs(m.executor, b, 0), std::logic_error);
  }

  void whatDoesNotFitIsRefused() {
    Model m(tfm::presetNamed("rot13").config(), {2, 2, 2});
    QVERIFY_EXCEPTION_THROWN(tfm::setInputs(m.executor, threeSequences(), 2), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(tfm::setInputs(m.executor, threeSequences(), -1), std::logic_error);
    Batch longer = threeSequences();
    longer.target.assign(9, 0);
    QVERIFY_EXCEPTION_THROWN(tfm::setInputs(m.executor, longer, 0), std::logic_error);
    Batch wide = threeSequences();
    wide.label_weights.assign(12, 1.0F);
    QVERIFY_EXCEPTION_THROWN(tfm::setInputs(m.executor, wide, 0), std::logic_error);
  }
};

TFM_TEST(TestBatchInputs)
#include "test_batch_inputs.moc"
