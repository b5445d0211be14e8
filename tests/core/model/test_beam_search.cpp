// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/backend/cpu/cpu_backend.h"
#include "core/model/beam_search.h"
#include "core/model/build_program.h"
#include "core/model/generator.h"
#include "core/model/presets.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;

using Tokens = std::vector<std::int32_t>;

namespace {

constexpr std::int32_t kEnd = 0;

/// An untrained model; `noise` makes it sure of what it says.
struct BeamWriter {
  ModelConfig config;
  std::unique_ptr<Backend<float>> backend = makeCpuBackend<float>();
  AlignedVector<float> parameters;

  BeamWriter(ModelConfig c, std::uint64_t seed, double noise = 0.6) : config(std::move(c)) {
    initialize(parameterLayout(config), 5, parameters);
    const Random random(seed, 1);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i] += float(noise * random.normal(i));
  }
  GenerativeModel model() const { return {config, parameters, *backend}; }
  std::vector<std::vector<Beam>> search(const std::vector<Prompt>& prompts,
                                        const BeamOptions& options, std::int32_t end = kEnd) const {
    return beamSearch(model(), prompts, end, options);
  }
  Answer greedy(const Prompt& prompt, std::int64_t most, std::int32_t end = kEnd) const {
    return Generator(config, parameters, *backend)
        .generate({&prompt, 1}, end, {.max_tokens = most})
        .front();
  }
};

/// An encoder-decoder of `words` tokens.
ModelConfig translator(std::int64_t words) {
  ModelConfig c = presetNamed("rot13").config();
  c.source_vocabulary = c.target_vocabulary = words;
  return c;
}

/// All answers of at most `most` tokens with their log-probabilities, one forward pass for each
/// prefix.
struct Exhaustive {
  const BeamWriter& writer;
  const GenerativeModel model = writer.model();
  Prompt prompt;
  std::int64_t most;
  std::map<Tokens, double> found{};

  /// The log-probabilities of all tokens after some.
  std::vector<double> next(const Tokens& tokens) const {
    DecoderRun run(model, {&prompt, 1}, 0);
    Tokens text = prompt.target;
    text.insert(text.end(), tokens.begin(), tokens.end());
    run.read({&text, 1});
    const std::span<const float> logits = run.next(0);
    std::vector<double> row(logits.begin(), logits.end());
    double sum = 0.0;
    for (const double logit : row) sum += std::exp(logit);
    for (double& logit : row) logit -= std::log(sum);
    return row;
  }
  void extend(const Tokens& tokens, double log_probability) {
    const bool ended = !tokens.empty() && tokens.back() == kEnd;
    if (ended || std::ssize(tokens) == most) {
      found[tokens] = log_probability;
      return;
    }
    const std::vector<double> row = next(tokens);
    for (std::size_t id = 0; id < row.size(); ++id) {
      Tokens longer = tokens;
      longer.push_back(std::int32_t(id));
      extend(longer, log_probability + row[id]);
    }
  }
};

/// By hand, as in the paper.
double penalized(double log_probability, std::size_t length, double alpha) {
  return log_probability / (std::pow(5.0 + double(length), alpha) / std::pow(6.0, alpha));
}

/// Beam search once more, by its definition: of the answers that have ended and all continuations
/// of the others, the `beams` with the best scores go on.
std::vector<Tokens> searched(const Exhaustive& all, std::size_t beams, double alpha) {
  struct Own {
    Tokens tokens;
    double log_probability = 0.0, score = 0.0;
  };
  std::vector<Own> own(1);
  for (std::int64_t round = 0; round < all.most; ++round) {
    std::vector<Own> next;
    for (const Own& one : own) {
      if (!one.tokens.empty() && one.tokens.back() == kEnd) {
        next.push_back(one);
        continue;
      }
      const std::vector<double> row = all.next(one.tokens);
      for (std::size_t id = 0; id < row.size(); ++id) {
        Own longer = one;
        longer.tokens.push_back(std::int32_t(id));
        longer.log_probability += row[id];
        longer.score = penalized(longer.log_probability, longer.tokens.size(), alpha);
        next.push_back(std::move(longer));
      }
    }
    std::ranges::stable_sort(next, std::ranges::greater(), &Own::score);
    next.resize(std::min(next.size(), beams));
    own = std::move(next);
  }
  std::vector<Tokens> answers;
  for (Own& one : own) answers.push_back(std::move(one.tokens));
  return answers;
}

const std::vector<Prompt> kPrompts{{{1, 2, 1}, {3}}, {{2}, {3}}, {{1, 1, 2, 2, 1}, {3}}};

}  // namespace

class TestBeamSearch : public QObject {
  Q_OBJECT

 private slots:
  void oneBeamIsGreedyDecoding() {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      const BeamWriter w(translator(12), seed);
      for (const double alpha : {0.0, 0.6, 2.0}) {
        const auto beams = w.search(kPrompts, {1, alpha, 9});
        for (std::size_t i = 0; i < kPrompts.size(); ++i) {
          const Answer greedy = w.greedy(kPrompts[i], 9);
          QCOMPARE(beams[i].size(), std::size_t(1));
          QCOMPARE(beams[i][0].tokens, greedy.tokens);
          QCOMPARE(beams[i][0].ended, greedy.ended);
          double sum = 0.0;
          for (std::size_t t = 0; t < greedy.tokens.size(); ++t) {
            QVERIFY(std::abs(beams[i][0].probabilities[t] - greedy.probabilities[t]) < 1e-5);
            sum += std::log(double(greedy.probabilities[t]));
          }
          QVERIFY(std::abs(beams[i][0].log_probability - sum) < 1e-4);
        }
      }
    }
  }

  void enoughBeamsFindWhatTryingAllAnswersFinds() {
    // 4 tokens, up to 4 of them: 3^3 * 4 + 9 + 3 + 1 = 121 answers.
    constexpr std::int64_t kMost = 4;
    for (const double alpha : {0.0, 0.6, 3.0}) {
      const BeamWriter w(translator(4), 7);
      const auto beams = w.search(kPrompts, {200, alpha, kMost});
      for (std::size_t i = 0; i < kPrompts.size(); ++i) {
        Exhaustive all{.writer = w, .prompt = kPrompts[i], .most = kMost};
        all.extend({}, 0.0);
        QCOMPARE(all.found.size(), std::size_t(121));
        QCOMPARE(beams[i].size(), all.found.size());
        double before = INFINITY;
        for (const Beam& beam : beams[i]) {
          const auto expected = all.found.find(beam.tokens);
          QVERIFY(expected != all.found.end());
          QVERIFY(std::abs(beam.log_probability - expected->second) < 1e-4);
          QVERIFY(std::abs(beam.score -
                           penalized(beam.log_probability, beam.tokens.size(), alpha)) < 1e-9);
          QVERIFY(beam.score <= before);
          QCOMPARE(beam.ended, beam.tokens.back() == kEnd);
          before = beam.score;
          all.found.erase(expected);
        }
        QVERIFY2(all.found.empty(), "each answer once");
      }
    }
  }

  void fewBeamsGoOnWithTheBestScores() {
    int otherwise = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const BeamWriter w(translator(4), seed);
      const Exhaustive all{.writer = w, .prompt = kPrompts[0], .most = 5};
      for (const double alpha : {0.0, 0.6, 3.0}) {
        std::vector<Tokens> found;
        const std::vector<Beam> beams = w.search({kPrompts[0]}, {2, alpha, 5})[0];
        for (const Beam& beam : beams) found.push_back(beam.tokens);
        QVERIFY(found == searched(all, 2, alpha));
        otherwise += alpha == 3.0 && found != searched(all, 2, 0.0);
      }
    }
    QVERIFY2(otherwise > 0, "the length penalty decides which answers go on");
  }

  void moreBeamsFindBetterAnswersThanGreedyDecoding() {
    int better = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const BeamWriter w(translator(4), seed);
      const double greedy = w.search({kPrompts[0]}, {1, 0.0, 4})[0][0].score;
      const double best = w.search({kPrompts[0]}, {200, 0.0, 4})[0][0].score;
      QVERIFY(best >= greedy);
      better += best > greedy + 1e-6;
    }
    QVERIFY2(better > 0, "greedy decoding is not always best, or this test shows nothing");
  }

  void theLengthPenaltyFavoursLongAnswers() {
    QCOMPARE(lengthPenalty(1, 0.6), 1.0);
    QCOMPARE(lengthPenalty(7, 1.0), 2.0);
    QCOMPARE(lengthPenalty(7, 0.0), 1.0);
    std::size_t plain = 0, long_ones = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const BeamWriter w(translator(4), seed);
      plain += w.search({kPrompts[0]}, {200, 0.0, 6})[0][0].tokens.size();
      long_ones += w.search({kPrompts[0]}, {200, 5.0, 6})[0][0].tokens.size();
    }
    QVERIFY(long_ones > plain);
  }

  void promptsAreAnsweredAsAlone() {
    const BeamWriter w(translator(12), 3);
    const auto together = w.search(kPrompts, {3, 0.6, 8});
    for (std::size_t i = 0; i < kPrompts.size(); ++i) {
      const auto alone = w.search({kPrompts[i]}, {3, 0.6, 8})[0];
      QCOMPARE(alone.size(), together[i].size());
      for (std::size_t b = 0; b < alone.size(); ++b) {
        QCOMPARE(alone[b].tokens, together[i][b].tokens);
        QVERIFY(std::abs(alone[b].score - together[i][b].score) < 1e-4);
      }
    }
  }

  void aDecoderAloneSearchesToo() {
    ModelConfig c = presetNamed("character-model").config();
    c.target_length = 20;
    const BeamWriter w(c, 6, 0.3);
    const Prompt prompt{{}, {4, 9, 2}};
    QCOMPARE(w.search({prompt}, {1, 0.6, 6}, -1)[0][0].tokens, w.greedy(prompt, 6, -1).tokens);
    const auto beams = w.search({prompt}, {4, 0.6, 6}, -1)[0];
    QCOMPARE(beams.size(), std::size_t(4));
    for (const Beam& beam : beams) QVERIFY(!beam.ended && beam.tokens.size() == 6);
  }

  void stopsWhereAsked() {
    const BeamWriter w(translator(12), 3);
    int rounds = 0;
    const auto beams = beamSearch(w.model(), kPrompts, -1, {3, 0.6, 8},
                                  [&](std::span<const std::vector<Beam>>) { return ++rounds < 2; });
    QCOMPARE(rounds, 2);
    for (const auto& own : beams) QCOMPARE(own.front().tokens.size(), std::size_t(2));
    QVERIFY(w.search({}, {}).empty());
  }

  void anExplodedModelAnswersSomething() {
    BeamWriter w(translator(4), 1);
    std::ranges::fill(w.parameters, NAN);
    QCOMPARE(w.search(kPrompts, {3, 0.6, 4}).size(), kPrompts.size());
  }

  void refusesImpossibleOptions() {
    const BeamWriter w(translator(4), 1);
    TFM_VERIFY_ERROR(w.search(kPrompts, {.beams = 0}), "beams is 0");
    TFM_VERIFY_ERROR(w.search(kPrompts, {.beams = 1001}), "beams is 1001");
    TFM_VERIFY_ERROR(w.search(kPrompts, {.length_penalty = -0.1}), "length_penalty is -0.1");
    TFM_VERIFY_ERROR(w.search(kPrompts, {.length_penalty = NAN}), "length_penalty is nan");
    TFM_VERIFY_ERROR(w.search(kPrompts, {.max_tokens = 0}), "max_tokens is 0");
  }
};

TFM_TEST(TestBeamSearch)
#include "test_beam_search.moc"
