// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/model/generator.h"
#include "core/model/presets.h"
#include "core/program/executor.h"
#include "tests/test_program.h"

using tfm::Answer;
using tfm::Generator;
using tfm::ModelConfig;
using tfm::Prompt;
using tfm::SamplingOptions;

namespace {

/// An untrained model; large weights make it sure of what it says.
struct Writer {
  ModelConfig config;
  std::unique_ptr<tfm::Backend<float>> backend = tfm::makeCpuBackend<float>();
  tfm::AlignedVector<float> parameters;

  explicit Writer(ModelConfig c) : config(std::move(c)) {
    tfm::initialize(tfm::parameterLayout(config), 5, parameters);
    const tfm::Random random(6, 1);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i] += float(0.3 * random.normal(i));
  }
  std::int64_t step = 0;  ///< training steps done
  std::vector<Answer> write(const std::vector<Prompt>& prompts, const SamplingOptions& options,
                            std::int32_t end = -1, const Generator::Progress& progress = {}) const {
    return Generator(config, parameters, *backend, step).generate(prompts, end, options, progress);
  }
};

ModelConfig language(std::int64_t length) {
  ModelConfig c = tfm::presetNamed("character-model").config();
  c.target_length = length;
  return c;
}

Writer rot13() { return Writer(tfm::presetNamed("rot13").config()); }

constexpr SamplingOptions kGreedy{.max_tokens = 6};
constexpr SamplingOptions kDrawn{.temperature = 2.0, .max_tokens = 12, .seed = 3};

/// The most probable next token by the whole model, without a generator.
std::int32_t nextToken(const Writer& w, const Prompt& prompt,
                       const std::vector<std::int32_t>& target,
                       const std::vector<std::int32_t>& pad = {}) {
  const auto source_length = std::int64_t(prompt.source.size());
  const auto target_length = std::int64_t(target.size());
  const auto program = std::make_shared<const tfm::Program>(
      tfm::buildProgram(w.config, {1, source_length, target_length}, {}));
  tfm::Executor<float> executor(program, *w.backend, false);
  if (source_length > 0) executor.upload(program->find(tfm::names::kSourceIds), prompt.source);
  if (!pad.empty()) executor.upload(program->find(tfm::names::kSourcePad), pad);
  executor.upload(program->find(tfm::names::kTargetIds), target);
  executor.forward(w.parameters.data(), {0, std::uint64_t(w.step), 0});
  const auto logits = executor.values(program->find(tfm::names::kOutput));
  const float* last = logits.row(target_length - 1);
  return std::int32_t(std::max_element(last, last + logits.cols) - last);
}

}  // namespace

class TestGenerator : public QObject {
  Q_OBJECT

 private slots:
  void writesWhatTheModelThinksMostProbable() {
    for (const auto& [writer, prompt] : {std::pair{Writer(language(20)), Prompt{{}, {4, 9, 2}}},
                                         std::pair{rot13(), Prompt{{7, 4, 24}, {26}}}}) {
      std::vector<std::int32_t> text = prompt.target;
      const Answer answer = writer.write({prompt}, kGreedy).front();
      QCOMPARE(answer.tokens.size(), std::size_t(6));
      QCOMPARE(answer.probabilities.size(), std::size_t(6));
      for (const std::int32_t token : answer.tokens) {
        QCOMPARE(token, nextToken(writer, prompt, text));
        text.push_back(token);
      }
    }
  }

  /// The source is padded to the encoder's length, so that pooling drops padding alone.
  void anEncoderThatPoolsReadsAsInTraining() {
    ModelConfig config = tfm::presetNamed("small-sequence").config();
    config.encoder_layers[1].before = tfm::LengthChange::Pool;
    const Writer writer(config);
    const std::vector<std::int32_t> source{7, 4, 24, 3};
    const std::int32_t pad = 27;
    std::vector<std::int32_t> padded = source, flags(source.size(), 0);
    padded.resize(std::size_t(config.source_length), pad);
    flags.resize(padded.size(), 1);
    const Answer answer = writer.write({{source, {26}, {}, pad}}, kGreedy).front();
    std::vector<std::int32_t> text{26};
    for (const std::int32_t token : answer.tokens) {
      QCOMPARE(token, nextToken(writer, {padded, text}, text, flags));
      text.push_back(token);
    }
  }

  void aMaskCountsAsAtTheStep() {
    ModelConfig text = language(20), word = tfm::presetNamed("rot13").config();
    for (ModelConfig* c : {&text, &word}) {
      c->mask_size = c->hidden / 2;
      c->mask_begin = 10;
      c->mask_steps = 100;
    }
    const auto verify = [](Writer writer, const Prompt& prompt) {
      std::vector<std::vector<float>> sure;
      for (const std::int64_t step : {10, 60, 110}) {
        writer.step = step;
        std::vector<std::int32_t> written = prompt.target;
        const Answer answer = writer.write({prompt}, kGreedy).front();
        for (const std::int32_t token : answer.tokens) {
          QCOMPARE(token, nextToken(writer, prompt, written));
          written.push_back(token);
        }
        sure.push_back(answer.probabilities);
      }
      QVERIFY(sure[0] != sure[1] && sure[1] != sure[2]);
    };
    verify(Writer(text), {{}, {4, 9, 2}});
    verify(Writer(word), {{7, 4, 24}, {26}});
  }

  void stopsAtTheLimit() {
    const Writer w(language(20));
    for (const std::int64_t limit : {1, 2, 5}) {
      const Answer answer = w.write({{{}, {1}}}, {.max_tokens = limit}).front();
      QCOMPARE(std::int64_t(answer.tokens.size()), limit);
      QVERIFY(!answer.ended);
    }
  }

  void stopsAtTheEndToken() {
    const Writer w(language(20));
    const Prompt prompt{{}, {1, 2}};
    const Answer all = w.write({prompt}, kDrawn).front();
    const std::int32_t end = all.tokens[4];
    const auto first = std::find(all.tokens.begin(), all.tokens.end(), end) - all.tokens.begin();
    const Answer cut = w.write({prompt}, kDrawn, end).front();
    QVERIFY(cut.ended);
    QCOMPARE(std::int64_t(cut.tokens.size()), std::int64_t(first + 1));
    QCOMPARE(cut.tokens.back(), end);
  }

  void oneEndedAnswerDoesNotStopTheOthers() {
    const Writer w(language(20));
    const std::vector<Prompt> prompts{{{}, {1, 2}}, {{}, {30, 7, 9}}};
    const std::vector<Answer> all = w.write(prompts, kDrawn);
    std::int32_t end = -1;  // a token that only the first answer has
    for (const std::int32_t token : all[0].tokens)
      if (std::find(all[1].tokens.begin(), all[1].tokens.end(), token) == all[1].tokens.end())
        end = token;
    QVERIFY(end >= 0);
    const std::vector<Answer> cut = w.write(prompts, kDrawn, end);
    QVERIFY(cut[0].ended && !cut[1].ended);
    QCOMPARE(cut[1].tokens, all[1].tokens);
  }

  void promptsOfDifferentLengthsAreAnsweredAsAlone() {
    const Writer text(language(20));
    const std::vector<Prompt> starts{{{}, {1}}, {{}, {5, 6, 7, 8, 9}}, {{}, {2, 3}}};
    const Writer word = rot13();
    const std::vector<Prompt> words{{{7, 4, 24}, {26}}, {{19, 7, 4, 17, 4}, {26, 3}}, {{12}, {26}}};
    for (const auto& [writer, prompts] : {std::pair{&text, &starts}, std::pair{&word, &words}}) {
      const std::vector<Answer> together = writer->write(*prompts, kGreedy);
      for (std::size_t i = 0; i < prompts->size(); ++i) {
        const Answer alone = writer->write({(*prompts)[i]}, kGreedy).front();
        QCOMPARE(together[i].tokens, alone.tokens);
        for (std::size_t j = 0; j < alone.tokens.size(); ++j)
          QVERIFY(std::abs(together[i].probabilities[j] - alone.probabilities[j]) < 2e-5F);
      }
      QVERIFY(together[0].tokens != together[1].tokens);
    }
  }

  void aFullWindowIsReadFromItsEnd() {
    const Writer w(language(4));
    std::vector<std::int32_t> text{3, 1, 4, 1, 5, 9};  // longer than the window already
    const Answer answer = w.write({{{}, text}}, kGreedy).front();
    for (const std::int32_t token : answer.tokens) {
      QCOMPARE(token, nextToken(w, {}, {text.end() - 4, text.end()}));
      text.push_back(token);
    }
    const Answer same = w.write({{{}, {60, 60, 4, 1, 5, 9}}}, kGreedy).front();
    QCOMPARE(same.tokens, answer.tokens);
  }

  void drawsFollowTheSeedAndThePlace() {
    const Writer w(language(20));
    const Prompt prompt{{}, {1, 2}};
    SamplingOptions other = kDrawn;
    other.seed = 4;
    QCOMPARE(w.write({prompt}, kDrawn).front().tokens, w.write({prompt}, kDrawn).front().tokens);
    QVERIFY(w.write({prompt}, kDrawn).front().tokens != w.write({prompt}, other).front().tokens);
    const std::vector<Answer> twins = w.write({prompt, prompt}, kDrawn);
    QVERIFY(twins[0].tokens != twins[1].tokens);
  }

  void anAnswerGoesOnAsIfItHadNotBeenInterrupted() {
    const Writer w(language(20));
    const std::vector<std::int32_t> whole = w.write({{{}, {1, 2}}}, kDrawn).front().tokens;
    SamplingOptions one = kDrawn;
    one.max_tokens = 1;
    std::vector<std::int32_t> written;
    for (std::size_t i = 0; i < whole.size(); ++i)
      written.push_back(w.write({{{}, {1, 2}, written}}, one).front().tokens.front());
    QCOMPARE(written, whole);
  }

  void keptLogitsAreThoseOfEachChoiceAndOfTheNext() {
    const Writer w(language(20));
    SamplingOptions kept = kGreedy;
    QVERIFY(w.write({{{}, {1, 2}}}, kept).front().logits.empty());
    kept.keep_logits = true;
    const Answer answer = w.write({{{}, {1, 2}}}, kept).front();
    QCOMPARE(answer.logits.size(), answer.tokens.size() + 1);
    kept.max_tokens = answer.tokens.size() + 1;
    const Answer longer = w.write({{{}, {1, 2}}}, kept).front();
    for (std::size_t i = 0; i < answer.logits.size(); ++i)
      QCOMPARE(tfm::chooseToken(*answer.logits[i], {}, 0.0).id, longer.tokens[i]);
    const Answer ended =
        w.write({{{}, {1, 2}}}, kept, answer.tokens.front()).front();  // nothing follows the end
    QVERIFY(ended.ended);
    QCOMPARE(ended.logits.size(), ended.tokens.size());
  }

  void progressSeesEveryRoundAndCanStop() {
    const Writer w(language(20));
    int rounds = 0;
    const auto count = [&](const std::vector<Answer>& answers) {
      ++rounds;
      return std::int64_t(answers.front().tokens.size()) < 3;
    };
    QCOMPARE(w.write({{{}, {1}}}, kDrawn, -1, count).front().tokens.size(), std::size_t(3));
    QCOMPARE(rounds, 3);

    // The round that ends the last answer is seen too.
    const std::int32_t end = w.write({{{}, {1}}}, {.max_tokens = 1}).front().tokens.front();
    bool seen = false;
    const auto look = [&](const std::vector<Answer>& answers) {
      seen = answers.front().ended;
      return true;
    };
    w.write({{{}, {1}}}, kGreedy, end, look);
    QVERIFY(seen);
  }

  void dropoutIsOff() {
    ModelConfig c = language(20);
    c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.5;
    const Prompt prompt{{}, {1, 2}};
    QCOMPARE(Writer(c).write({prompt}, kGreedy).front().tokens,
             Writer(language(20)).write({prompt}, kGreedy).front().tokens);
  }

  void noPromptsGiveNoAnswers() { QVERIFY(Writer(language(4)).write({}, kGreedy).empty()); }

  void whatCannotWriteIsRefused() {
    for (const char* name : {"small-tagger", "annotated-encoder", "annotated-attention"})
      QVERIFY_EXCEPTION_THROWN(Writer(tfm::presetNamed(name).config()).write({}, kGreedy),
                               tfm::Error);
    QVERIFY_EXCEPTION_THROWN(Writer(language(4)).write({{{}, {}}}, kGreedy), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(rot13().write({{std::vector<std::int32_t>(16, 0), {26}}}, kGreedy),
                             tfm::Error);
  }
};

TFM_TEST(TestGenerator)
#include "test_generator.moc"
