// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ask/answering.h"
#include "core/data/task_table.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// A trainer of one framing, and questions to its model.
struct Answerer {
  Trainer trainer;

  Answerer(const char* preset, const char* task) : trainer(trainerOf(documentOf(preset, task))) {}

  std::vector<AnsweredQuestion> ask(const std::vector<std::string>& questions,
                                    const SamplingOptions& options = {},
                                    const AnswerProgress& progress = {}) const {
    return answer(trainer.state(), trainer.task(), trainer.framing(), questions, options,
                  trainer.backend(), progress);
  }
  ProbeInput probe(const std::string& question, ReadAnswer read = ReadAnswer::Own) const {
    return probeInput(trainer.state(), trainer.task(), trainer.framing(), question,
                      trainer.backend(), read);
  }
};

}  // namespace

class TestAnswering : public QObject {
  Q_OBJECT

 private slots:
  void aStoppedBeamSearchKeepsWhatThereIs() {
    const Answerer subject("rot13", "rot13");
    const std::string question[] = {"hey"};
    const auto search = [&](const BeamProgress& progress) {
      const BeamOptions options{.beams = 3, .max_tokens = 6};
      return answerWithBeams(subject.trainer.state(), subject.trainer.task(),
                             subject.trainer.framing(), question, options,
                             subject.trainer.backend(), progress)
          .front();
    };
    const auto longer = [](const BeamAnswer& beam) { return beam.tokens.size() > 1; };
    const auto first = search([](const auto&) { return false; });
    QCOMPARE(first.size(), std::size_t(3));
    QVERIFY(std::ranges::none_of(first, longer));
    QVERIFY(std::ranges::any_of(search({}), longer));
  }

  void everyFramingAnswers_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<QByteArray>("question");
    QTest::addColumn<QByteArray>("unreadable");
    const auto row = [](const char* name, const char* preset, const char* task,
                        const char* question, const char* unreadable) {
      QTest::newRow(name) << QByteArray(preset) << QByteArray(task) << QByteArray(question)
                          << QByteArray(unreadable);
    };
    row("sequence to sequence", "rot13", "rot13", "hey", "Hey");
    row("labels", "tagger", "sort", "hey", "he y");
    row("next token", "characters", "addition", "12+34", "12-34");
    row("next character", "characters", "text", "the ", "\xE2\x82\xAC");
    row("classes", "classifier", "parentheses", "(())", "(a)");
  }

  void everyFramingAnswers() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(QByteArray, question);
    QFETCH(QByteArray, unreadable);
    const Answerer subject(preset.constData(), task.constData());
    SamplingOptions options;
    options.max_tokens = 5;
    const auto both = subject.ask({question.toStdString(), question.toStdString()}, options);
    QCOMPARE(both.size(), std::size_t{2});
    QCOMPARE(both[0].question, question.toStdString());
    QCOMPARE(both[0].answer, both[1].answer);
    QVERIFY(!both[0].tokens.empty());
    for (const AnswerToken& token : both[0].tokens) {
      QVERIFY(!token.text.empty());
      QVERIFY(token.probability > 0.0F && token.probability <= 1.0F);
    }
    const std::string wrong = unreadable.toStdString();
    TFM_VERIFY_ERROR(subject.ask({wrong}), "character");
    TFM_VERIFY_ERROR(subject.probe(wrong), "character");
    TFM_VERIFY_ERROR(subject.ask({""}), "nothing");
  }

  void probeInputNamesRowsAndColumns_data() { everyFramingAnswers_data(); }

  void probeInputNamesRowsAndColumns() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(QByteArray, question);
    const Answerer subject(preset.constData(), task.constData());
    const ProbeInput input = subject.probe(question.toStdString());
    observe::Probe probe(subject.trainer.state().config, input.batch, subject.trainer.backend());
    const observe::Observations seen =
        probe.run(subject.trainer.state().parameters, input.batch, "*.probabilities");
    const std::vector<observe::AttentionSite> sites = observe::attentionSites(probe.program());
    QVERIFY(!sites.empty());
    for (const observe::AttentionSite& site : sites) {
      const bool from_encoder = site.kind == observe::AttentionKind::EncoderSelf;
      const bool to_decoder = site.kind == observe::AttentionKind::DecoderSelf;
      const auto& rows = from_encoder ? input.source_labels : input.decoder_labels;
      const auto& columns = to_decoder ? input.decoder_labels : input.source_labels;
      QCOMPARE(site.shape.queries, std::int64_t(rows.size()));
      QCOMPARE(site.shape.keys, std::int64_t(columns.size()));
      QCOMPARE(seen.at(site.path + ".probabilities").cols, std::int64_t(columns.size()));
    }
    if (subject.trainer.framing() == data::Framing::Seq2Seq)
      QCOMPARE(input.written_labels.size(), input.decoder_labels.size());
    else
      QVERIFY(input.written_labels.empty());
    QCOMPARE(input.question, question.toStdString());
  }

  /// The decoder reads its own answer one position later, and would write the same again.
  void probeInputIsTheModelsOwnAnswer() {
    Answerer subject("rot13", "rot13");
    losses(subject.trainer, 100);
    const ProbeInput input = subject.probe("hey");
    QCOMPARE(input.source_labels, (std::vector<std::string>{"h", "e", "y"}));
    QCOMPARE(input.decoder_labels.front(), std::string("<start>"));
    for (std::size_t i = 1; i < input.decoder_labels.size(); ++i)
      QCOMPARE(input.decoder_labels[i], input.written_labels[i - 1]);
    QCOMPARE(input.answer, subject.ask({"hey"}).front().answer);
    observe::Probe probe(subject.trainer.state().config, input.batch, subject.trainer.backend());
    const observe::Observed logits =
        probe.run(subject.trainer.state().parameters, input.batch, "output").at("output");
    const data::Vocabulary& vocabulary = subject.trainer.task().targetVocabulary();
    for (std::int64_t i = 0; i < logits.rows; ++i) {
      const float* row = logits.values.data() + i * logits.cols;
      const auto best = std::int32_t(std::max_element(row, row + logits.cols) - row);
      QCOMPARE(vocabulary.label(best), input.written_labels[std::size_t(i)]);
    }
  }

  void anAnswerThatIsKnownIsNotWrittenAgain() {
    for (const auto& [preset, task] : {std::pair{"rot13", "rot13"}, {"tagger", "sort"}}) {
      const Answerer subject(preset, task);
      AnsweredQuestion other = subject.ask({"there"}).front();
      const auto probe = [&](const AnsweredQuestion& own) {
        return probeInput(subject.trainer.state(), subject.trainer.task(),
                          subject.trainer.framing(), "hey", subject.trainer.backend(),
                          ReadAnswer::Own, &own);
      };
      QCOMPARE(probe(other).answer, other.answer);
      other.tokens.resize(1);  // the start of an answer says nothing of how it goes on
      if (task == std::string("rot13")) QCOMPARE(probe(other).answer, subject.probe("hey").answer);
    }
  }

  void theRightAnswerIsReadWhereTheTaskKnowsIt() {
    const Answerer untrained("rot13", "rot13");
    QVERIFY(untrained.ask({"hey"}).front().answer != "url");
    const ProbeInput input = untrained.probe("hey", ReadAnswer::Right);
    QCOMPARE(input.read, ReadAnswer::Right);
    QCOMPARE(input.answer, std::string("url"));
    QCOMPARE(input.decoder_labels, (std::vector<std::string>{"<start>", "u", "r", "l"}));
    QCOMPARE(input.written_labels, (std::vector<std::string>{"u", "r", "l", "·"}));
    QCOMPARE(input.batch.target_length, std::int64_t(4));

    const Answerer sums("sequence", "addition");
    QCOMPARE(sums.probe("12+34", ReadAnswer::Right).answer, std::string("46"));
    QCOMPARE(sums.probe("1+2", ReadAnswer::Own).read, ReadAnswer::Own);
    for (const char* no_sum : {"12", "+", "1+", "+1", "1+2+3"})
      QCOMPARE(sums.probe(no_sum, ReadAnswer::Right).read, ReadAnswer::Own);
    // Without a decoder there is no answer to be read.
    const Answerer labels("tagger", "sort");
    QCOMPARE(labels.probe("hey", ReadAnswer::Right).read, ReadAnswer::Own);
  }

  void aTableKnowsItsRightAnswers() {
    data::TaskConfig config = data::defaultTaskConfig("pairs");
    config.text = "one\tun\ntwo\tdeux\nthree\ttrois\ntwo\tzwei\n";
    const auto task = data::makeTask(config);
    const auto answer = [&](const char* question) {
      return task->rightAnswer(task->encodeInput(question));
    };
    QCOMPARE(task->answerText(answer("three").value()), std::string("trois"));
    QVERIFY2(!answer("two"), "there are two answers");
    QVERIFY(!answer("on"));
  }

  /// An evaluation reads all positions at once; a greedy decoder writes them one by one.
  void accuracyIsWhatGreedyDecodingGets() {
    TrainConfig config;
    config.schedule.learning_rate = 1e-2;
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", config));
    constexpr std::int64_t kWords = 100;
    Evaluation evaluation;
    while (evaluation.accuracy < 0.15 && trainer.state().step < 2000) {
      losses(trainer, 100);
      evaluation = trainer.evaluate(kWords);
    }
    QVERIFY(evaluation.accuracy > 0.0 && evaluation.accuracy < 1.0);
    std::vector<std::string> questions, expected;
    for (std::uint64_t i = 0; i < std::uint64_t(kWords); ++i) {
      const data::Example e = trainer.task().example(data::Split::Evaluation, 0, i);
      questions.push_back(trainer.task().sourceVocabulary().decode(e.source));
      expected.push_back(trainer.task().answerText(e.target));
    }
    const auto answers = answer(trainer.state(), trainer.task(), trainer.framing(), questions, {},
                                trainer.backend());
    int right = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) right += answers[i].answer == expected[i];
    QCOMPARE(double(right) / double(kWords), evaluation.accuracy);
  }

  void progressCanStop() {
    const Answerer subject("characters", "text");
    int calls = 0;
    std::size_t written = 0;
    const auto answers =
        subject.ask({"a", "b"}, {}, [&](const std::vector<AnsweredQuestion>& sofar) {
          written = sofar.front().tokens.size();
          return ++calls < 3;
        });
    QCOMPARE(calls, 3);
    QCOMPARE(written, std::size_t{3});
    QCOMPARE(answers.front().tokens.size(), std::size_t{3});
    QCOMPARE(subject.ask({"a"}).front().tokens.size(), std::size_t(SamplingOptions{}.max_tokens));
  }

  void logitsStandBesideEveryToken() {
    for (const auto& [preset, task, question] : {std::tuple{"rot13", "rot13", "hey"},
                                                 {"tagger", "sort", "hey"},
                                                 {"characters", "text", "the "},
                                                 {"classifier", "parentheses", "(())"}}) {
      const Answerer subject(preset, task);
      SamplingOptions options;
      options.max_tokens = 5;
      QVERIFY(subject.ask({question}, options).front().logits.empty());
      options.keep_logits = true;
      const AnsweredQuestion answer = subject.ask({question}, options).front();
      QVERIFY(answer.logits.size() >= answer.tokens.size());
      for (std::size_t i = 0; i < answer.tokens.size(); ++i) {
        const ChosenToken chosen = chooseToken(*answer.logits[i], {}, 0.0);
        QCOMPARE(chosen.id, answer.tokens[i].id);
        QCOMPARE(chosen.probability, answer.tokens[i].probability);
      }
    }
  }

  void samplingFollowsItsSeed() {
    const Answerer subject("characters", "text");
    SamplingOptions options;
    options.temperature = 1.0;
    const auto sampled = [&](std::uint64_t seed) {
      options.seed = seed;
      return subject.ask({"the"}, options).front().answer;
    };
    QCOMPARE(sampled(1), sampled(1));
    QVERIFY(sampled(1) != sampled(2));
    options.temperature = -1.0;
    TFM_VERIFY_ERROR(subject.ask({"the"}, options), "temperature");
  }

  void framingsFollowArchitectures() {
    const auto framing = [](const char* preset, const char* task) {
      const auto made = taskOf(task);
      return framingFor(modelFor(preset, *made), *made);
    };
    QCOMPARE(framing("rot13", "copy"), data::Framing::Seq2Seq);
    QCOMPARE(framing("tagger", "copy"), data::Framing::TokenLabels);
    QCOMPARE(framing("characters", "copy"), data::Framing::NextToken);
    QCOMPARE(framing("classifier", "parentheses"), data::Framing::Classes);
    TFM_VERIFY_ERROR(framing("tagger", "addition"), "cannot learn the task 'addition'");
    TFM_VERIFY_ERROR(framing("rot13", "text"), "cannot learn the task 'text'");
    TFM_VERIFY_ERROR(framing("encoder-layer", "copy"), "token input");
  }

  void aDraftChangesNoAnswer_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<QByteArray>("question");
    const auto row = [](const char* name, const char* preset, const char* task,
                        const char* question) {
      QTest::newRow(name) << QByteArray(preset) << QByteArray(task) << QByteArray(question);
    };
    row("sequence to sequence", "rot13", "rot13", "hey");
    row("next token", "characters", "addition", "12+34");
    row("next character", "characters", "text", "the ");
  }

  void aDraftChangesNoAnswer() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(QByteArray, question);
    Answerer subject(preset.constData(), task.constData());
    losses(subject.trainer, 10);
    const ModelState& state = subject.trainer.state();
    const std::string text = question.toStdString();
    const AnsweredQuestion plain = subject.ask({text}, {.max_tokens = 12}).front();
    const auto written = std::int64_t(plain.tokens.size());
    Submodel small{fullWidths(state.config), {}};
    for (auto& width : small.widths) width = (width + 3) / 4;
    for (const Submodel& draft : {small, Submodel{}}) {
      const DraftedQuestion with =
          answerWithDraft(state, subject.trainer.task(), subject.trainer.framing(), text, draft,
                          {3, 12}, subject.trainer.backend());
      QVERIFY(with.same);
      QCOMPARE(with.answered.question, text);
      QCOMPARE(with.answered.answer, plain.answer);
      QCOMPARE(with.answered.tokens.size(), plain.tokens.size());
      QCOMPARE(with.plain_passes, written);
      QVERIFY(with.seconds > 0.0 && with.plain_seconds > 0.0);
      QVERIFY(with.drafted.whole_passes + with.drafted.accepted >= written);
    }
    TFM_VERIFY_ERROR(answerWithDraft(state, subject.trainer.task(), subject.trainer.framing(), text,
                                     {{9999}, {}}, {}, subject.trainer.backend()),
                     "layers");
  }

  void whatDoesNotWriteHasNoDraft() {
    Answerer subject("tagger", "sort");
    TFM_VERIFY_ERROR(
        answerWithDraft(subject.trainer.state(), subject.trainer.task(), subject.trainer.framing(),
                        "hey", {}, {}, subject.trainer.backend()),
        "cannot generate tokens");
  }
};

TFM_TEST(TestAnswering)
#include "test_answering.moc"
