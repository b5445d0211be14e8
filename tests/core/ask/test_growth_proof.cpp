// SPDX-License-Identifier: GPL-3.0-or-later
// What a proof says of answers is what both models answer.
#include <QTest>
#include <set>

#include "core/ask/growth_proof.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/expand/change.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;
using expand::Kind;

namespace {

struct GrownModel {
  std::shared_ptr<const data::Task> task;
  ModelState state;
  data::Framing framing;

  GrowthProof prove(const expand::Growth& growth) const {
    return proveGrowth(state, expand::grow(state, {growth}), *task, task.get(), framing, 20);
  }
};

GrownModel trainedSubject(const char* preset, const char* kind, int steps) {
  Trainer trainer = trainerOf(documentOf(preset, kind));
  losses(trainer, steps);
  return {taskOf(kind), trainer.state(), trainer.framing()};
}

GrownModel learnedRot13() {
  const Document document = openDocument(TFM_TEST_DATA "/../resources/documents/rot13.safetensors");
  const std::shared_ptr<const data::Task> task = data::makeTask(*document.task);
  return {task, document.state, framingFor(document.state.config, *task)};
}

expand::Growth broken(Kind kind, std::int64_t size, const ModelConfig& config) {
  expand::Growth growth = growthTo(kind, size);
  growth.broken = expand::possibleBreaks(config, growth).front();
  return growth;
}

}  // namespace

class TestGrowthProof : public QObject {
  Q_OBJECT

 private slots:
  void everyFramingIsProved_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::newRow("sequence to sequence") << QByteArray("rot13") << QByteArray("rot13");
    QTest::newRow("labels") << QByteArray("tagger") << QByteArray("sort");
    QTest::newRow("next token") << QByteArray("characters") << QByteArray("addition");
    QTest::newRow("next character") << QByteArray("characters") << QByteArray("text");
    QTest::newRow("classes") << QByteArray("classifier") << QByteArray("parentheses");
  }
  void everyFramingIsProved() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    const GrownModel subject = trainedSubject(preset.constData(), task.constData(), 20);
    const LayerConfig& layer = subject.state.config.hasDecoder()
                                   ? subject.state.config.decoder_layers.front()
                                   : subject.state.config.encoder_layers.front();
    const GrowthProof proof =
        subject.prove(growthTo(Kind::FeedForward, layer.first<FeedForward>()->width + 3));
    QVERIFY(proof.verdict.exact);
    QCOMPARE(proof.examples, std::int64_t{20});
    QVERIFY(proof.positions > 0);
    QCOMPARE(proof.same_positions, proof.positions);
    QVERIFY(!proof.answers_before.empty());
    QCOMPARE(proof.sameAnswers(), std::int64_t(proof.answers_before.size()));
    QCOMPARE(proof.outputs.size(), std::size_t(proof.verdict.cols));
    QVERIFY(proof.seconds > 0.0);
  }

  /// One wrong token early on and the rest of an answer is another, whatever a model says that is
  /// told the right tokens.
  void answersAreThoseOfDecoding() {
    const GrownModel rot13 = learnedRot13();
    const expand::Growth growth = broken(Kind::Heads, 8, rot13.state.config);
    const GrowthProof proof = rot13.prove(growth);
    QVERIFY(!proof.verdict.exact);
    const ModelState after = expand::grow(rot13.state, {growth}).state;
    const auto backend = makeCpuBackend<float>();
    std::int64_t same = 0, all = 0;
    for (std::uint64_t i = 0; i < proof.answers_before.size(); ++i) {
      const std::string question =
          rot13.task->questionText(data::Split::Evaluation, data::kEvaluationSeed, i);
      const auto said = [&](const ModelState& state) {
        return answer(state, *rot13.task, rot13.framing, {&question, 1}, {}, *backend)
            .front()
            .answer;
      };
      QCOMPARE(proof.answers_before[i].question, question);
      QCOMPARE(proof.answers_before[i].answer, said(rot13.state));
      QCOMPARE(proof.answers_after[i].answer, said(after));
      same += said(rot13.state) == said(after) ? 1 : 0;
      ++all;
    }
    QCOMPARE(all, std::int64_t{16});
    QCOMPARE(proof.sameAnswers(), same);
    const double answers = double(same) / double(all);
    const double positions = double(proof.same_positions) / double(proof.positions);
    QVERIFY2(answers < positions - 0.1,
             qPrintable(QString("answers %1, positions %2").arg(answers).arg(positions)));
  }

  /// Pads after the end of an answer are right in any model and say nothing.
  void onlyPositionsOfTheAnswerCount() {
    const GrownModel rot13 = learnedRot13();
    const GrowthProof proof = rot13.prove(growthTo(Kind::Heads, 8));
    std::int64_t letters = 0;
    for (std::uint64_t i = 0; i < 20; ++i)
      letters += std::int64_t(
          rot13.task->example(data::Split::Evaluation, data::kEvaluationSeed, i).target.size());
    QVERIFY(proof.positions < proof.verdict.rows);
    QVERIFY2(proof.positions >= letters && proof.positions <= letters + 20,
             qPrintable(QString("%1 positions, %2 letters").arg(proof.positions).arg(letters)));
  }

  /// Who waits for a large model sees fewer answers; who has a small one, no more than can be read.
  void costDecidesHowMuchIsDecoded() {
    const GrownModel small = learnedRot13();
    QCOMPARE(small.prove(growthTo(Kind::Heads, 8)).answers_before.size(), std::size_t{16});
    GrownModel large = trainedSubject("characters", "text", 0);
    ModelConfig config = large.state.config;
    config.hidden = 128;
    setUniform(config, 0, 5, {8, 16, 16, 512, 1e-5});
    large.state = initialState(config, 1);
    QVERIFY(large.state.layout.total > 900'000);
    const GrowthProof proof = large.prove(growthTo(Kind::FeedForward, 768));
    QVERIFY(proof.examples > 0 && proof.examples < 20);
    QVERIFY(!proof.answers_before.empty() && proof.answers_before.size() < 16);
    QCOMPARE(proof.sameAnswers(), std::int64_t(proof.answers_before.size()));
    for (const AnsweredQuestion& one : proof.answers_after)
      QCOMPARE(std::int64_t(one.tokens.size()), proof.max_tokens);
    // Printed, not asserted: no test depends on the speed of a machine.
    qInfo("%lld parameters: %lld examples, %zu answers of %lld tokens, %.0f ms in all",
          static_cast<long long>(large.state.layout.total), static_cast<long long>(proof.examples),
          proof.answers_before.size(), static_cast<long long>(proof.max_tokens),
          1e3 * proof.seconds);
  }
};

TFM_TEST(TestGrowthProof)
#include "test_growth_proof.moc"
