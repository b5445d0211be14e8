// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of weights that no family describes, here of models whose families are known.
#include <QTest>
#include <string>

#include "tests/core/io/error_of.h"
#include "tests/core/model/saved_model.h"
#include "tests/test_program.h"

using namespace tfm;
using test::SavedModel;

namespace {

constexpr SavedModel kGpt2{"gpt2", "gpt2"}, kNeox{"gpt_neox", "gpt_neox"}, kBart{"bart", "bart"};

/// A map with the config of a saved model.
std::string mapOf(const SavedModel& model, const std::string& rest) {
  return "{\"model\": " + toJson(model.config()) + rest + "}";
}

AlignedVector<float> mapped(const SavedModel& model, const std::string& rest) {
  const ModelMap map = parseModelMap(mapOf(model, rest), "map", "");
  return readMappedModel(model.folder() / "model.safetensors", map).parameters;
}

const std::string kGpt2Rows = R"(, "tensors": {
    "decoder.embedding.weight": "transformer.wte.weight",
    "decoder.positions.weight": "transformer.wpe.weight",
    "decoder.final_norm.*": "transformer.ln_f.*",
    "decoder.layers.*.self_attention_norm.*": "transformer.h.*.ln_1.*",
    "decoder.layers.*.feed_forward_norm.*": "transformer.h.*.ln_2.*",
    "decoder.layers.*.self_attention.query.*":
        {"tensor": "transformer.h.*.attn.c_attn.*", "transposed": true, "part": 0, "parts": 3},
    "decoder.layers.*.self_attention.key.*":
        {"tensor": "transformer.h.*.attn.c_attn.*", "transposed": true, "part": 1, "parts": 3},
    "decoder.layers.*.self_attention.value.*":
        {"tensor": "transformer.h.*.attn.c_attn.*", "transposed": true, "part": 2, "parts": 3},
    "decoder.layers.*.self_attention.output.*":
        {"tensor": "transformer.h.*.attn.c_proj.*", "transposed": true},
    "decoder.layers.*.feed_forward.linear1.*":
        {"tensor": "transformer.h.*.mlp.c_fc.*", "transposed": true},
    "decoder.layers.*.feed_forward.linear2.*":
        {"tensor": "transformer.h.*.mlp.c_proj.*", "transposed": true}})";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at == text.npos) throw std::runtime_error("no " + what);
  return text.replace(at, what.size(), by);
}

}  // namespace

class TestModelMap : public QObject {
  Q_OBJECT

 private slots:
  void rowsDoWhatFamiliesDo() {
    QVERIFY(mapped(kGpt2, kGpt2Rows) == readPretrainedModel(kGpt2.folder()).parameters);
    // Thirds of each of four heads.
    const std::string third = R"({"tensor": "gpt_neox.layers.*.attention.query_key_value.*",
        "parts": 3, "blocks": 4, "part": )";
    const std::string neox = R"(, "tensors": {
        "decoder.embedding.weight": "gpt_neox.embed_in.weight",
        "decoder.final_norm.*": "gpt_neox.final_layer_norm.*",
        "output.weight": "lm_head.weight",
        "decoder.layers.*.self_attention_norm.*": "gpt_neox.layers.*.input_layernorm.*",
        "decoder.layers.*.feed_forward_norm.*": "gpt_neox.layers.*.post_attention_layernorm.*",
        "decoder.layers.*.self_attention.query.*": )" +
                             third + R"(0}, "decoder.layers.*.self_attention.key.*": )" + third +
                             R"(1}, "decoder.layers.*.self_attention.value.*": )" + third + R"(2},
        "decoder.layers.*.self_attention.output.*": "gpt_neox.layers.*.attention.dense.*",
        "decoder.layers.*.feed_forward.linear1.*": "gpt_neox.layers.*.mlp.dense_h_to_4h.*",
        "decoder.layers.*.feed_forward.linear2.*": "gpt_neox.layers.*.mlp.dense_4h_to_h.*"})";
    QVERIFY(mapped(kNeox, neox) == readPretrainedModel(kNeox.folder()).parameters);
    // The control: the thirds of the whole.
    QVERIFY(mapped(kNeox, replaced(neox, "\"blocks\": 4,", "")) !=
            readPretrainedModel(kNeox.folder()).parameters);
  }

  void zerosFactorsAndFirstRows() {
    const auto rows = replaced(
        replaced(kGpt2Rows, "{\n", R"({ "decoder.layers.1.self_attention_norm.bias": null,)"),
        R"("decoder.final_norm.*")",
        R"("decoder.final_norm.weight": {"tensor": "transformer.ln_f.weight", "times": 2.0},
           "decoder.final_norm.*")");
    const ModelMap map =
        parseModelMap(mapOf(kGpt2, rows + R"(, "ignored": ["h.1.ln_1.bias"])"), "map", "");
    const PretrainedModel model = readMappedModel(kGpt2.folder() / "model.safetensors", map);
    const PretrainedModel plain = readPretrainedModel(kGpt2.folder());
    for (const ParameterInfo& p : parameterLayout(model.config).parameters) {
      const double factor = p.name == "decoder.final_norm.weight"                   ? 2.0
                            : p.name == "decoder.layers.1.self_attention_norm.bias" ? 0.0
                                                                                    : 1.0;
      for (std::int64_t i = p.offset; i < p.offset + p.size(); ++i)
        QCOMPARE(model.parameters[std::size_t(i)],
                 float(factor * plain.parameters[std::size_t(i)]));
    }
  }

  void theMapIsShown() {
    const std::vector<MappedTensor> rows = readTensorMap(
        kGpt2.folder() / "model.safetensors", parseModelMap(mapOf(kGpt2, kGpt2Rows), "map", ""));
    const auto key =
        std::ranges::find(rows, "decoder.layers.1.self_attention.key.weight", &MappedTensor::ours);
    QCOMPARE(key->name, std::string("transformer.h.1.attn.c_attn.weight"));
    QCOMPARE(key->done, std::string("transposed, rows 17 to 32 of 48"));
  }

  void whatIsWrongIsNamed() {
    struct Wrong {
      const char *from, *to, *problem;
    };
    const Wrong wrong[] = {
        {"transformer.wte.weight", "transformer.wtf.weight",
         "\"transformer.wtf.weight\" is missing"},
        {"\"part\": 0", "\"part\": 3", "'part' is 3"},
        {"\"parts\": 3", "\"parts\": 2", "Expected 16 x 32"},
        {"\"parts\": 3", "\"parts\": 3, \"blocks\": 3", "are not 3 equal blocks"},
        {"\"part\": 0, \"parts\": 3", "\"blocks\": 2", "'blocks' is 2"},
        {"\"part\": 0, \"parts\": 3", "\"first_row\": 2", "'first_row' is 2"},
        {"\"transposed\": true", "\"transposes\": true", "'transposes'"},
        {"\"transformer.wpe.weight\"", "7", "decoder.positions.weight"},
        {"\"transformer.ln_f.*\"", "\"\"", "there is no tensor for \"decoder.final_norm.*\""},
        {"\"decoder.layers.*.feed_forward_norm.*\": \"transformer.h.*.ln_2.*\",", "",
         "\"decoder.layers.0.feed_forward_norm.weight\" is missing"},
    };
    for (const Wrong& w : wrong)
      TFM_VERIFY_ERROR(mapped(kGpt2, replaced(kGpt2Rows, w.from, w.to)), w.problem);
    // A tensor too many, and one too many that is said to be one.
    const std::string untied = replaced(kGpt2Rows, "\"transformer.wpe.weight\"", "null");
    TFM_VERIFY_ERROR(mapped(kGpt2, untied), "\"transformer.wpe.weight\" does not belong");
    mapped(kGpt2, untied + R"(, "ignored": ["wpe.weight"])");
    TFM_VERIFY_ERROR(parseModelMap("{}", "map", ""), "'model' is missing");
    TFM_VERIFY_ERROR(parseModelMap(mapOf(kGpt2, R"(, "tensor": {})"), "map", ""), "'tensor'");
    TFM_VERIFY_ERROR(parseModelMap(mapOf(kGpt2, R"(, "tokenizer": "../t.json")"), "map", ""),
                     "'tokenizer' is");
    TFM_VERIFY_ERROR(readMappedModel("weights.pt", parseModelMap(mapOf(kGpt2, ""), "map", "")),
                     "reads .safetensors and .npz");
  }
};

TFM_TEST(TestModelMap)
#include "test_model_map.moc"
