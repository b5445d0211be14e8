// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>

#include "core/model/feature_extractor.h"
#include "core/model/model_state.h"
#include "core/model/pretrained/bert.h"
#include "core/tensor/random.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

using Text = FeatureExtractor::Text;

FeatureExtractor smallExtractor() {
  const ModelConfig config = bertConfig(R"({"hidden_size": 12, "num_hidden_layers": 2,
      "num_attention_heads": 3, "intermediate_size": 20, "vocab_size": 50,
      "max_position_embeddings": 40})",
                                        "test");
  return {config, initialState(config, 3).parameters};
}

std::vector<Text> drawnTexts(std::size_t count) {
  const Random random(1, 2);
  std::vector<Text> texts(count);
  std::uint64_t drawn = 0;
  for (Text& text : texts) {
    text.resize(std::size_t(1 + random.integer(drawn++, 40)));
    for (std::int32_t& id : text) id = std::int32_t(random.integer(drawn++, 50));
  }
  return texts;
}

std::map<std::size_t, std::vector<float>> extracted(const std::vector<Text>& texts, int threads) {
  std::map<std::size_t, std::vector<float>> result;
  smallExtractor().extract(texts, threads, [&](std::size_t i, MatrixView<const float> f) {
    result[i].assign(f.data, f.data + f.size());
    return true;
  });
  return result;
}

}  // namespace

class TestFeatureExtractor : public QObject {
  Q_OBJECT

 private slots:
  void threadsChangeNoBit() {
    const std::vector<Text> texts = drawnTexts(120);
    const auto one = extracted(texts, 1);
    QCOMPARE(one.size(), texts.size());
    for (const auto& [i, features] : one) QCOMPARE(features.size(), texts[i].size() * 12);
    QVERIFY(extracted(texts, 3) == one);
    std::vector<Text> other = texts;
    other[17].front() ^= 1;
    QVERIFY(extracted(other, 3) != one);
  }

  void companyChangesNothingButRounding() {
    const std::vector<Text> texts = drawnTexts(60);
    const auto together = extracted(texts, 2);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::vector<float> alone = extracted({texts[i]}, 1).at(0);
      for (std::size_t k = 0; k < alone.size(); ++k)
        QVERIFY(std::abs(alone[k] - together.at(i)[k]) <= 1e-5F);
    }
  }

  /// Finite weights may be so large that what they compute is not.
  void overflowIsNamed() {
    const ModelConfig config = smallExtractor().config();
    ModelState state = initialState(config, 3);
    const auto enlarge = [&](const char* name) {
      const ParameterInfo& p = *state.layout.find(name);
      for (std::int64_t i = 0; i < p.size(); ++i)
        state.parameters[std::size_t(p.offset + i)] *= 1e30F;
    };
    enlarge("encoder.layers.1.feed_forward.linear1.weight");
    const auto extract = [&] {
      return test::errorOf([&] {
        FeatureExtractor(config, state.parameters)
            .extract(std::vector<Text>{{1, 2, 3}, {4, 5}}, 1, [](auto, auto) { return true; });
      });
    };
    QCOMPARE(extract(), QByteArray("no error"));
    enlarge("encoder.layers.1.feed_forward.linear2.weight");
    const QByteArray message = extract();
    QVERIFY2(message.contains("overflow in encoder.layers.1.feed_forward.linear2"),
             message.constData());
    QVERIFY2(message.contains("text 1"), message.constData());  // the shortest comes first
  }

  void shortestFirstUntilStopped() {
    const std::vector<Text> texts = drawnTexts(30);
    std::size_t last = 0;
    int taken = 0;
    const bool whole =
        smallExtractor().extract(texts, 2, [&](std::size_t i, MatrixView<const float> f) {
          last = std::max(last, texts[i].size());
          const bool sorted = std::size_t(f.rows) == last && texts[i].size() == last;
          return sorted && ++taken < 7;
        });
    QVERIFY(!whole);
    QCOMPARE(taken, 7);
    QVERIFY(smallExtractor().extract({}, 2, [](std::size_t, auto) { return false; }));
  }

  void wrongTextsAreNamed() {
    const auto with = [](Text text) { return std::vector<Text>{{1, 2}, std::move(text)}; };
    TFM_VERIFY_ERROR(extracted(with({}), 1), "text 1");
    TFM_VERIFY_ERROR(extracted(with(Text(41, 0)), 1), "41 tokens");
    TFM_VERIFY_ERROR(extracted(with({50}), 1), "token 50");
    TFM_VERIFY_ERROR(extracted(with({-1}), 1), "token -1");
    TFM_VERIFY_ERROR(extracted(with(Text(40, 49)), 1), "no error");
  }
};

TFM_TEST(TestFeatureExtractor)
#include "test_feature_extractor.moc"
