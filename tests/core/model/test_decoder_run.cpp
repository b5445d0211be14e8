// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/model/build_program.h"
#include "core/model/decoder_run.h"
#include "core/model/presets.h"
#include "core/tensor/random.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

using Tokens = std::vector<std::int32_t>;

/// Presets that write, with layers that are repeated, norms with a mask, and memories of one-hot
/// letters among them.
std::vector<std::pair<std::string, ModelConfig>> writers() {
  std::vector<std::pair<std::string, ModelConfig>> all;
  for (const char* name : {"character-model", "small-llama", "small-sequence", "annotated-rot13",
                           "annotated-decoder", "delight-characters", "delight-sequence"}) {
    ModelConfig c = presetNamed(name).config();
    if (c.positions == Positions::Learned) c.target_length = 400;
    all.emplace_back(name, c);
  }
  ModelConfig repeats = presetNamed("small-llama").config();
  repeats.decoder_layers.back().repeats = true;
  repeats.rotary_size = 8;
  repeats.target_length = 300;
  all.emplace_back("repeated layers, partly turned", repeats);
  ModelConfig masked = presetNamed("character-model").config();
  masked.mask_size = 40;
  masked.mask_begin = 3;
  masked.mask_steps = 10;
  all.emplace_back("masked norms", masked);
  return all;
}

template <class Real>
AlignedVector<Real> drawn(const ModelConfig& config) {
  AlignedVector<Real> parameters;
  initialize(parameterLayout(config), 5, parameters);
  const Random random(6, 1);
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] += Real(0.1 * random.normal(i));
  return parameters;
}

Tokens drawnTokens(std::int64_t count, std::int64_t words, std::uint64_t seed) {
  const Random random(seed, 2);
  Tokens tokens;
  for (std::int64_t i = 0; i < count; ++i)
    tokens.push_back(std::int32_t(random.integer(std::uint64_t(i), words)));
  return tokens;
}

/// The largest difference of two rows of logits, relative to the largest logit.
double differenceOf(std::span<const float> a, std::span<const float> b) {
  double most = 0.0, size = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(double(a[i]) - double(b[i])));
    size = std::max(size, std::abs(double(b[i])));
  }
  return most / size;
}

}  // namespace

class TestDecoderRun : public QObject {
  Q_OBJECT

 private slots:
  /// Round after round: the same logits as of runs that keep nothing.
  void whatIsKeptIsWhatWouldBeComputed_data() {
    QTest::addColumn<int>("writer");
    for (int i = 0; i < int(writers().size()); ++i)
      QTest::newRow(writers()[std::size_t(i)].first.c_str()) << i;
  }
  void whatIsKeptIsWhatWouldBeComputed() {
    QFETCH(int, writer);
    const ModelConfig config = writers()[std::size_t(writer)].second;
    const auto backend = makeCpuBackend<float>();
    const AlignedVector<float> parameters = drawn<float>(config);
    const GenerativeModel model(config, parameters, *backend, 7);
    const std::int64_t words = config.target_vocabulary;
    const auto longest = std::min<std::int64_t>(290, config.target_length);
    std::vector<Prompt> prompts;
    for (const std::int64_t size : {3, 7})
      prompts.push_back({drawnTokens(std::min(size, config.source_length),
                                     std::max<std::int64_t>(1, config.source_vocabulary), 3),
                         {1}});
    DecoderRun kept(model, prompts, longest, 2);
    const auto text = [&](std::int64_t size, std::uint64_t seed) {
      return drawnTokens(std::min(size, longest), words, seed);
    };
    std::vector<Tokens> texts{text(5, 1), text(1, 2), text(3, 3), text(4, 4)};
    int rounds = 0;
    const auto compare = [&](std::int64_t answers) {
      kept.read(texts, answers);
      DecoderRun whole(model, prompts, 0, 2);
      whole.read(texts);
      for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::int64_t before = 0; before < answers; ++before)
          QVERIFY2(differenceOf(kept.next(i, before), whole.next(i, before)) < 2e-5,
                   qPrintable(QString("round %1, text %2").arg(rounds).arg(i)));
      ++rounds;
    };
    compare(1);
    QCOMPARE(kept.length(), std::int64_t(5));
    for (Tokens& one : texts) one.push_back(one.front());
    compare(1);
    QCOMPARE(kept.length(), std::int64_t(1));
    // A draft, then another one in place of its end.
    for (Tokens& one : texts) one.insert(one.end(), {0, 1, 0});
    compare(4);
    QCOMPARE(kept.length(), std::int64_t(4));
    for (Tokens& one : texts) {
      one.pop_back();
      one.back() = one.front();
    }
    compare(1);
    compare(3);  // the same again, as it was
    // Texts change places, as beams do, and one begins anew.
    std::swap(texts[0], texts[1]);
    texts[2] = text(6, 9);
    compare(2);
    // Many tokens: in runs of so many.
    texts[1] = text(290, 8);
    texts[3] = text(270, 4);
    compare(1);
    for (Tokens& one : texts)
      if (std::ssize(one) < config.target_length) one.push_back(0);
    compare(1);
  }

  void pastItsRoomNothingIsKept() {
    ModelConfig config = presetNamed("character-model").config();
    config.target_length = 70;
    const auto backend = makeCpuBackend<float>();
    const AlignedVector<float> parameters = drawn<float>(config);
    const GenerativeModel model(config, parameters, *backend);
    const Prompt prompt{{}, {1}};
    for (const std::int64_t longest : {10, 70, 200}) {
      DecoderRun run(model, {&prompt, 1}, longest);
      Tokens text = drawnTokens(60, 65, 1);
      for (int i = 0; i < 14; ++i) {
        text.push_back(i);
        run.read({&text, 1});
        DecoderRun whole(model, {&prompt, 1}, 0);
        whole.read({&text, 1});
        QVERIFY(differenceOf(run.next(0), whole.next(0)) < 2e-5);
        const bool keeps = std::ssize(text) <= (longest == 10 ? 64 : 70);
        QCOMPARE(run.length(), i == 0 ? (keeps ? 64 : 0)
                               : keeps
                                   ? 1
                                   : std::min<std::int64_t>(70, (std::ssize(text) + 7) / 8 * 8));
      }
    }
  }

  /// In double precision, in runs of 4, 1 and 7 positions; and not with wrong places.
  void theSameNumbersInDouble_data() {
    QTest::addColumn<QString>("preset");
    for (const char* name : {"character-model", "small-llama", "delight-characters"})
      QTest::newRow(name) << QString(name);
  }
  void theSameNumbersInDouble() {
    QFETCH(QString, preset);
    const ModelConfig config = presetNamed(preset.toStdString()).config();
    const AlignedVector<double> parameters = drawn<double>(config);
    const auto backend = makeCpuBackend<double>();
    constexpr std::int64_t kAll = 12;
    const Tokens text = drawnTokens(kAll, config.target_vocabulary, 1);
    const auto programFor = [&](std::int64_t length, std::int64_t kept) {
      return std::make_shared<const Program>(buildProgram(config, {1, 0, length, kept}, {}));
    };
    Executor<double> whole(programFor(kAll, 0), *backend, false);
    whole.upload(whole.program().find(names::kTargetIds), text);
    whole.forward(parameters.data(), {});
    const auto expected = whole.values(whole.program().find(names::kOutput));
    const auto largestDifference = [&](std::int32_t shift) {
      std::vector<double> states(std::size_t(programFor(1, 64)->state_size));
      double most = 0.0;
      std::int64_t first = 0;
      for (const std::int64_t length : {4, 1, 7}) {
        Executor<double> part(programFor(length, 64), *backend, false, states.data());
        std::vector<std::int32_t> places;
        for (std::int64_t i = 0; i < length; ++i)
          places.push_back(std::int32_t(first + i) + (first > 0 ? shift : 0));
        part.upload(part.program().find(names::kTargetIds),
                    std::span(text).subspan(std::size_t(first), std::size_t(length)));
        part.upload(part.program().find(names::kTargetPlaces), places);
        part.forward(parameters.data(), {});
        const auto logits = part.values(part.program().find(names::kOutput));
        for (std::int64_t r = 0; r < length; ++r)
          for (std::int64_t c = 0; c < logits.cols; ++c)
            most = std::max(most, std::abs(logits.at(r, c) - expected.at(first + r, c)));
        first += length;
      }
      return most;
    };
    QVERIFY(largestDifference(0) < 1e-12);
    QVERIFY(largestDifference(1) > 1e-3);
    QVERIFY(largestDifference(-4) > 1e-3);
  }

  void onlyDecodersThatStayAsTheyAreKeep() {
    ModelConfig config = presetNamed("small-sequence").config();
    QVERIFY_EXCEPTION_THROWN(buildProgram(config, {1, 4, 1, 64}, {}), std::logic_error);
    config = presetNamed("character-model").config();
    QVERIFY_EXCEPTION_THROWN(buildProgram(config, {1, 0, 1, 63}, {}), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(buildProgram(config, {1, 0, 1, 64}, {.training = true}),
                             std::logic_error);
  }
};

TFM_TEST(TestDecoderRun)
#include "test_decoder_run.moc"
