// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/row_tokens.h"

#include <QTest>
#include <algorithm>

#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

using Tokens = std::vector<std::string>;

class TestRowTokens : public QObject {
  Q_OBJECT

 private slots:
  void rowsAreTokensOfTheirOwnVocabulary() {
    // As many are read as are written.
    const data::TextCodec codec(
        "translation", data::TaskForm::Sequence, data::Vocabulary::withStartAndPad({"a", "b"}),
        data::Vocabulary::withStartAndPad({"x", "y"}), {.source = 4, .target = 4, .input = 3});
    const Tokens read = codec.sourceVocabulary().tokens(),
                 written = codec.targetVocabulary().tokens();
    QCOMPARE(tokensOf("rot13", codec, "encoder.embedding"), read);
    QCOMPARE(tokensOf("rot13", codec, "decoder.embedding"), written);
    QCOMPARE(tokensOf("rot13", codec, "output.weight"), written);
    QCOMPARE(tokensOf("annotated-decoder", codec, "decoder.embedding"), written);
    const Tokens both = codec.jointVocabulary().vocabulary().tokens();
    QCOMPARE(tokensOf("characters", codec, "decoder.embedding"), both);
    QCOMPARE(tokensOf("rot13", codec, "encoder.layers.0.feed_forward"), Tokens());
  }

  void rowsThatAreNotTheVocabularyHaveNone() {
    const auto task = taskOf("addition"), other = taskOf("rot13");
    const ModelConfig model = modelFor("rot13", *task);
    const ParameterLayout layout = parameterLayout(model);
    const ParameterInfo& output = *layout.find("output.weight");
    QCOMPARE(rowTokens(output, model, *other, framingFor(model, *other)), Tokens());
  }

  void aTokenStandsForItsIndex() {
    const auto task = taskOf("rot13");
    const Document document = documentOf("rot13", "rot13");
    const auto index = [&](const std::string& name) {
      return withTokenIndices(name, document.state, *task, framingFor(document.state.config, *task),
                              "--number");
    };
    const auto& tokens = task->targetVocabulary().tokens();
    const auto u = std::ranges::find(tokens, "u") - tokens.begin();
    QCOMPARE(index("output[1, 'u']"), "output[1, " + std::to_string(u) + "]");
    QCOMPARE(index("output[0, 1, 'u']"), "output[0, 1, " + std::to_string(u) + "]");
    QCOMPARE(index("output.bias['u']"), "output.bias[" + std::to_string(u) + "]");
    QCOMPARE(index("output[1, 2]"), std::string("output[1, 2]"));
    QCOMPARE(index("decoder.layers.0"), std::string("decoder.layers.0"));
    QVERIFY(index("output[1, 'v']") != index("output[1, 'u']"));
    TFM_VERIFY_ERROR(index("output[1, 'uu']"), "is no token");
    TFM_VERIFY_ERROR(index("encoder.embedding[1, 'u']"), "counts no tokens");
    TFM_VERIFY_ERROR(index("output.weight[1, 'u']"), "counts no tokens");
  }

 private:
  static Tokens tokensOf(const char* preset, const data::TextCodec& codec, const char* name) {
    ModelConfig model = presetNamed(preset).config();
    fitToTask(model, codec);
    const ParameterLayout layout = parameterLayout(model);
    for (const ParameterInfo& parameter : layout.parameters)
      if (parameter.name.starts_with(name))
        return rowTokens(parameter, model, codec, framingFor(model, codec));
    return {"no parameter of that name"};
  }
};

TFM_TEST(TestRowTokens)
#include "test_row_tokens.moc"
