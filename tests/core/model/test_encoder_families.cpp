// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders and encoder-decoders that the transformers library saved, read from its own files and
// run beside its numbers (tests/goldens/families.py).
#include <QTest>
#include <algorithm>

#include "tests/core/io/error_of.h"
#include "tests/core/model/saved_model.h"
#include "tests/test_program.h"

using namespace tfm;
using test::SavedModel;
using test::worstLogit;

namespace {

constexpr SavedModel kEncoders[] = {
    {"bert", "bert"}, {"distilbert", "distilbert"}, {"roberta", "roberta"}, {"albert", "albert"},
    {"bart", "bart"}, {"marian", "marian"},         {"t5", "t5"},           {"t5-gated", "t5"}};

const SavedModel& modelNamed(std::string_view name) {
  return *std::ranges::find(kEncoders, name,
                            [](const SavedModel& m) { return std::string_view(m.name); });
}

}  // namespace

class TestEncoderFamilies : public QObject {
  Q_OBJECT

 private slots:
  void everyNumberIsTheLibrarys() {
    for (const SavedModel& c : kEncoders)
      QVERIFY2(test::whatDiffers(c).empty(),
               (std::string(c.name) + ": " + test::whatDiffers(c)).c_str());
  }

  void mistakesAreNoticed() {
    struct Mistake {
      const char* model;
      const char* name;
      test::ChangeModel make;
    };
    const auto shifted = [](const char* table, std::ptrdiff_t numbers) {
      return [=](auto&, io::NamedTensors& tensors) {
        io::NamedTensor& tensor = tensors.at(table);
        std::vector<double> values = io::doubleValues(tensor);
        const auto middle = numbers < 0 ? values.end() + numbers : values.begin() + numbers;
        std::rotate(values.begin(), middle, values.end());
        tensor = io::makeTensor(tensor.shape, values);
      };
    };
    const auto swapped = [](const char* a, const char* b) {
      return [=](auto&, io::NamedTensors& tensors) { std::swap(tensors.at(a), tensors.at(b)); };
    };
    const Mistake mistakes[] = {
        {"bert", "the other gelu", [](auto& c, auto&) { c.activation = Activation::GeluTanh; }},
        {"bert", "the eps of the head's norm",
         [](auto& c, auto&) { c.encoder_final_norm_eps = 1e-5; }},
        {"bert", "the other segment", shifted("bert.embeddings.token_type_embeddings.weight", 16)},
        {"distilbert", "eps", [](auto& c, auto&) { c.embedding_norm_eps = 1e-5; }},
        {"distilbert", "queries for keys",
         swapped("distilbert.transformer.layer.0.attention.q_lin.weight",
                 "distilbert.transformer.layer.0.attention.k_lin.weight")},
        {"roberta", "positions from the row of pads",
         shifted("roberta.embeddings.position_embeddings.weight", -16)},
        {"albert", "all layers of one group",
         [](auto& c, auto& tensors) {
           for (std::size_t i = 1; i < 4; ++i) c.encoder_layers[i].repeats = true;
           std::erase_if(tensors, [](const auto& tensor) {
             return tensor.first.find("layer_groups.1.") != std::string::npos;
           });
         }},
        {"albert", "the groups in turn",
         swapped("albert.encoder.albert_layer_groups.0.albert_layers.0.ffn.weight",
                 "albert.encoder.albert_layer_groups.1.albert_layers.0.ffn.weight")},
        {"bart", "positions from the first row",
         shifted("model.decoder.embed_positions.weight", -16)},
        {"bart", "no factor of embeddings", [](auto& c, auto&) { c.embedding_scale = 1.0; }},
        {"bart", "eps", [](auto& c, auto&) { c.decoder_layers[0].blocks[1].norm_eps = 1e-4; }},
        {"marian", "sines and cosines in turn", [](auto& c, auto&) { c.sinusoid_halves = false; }},
        {"t5", "another farthest distance", [](auto& c, auto&) { c.distance_furthest = 5; }},
        {"t5", "distances of the other side",
         shifted("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 8)},
        {"t5", "no distances",
         [](auto& c, auto& tensors) {
           c.positions = Positions::None;
           std::erase_if(tensors, [](const auto& tensor) {
             return tensor.first.ends_with("relative_attention_bias.weight");
           });
         }},
        {"t5-gated", "gelu as it is", [](auto& c, auto&) { c.activation = Activation::Gelu; }},
        {"t5-gated", "the gate for the other",
         swapped("decoder.block.1.layer.2.DenseReluDense.wi_0.weight",
                 "decoder.block.1.layer.2.DenseReluDense.wi_1.weight")},
    };
    for (const Mistake& mistake : mistakes) {
      const SavedModel& model = modelNamed(mistake.model);
      const double right = worstLogit(
          model, [](auto&, auto&) {}, model.json());
      const double wrong = worstLogit(model, mistake.make, model.json());
      QVERIFY2(wrong > right + 1e-7, mistake.name);
    }
    // Scores that are divided, and an output that is not.
    const SavedModel& t5 = modelNamed("t5");
    std::string json = t5.json();
    const std::string on = "\"scale_decoder_outputs\": true";
    json.replace(json.find(on), on.size(), "\"scale_decoder_outputs\": false");
    QVERIFY(worstLogit(
                t5, [](auto&, auto&) {}, json) > 1e-3);
  }

  void withoutAHeadAreTheSameParameters() {
    for (const char* name : {"bert", "distilbert", "roberta", "albert"}) {
      const PretrainedModel whole = readPretrainedModel(modelNamed(name).folder());
      const PretrainedModel states = readPretrainedModel(modelNamed(name).folder(), false);
      QVERIFY(whole.config.output == OutputKind::Labels && whole.config.output_transform);
      QVERIFY(states.config.output == OutputKind::None);
      QVERIFY(states.config == readPretrainedConfig(modelNamed(name).folder()));
      QVERIFY(states.parameters.size() < whole.parameters.size());
      QVERIFY(
          std::equal(states.parameters.begin(), states.parameters.end(), whole.parameters.begin()));
    }
  }

  /// A table that is too short is refused, not read from before its beginning.
  void aTableOfPositionsHasAsManyRowsAsTheConfigSays() {
    const SavedModel& c = modelNamed("roberta");
    const std::string table = "roberta.embeddings.position_embeddings.weight";
    for (const std::int64_t rows : {8, 40}) {
      io::NamedTensors tensors = c.tensors();
      tensors.at(table) = io::makeTensor({rows, 16}, std::vector<float>(std::size_t(16 * rows)));
      TFM_VERIFY_ERROR(
          test::parametersOf<float>(c.family, c.config(), tensors, "the file", c.json()),
          "Expected 32 x 16");
    }
  }

  void whatIsNotReadIsNamed() {
    struct Wrong {
      const char *model, *from, *to, *problem;
    };
    const Wrong wrong[] = {
        {"roberta", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\"", "'hidden_act' is"},
        {"roberta", "\"pad_token_id\": 0", "\"pad_token_id\": 31", "'max_position_embeddings' is"},
        {"albert", "\"inner_group_num\": 1", "\"inner_group_num\": 2", "'inner_group_num' is"},
        {"albert", "\"num_hidden_groups\": 2", "\"num_hidden_groups\": 5",
         "'num_hidden_groups' is"},
        {"bart", "\"d_model\": 16", "\"d_model\": 15", "d_model is 15"},
        {"bart", "\"is_encoder_decoder\": true", "\"is_encoder_decoder\": false",
         "'is_encoder_decoder' is"},
        {"bart", "\"is_decoder\": false", "\"normalize_before\": true", "'normalize_before' is"},
        {"marian", "\"encoder_layers\": 2", "\"encoder_layers\": 0", "'encoder_layers' is"},
        {"t5", "\"feed_forward_proj\": \"relu\"", "\"feed_forward_proj\": \"gated-relu6\"",
         "'feed_forward_proj' is"},
        {"t5", "\"relative_attention_num_buckets\": 8", "\"relative_attention_num_buckets\": 6",
         "distance_buckets is 6"},
        {"t5", "\"is_decoder\": false", "\"logit_scale\": 2", "\"logit_scale\""},
    };
    for (const Wrong& w : wrong) {
      std::string json = modelNamed(w.model).json();
      QVERIFY2(json.find(w.from) != std::string::npos, w.from);
      json.replace(json.find(w.from), std::string(w.from).size(), w.to);
      TFM_VERIFY_ERROR(pretrainedConfig(json, "config.json"), w.problem);
    }
  }
};

TFM_TEST(TestEncoderFamilies)
#include "test_encoder_families.moc"
