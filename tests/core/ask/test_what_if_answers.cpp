// SPDX-License-Identifier: GPL-3.0-or-later
// Interventions that a document remembers, and a question answered without and with them.
#include <QTest>
#include <cmath>

#include "core/ask/what_if_answers.h"
#include "core/backend/registry.h"
#include "core/io/safetensors.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

observe::Intervention off(const std::string& target) {
  observe::Intervention change;
  change.target = target;
  return change;
}

std::vector<ListedIntervention> someList() {
  observe::Intervention patch = off("encoder.layers.0");
  patch.kind = observe::Intervention::Kind::Patch;
  patch.text = "say \"hello\"";
  observe::Intervention half = off("output.weight[3, 0]");
  half.kind = observe::Intervention::Kind::Scale;
  half.number = 0.1;
  return {{off("decoder.layers.0.self_attention.head.3"), true}, {patch, false}, {half, true}};
}

}  // namespace

class TestWhatIfAnswers : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    document_ = documentOf("rot13", "rot13");
    task_ = makeTask(document_);
    state_ = std::make_shared<const ModelState>(document_.state);
  }

  void aListSurvivesJson() {
    QVERIFY(listedInterventionsFromJson(toJson(someList()), "file") == someList());
    QVERIFY(listedInterventionsFromJson(toJson(std::vector<ListedIntervention>()), "file").empty());
    // The switch is on by default.
    QVERIFY(listedInterventionsFromJson(R"([{"what": "encoder.layers.0=0"}])", "file").front().on);
    TFM_VERIFY_ERROR(listedInterventionsFromJson("{}", "file"), "JSON array");
    TFM_VERIFY_ERROR(listedInterventionsFromJson("[3]", "file"), "file.0");
    TFM_VERIFY_ERROR(listedInterventionsFromJson(R"([{"what": "a=0", "of": 1}])", "file"), "of");
    TFM_VERIFY_ERROR(listedInterventionsFromJson(R"([{"what": "encoder"}])", "file"), "file.0");
  }

  void aDocumentRemembersThem() {
    Document document = document_;
    QVERIFY(!toTensorFile(document).metadata.contains("interventions"));
    document.interventions = someList();
    const io::TensorFile file = toTensorFile(document);
    QVERIFY(fromTensorFile(file, "file").interventions == document.interventions);
    QVERIFY(fromTensorFile(toTensorFile(document_), "file").interventions.empty());
    io::TensorFile broken = file;
    broken.metadata["interventions"] = "[";
    TFM_VERIFY_ERROR(fromTensorFile(broken, "file"), "interventions");
  }

  void withoutAnyBothSidesAreEqual() {
    const WhatIfAnswers both = ask({});
    QCOMPARE(both.read, ReadAnswer::Right);
    QVERIFY(both.with.answer.tokens == both.without.answer.tokens);
    QCOMPARE(both.with.loss, both.without.loss);
    QCOMPARE(both.with.accuracy, both.without.accuracy);
    QCOMPARE(both.examples, std::int64_t(10));
    QVERIFY(both.without.loss > 0.5);  // of an untrained model
  }

  /// A model whose output is a bias only gives every token the same probability.
  void aWeightCounts() {
    const auto edits = std::vector{off("output.weight"), off("output.bias")};
    const WhatIfAnswers both = ask(edits);
    QVERIFY(std::abs(both.with.loss - std::log(28.0)) < 1e-4);
    QVERIFY(std::abs(both.without.loss - std::log(28.0)) > 1e-4);
    for (const AnswerToken& token : both.with.answer.tokens)
      QVERIFY(std::abs(token.probability - 1.0F / 28.0F) < 1e-5F);
  }

  void aBlockCounts() {
    const WhatIfAnswers both = ask({off("decoder.layers.0.cross_attention")});
    QVERIFY(both.with.loss != both.without.loss);
  }

  void noExamplesAreMeasuredWithoutATask() {
    const auto backend = makeBackend<float>();
    const WhatIfAnswers both = whatIfAnswers(state_, *task_, nullptr, "there", {}, 5, 10, *backend);
    QCOMPARE(both.examples, std::int64_t(0));
    QVERIFY(std::isnan(both.with.accuracy));
    TFM_VERIFY_ERROR(whatIfAnswers(state_, *task_, nullptr, "42", {}, 5, 0, *backend), "4");
    const std::vector wrong{off("decoder.layers.9")};
    TFM_VERIFY_ERROR(whatIfAnswers(state_, *task_, nullptr, "there", wrong, 5, 0, *backend),
                     "decoder.layers");
  }

 private:
  WhatIfAnswers ask(const std::vector<observe::Intervention>& interventions) {
    return whatIfAnswers(state_, *task_, task_, "there", interventions, 15, 10,
                         *makeBackend<float>());
  }

  Document document_;
  std::shared_ptr<const data::Task> task_;
  std::shared_ptr<const ModelState> state_;
};

TFM_TEST(TestWhatIfAnswers)
#include "test_what_if_answers.moc"
