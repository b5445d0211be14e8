// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/backend/cpu/cpu_backend.h"
#include "core/matformer/speculative.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/tensor/random.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;

namespace {

/// An untrained model, sure of what it says; the larger its part, the more it agrees with it.
struct Writer {
  ModelConfig config;
  std::unique_ptr<Backend<float>> backend = makeCpuBackend<float>();
  AlignedVector<float> parameters;

  explicit Writer(ModelConfig c) : config(std::move(c)) {
    initialize(parameterLayout(config), 5, parameters);
    const Random random(6, 1);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i] += float(0.3 * random.normal(i));
  }
  Answer plain(const Prompt& prompt, std::int64_t max_tokens, std::int32_t end) const {
    return Generator(config, parameters, *backend)
        .generate({&prompt, 1}, end, {.max_tokens = max_tokens})
        .front();
  }
  /// `share`: of each feed-forward that drafts.
  DraftedAnswer drafted(double share, const Prompt& prompt, std::int64_t max_tokens,
                        std::int64_t draft_tokens, std::int32_t end) const {
    Submodel draft{fullWidths(config), {}};
    for (auto& width : draft.widths)
      width = std::max<std::int64_t>(1, std::int64_t(share * double(width)));
    return SpeculativeDecoder(config, parameters, *backend, 0, draft)
        .write(prompt, end, max_tokens, draft_tokens);
  }
};

Writer language(std::int64_t window) {
  ModelConfig c = presetNamed("character-model").config();
  c.target_length = window;
  return Writer(c);
}

/// As many positions as a draft of eight needs.
Writer translator() {
  ModelConfig c = presetNamed("small-sequence").config();
  c.target_length = 30;
  return Writer(c);
}

const Prompt kText{{}, {4, 9, 2}};
const Prompt kWord{{7, 4, 1, 6}, {3}};

}  // namespace

class TestSpeculative : public QObject {
  Q_OBJECT

 private slots:
  void theAnswerOfTheWholeModel_data() {
    QTest::addColumn<bool>("encoder");
    QTest::addColumn<int>("most");
    QTest::newRow("decoder") << false << 24;
    QTest::newRow("encoder-decoder") << true << 24;
    QTest::newRow("decoder, past its window") << false << 50;
    QTest::newRow("encoder-decoder, past its window") << true << 40;
  }

  void theAnswerOfTheWholeModel() {
    QFETCH(bool, encoder);
    QFETCH(int, most);
    const Writer writer = encoder ? translator() : language(40);
    const Prompt& prompt = encoder ? kWord : kText;
    const Answer plain = writer.plain(prompt, most, -1);
    QCOMPARE(plain.tokens.size(), std::size_t(most));
    bool some_right = false, some_wrong = false;
    for (const double share : {0.0, 0.125, 0.25, 0.5, 0.9, 1.0})
      for (int k = 1; k <= 8; ++k) {
        const DraftedAnswer drafted = writer.drafted(share, prompt, most, k, -1);
        QCOMPARE(drafted.answer.tokens, plain.tokens);
        QVERIFY(!drafted.answer.ended);
        for (std::size_t i = 0; i < plain.tokens.size(); ++i)
          QVERIFY(std::abs(drafted.answer.probabilities[i] - plain.probabilities[i]) < 2e-5F);
        QCOMPARE(drafted.accepted + drafted.whole_passes, std::int64_t(most));
        QCOMPARE(drafted.draft_passes, drafted.proposed);
        QVERIFY(drafted.accepted <= drafted.proposed);
        if (share == 1.0) QCOMPARE(drafted.accepted, drafted.proposed);
        some_right = some_right || (share < 1.0 && drafted.accepted > 0);
        some_wrong = some_wrong || drafted.accepted < drafted.proposed;
      }
    QVERIFY(some_right && some_wrong);
  }

  void aGoodDraftSavesPasses() {
    const Writer writer = language(40);
    const DraftedAnswer drafted = writer.drafted(1.0, kText, 20, 4, -1);
    QCOMPARE(drafted.whole_passes, 4);
    QCOMPARE(drafted.proposed, 16);
  }

  void endsWhereTheWholeModelEnds() {
    const Writer writer = language(40);
    const std::vector<std::int32_t> all = writer.plain(kText, 24, -1).tokens;
    for (const std::int32_t end : all)
      for (const double share : {0.0, 0.5, 1.0})
        for (const int k : {1, 3, 8}) {
          const Answer plain = writer.plain(kText, 24, end);
          const DraftedAnswer drafted = writer.drafted(share, kText, 24, k, end);
          QVERIFY(drafted.answer.ended);
          QCOMPARE(drafted.answer.tokens, plain.tokens);
        }
  }

  void promptsAsLongAsTheWindow() {
    const Writer writer = language(8);
    for (const std::size_t size : {6, 7, 8, 11}) {
      Prompt prompt;
      for (std::size_t i = 0; i < size; ++i) prompt.target.push_back(std::int32_t(i * 5 % 30));
      QCOMPARE(writer.drafted(0.5, prompt, 6, 4, -1).answer.tokens,
               writer.plain(prompt, 6, -1).tokens);
    }
    QCOMPARE(writer.drafted(1.0, kText, 1, 4, -1).proposed, 0);
  }

  /// A refused draft goes back over a few tokens: not each time to another program.
  void aTextThatShrinksKeepsItsProgram() {
    const Writer writer = language(40);
    const GenerativeModel model(writer.config, writer.parameters, *writer.backend);
    DecoderRun run(model, {&kText, 1}, 0);
    const auto read = [](DecoderRun& in, std::size_t size) {
      std::vector<std::int32_t> text;
      for (std::size_t i = 0; i < size; ++i) text.push_back(std::int32_t(i * 5 % 30));
      in.read({&text, 1});
      return in.next(0);
    };
    for (const auto& [size, length] :
         {std::pair{16, 16}, {17, 24}, {16, 24}, {13, 24}, {8, 8}, {9, 16}, {8, 16}}) {
      const std::span<const float> logits = read(run, std::size_t(size));
      QCOMPARE(run.length(), length);
      DecoderRun other(model, {&kText, 1}, 0);
      const std::span<const float> expected = read(other, std::size_t(size));
      for (std::size_t i = 0; i < logits.size(); ++i)
        QVERIFY(std::abs(logits[i] - expected[i]) < 1e-4F);
    }
  }

  void wrongDrafts() {
    const Writer writer = language(8);
    TFM_VERIFY_ERROR(writer.drafted(2.0, kText, 4, 4, -1), "width");
    TFM_VERIFY_ERROR(Writer(presetNamed("small-tagger").config()).drafted(0.5, kText, 4, 4, -1),
                     "cannot generate tokens");
    QVERIFY_EXCEPTION_THROWN(writer.drafted(0.5, kText, 4, 0, -1), std::logic_error);
  }
};

TFM_TEST(TestSpeculative)
#include "test_speculative.moc"
