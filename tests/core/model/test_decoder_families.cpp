// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders that the transformers library saved, read from its own files and run beside its numbers
// (tests/goldens/families.py).
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>
#include <functional>

#include "core/io/atomic_file.h"
#include "core/io/safetensors.h"
#include "core/model/pretrained/gpt2.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/saved_model.h"
#include "tests/test_program.h"

using namespace tfm;
using test::SavedModel;
using test::worstLogit;
namespace fs = std::filesystem;

namespace {

constexpr SavedModel kModels[] = {{"gpt2", "gpt2"},
                                  {"gpt2-inverse", "gpt2"},
                                  {"gpt2-untied", "gpt2"},
                                  {"llama", "llama"},
                                  {"llama-biased", "llama"},
                                  {"smollm2", "llama"},
                                  {"mistral", "mistral"},
                                  {"qwen2", "qwen2"},
                                  {"qwen3", "qwen3"},
                                  {"gemma", "gemma"},
                                  {"gpt_neox", "gpt_neox"},
                                  {"gpt_neox-serial", "gpt_neox"},
                                  {"phi", "phi"},
                                  {"opt", "opt"},
                                  {"llama3", "llama"},
                                  {"llama-yarn", "llama"},
                                  {"llama-linear", "llama"},
                                  {"mistral-window", "mistral"},
                                  {"qwen2-window", "qwen2"}};

}  // namespace

class TestDecoderFamilies : public QObject {
  Q_OBJECT

 private slots:
  void everyStateIsTheLibrarys() {
    for (const SavedModel& c : kModels)
      QVERIFY2(test::whatDiffers(c).empty(),
               (std::string(c.name) + ": " + test::whatDiffers(c)).c_str());
  }

  /// What would go unnoticed within a loose tolerance.
  void mistakesAreNoticed() {
    const SavedModel& c = kModels[0];
    const auto nothing = [](ModelConfig&, io::NamedTensors&) {};
    QVERIFY(worstLogit(c, nothing, c.json()) < 1e-12);
    struct Mistake {
      const char* name;
      std::function<void(ModelConfig&, io::NamedTensors&)> make;
    };
    const Mistake mistakes[] = {
        {"the other GELU", [](auto& config, auto&) { config.activation = Activation::Gelu; }},
        {"eps", [](auto& config, auto&) { config.decoder_layers[0].blocks[0].norm_eps = 1e-4; }},
        {"eps of the last norm", [](auto& config, auto&) { config.decoder_final_norm_eps = 1e-4; }},
        {"no transposition",
         [](auto&, auto& tensors) {
           io::NamedTensor& square = tensors.at("transformer.h.0.attn.c_proj.weight");
           const std::vector<double> old = io::doubleValues(square);
           std::vector<double> turned(old.size());
           for (std::size_t r = 0; r < 16; ++r)
             for (std::size_t k = 0; k < 16; ++k) turned[k * 16 + r] = old[r * 16 + k];
           square = io::makeTensor({16, 16}, turned);
         }},
        {"no final norm", [](auto& config, auto& tensors) {
           config.final_norm = false;
           tensors.erase("transformer.ln_f.weight");
           tensors.erase("transformer.ln_f.bias");
         }}};
    for (const Mistake& mistake : mistakes)
      QVERIFY2(worstLogit(c, mistake.make, c.json()) > 1e-5, mistake.name);
    // Factors of the queries.
    std::string plain = kModels[1].json();
    const std::string on = "\"scale_attn_by_inverse_layer_idx\": true";
    plain.replace(plain.find(on), on.size(), "\"scale_attn_by_inverse_layer_idx\": false");
    QVERIFY(worstLogit(kModels[1], nothing, plain) > 1e-3);
  }

  void mistakesOfLlamaAreNoticed() {
    const SavedModel& c = kModels[3];
    const auto worst = [&](const std::function<void(ModelConfig&, io::NamedTensors&)>& change) {
      return worstLogit(c, change, c.json());
    };
    QVERIFY(worst([](auto&, auto&) {}) < 1e-12);
    // Rows of a tensor in another order.
    const auto reorder = [](io::NamedTensor& tensor, const std::vector<std::size_t>& rows) {
      const std::vector<double> old = io::doubleValues(tensor);
      const std::size_t cols = old.size() / rows.size();
      std::vector<double> now;
      for (const std::size_t row : rows)
        now.insert(now.end(), old.begin() + std::ptrdiff_t(row * cols),
                   old.begin() + std::ptrdiff_t((row + 1) * cols));
      tensor = io::makeTensor(tensor.shape, now);
    };
    const std::string layer = "model.layers.0.";
    QVERIFY(worst([](auto& config, auto&) { config.rotary_base = 1e5; }) > 1e-3);
    QVERIFY(worst([](auto& config, auto&) { config.positions = Positions::None; }) > 1e-2);
    QVERIFY(worst([](auto& config, auto&) { config.rotary_size = 2; }) > 1e-2);
    QVERIFY(worst([](auto& config, auto&) { config.activation = Activation::Gelu; }) > 1e-3);
    // Neighbours instead of halves: queries and keys of heads of 4.
    QVERIFY(worst([&](auto&, auto& t) {
              std::vector<std::size_t> queries, keys;
              for (std::size_t head = 0; head < 4; ++head)
                for (const std::size_t i : {0, 2, 1, 3}) queries.push_back(4 * head + i);
              keys.assign(queries.begin(), queries.begin() + 8);
              reorder(t.at(layer + "self_attn.q_proj.weight"), queries);
              reorder(t.at(layer + "self_attn.k_proj.weight"), keys);
            }) > 1e-3);
    // Queries of the other group.
    QVERIFY(worst([&](auto&, auto& t) {
              std::vector<std::size_t> keys;
              for (std::size_t i = 0; i < 8; ++i) keys.push_back((i + 4) % 8);
              reorder(t.at(layer + "self_attn.k_proj.weight"), keys);
              reorder(t.at(layer + "self_attn.v_proj.weight"), keys);
            }) > 1e-2);
    QVERIFY(worst([&](auto&, auto& t) {
              std::swap(t.at(layer + "mlp.gate_proj.weight"), t.at(layer + "mlp.up_proj.weight"));
            }) > 1e-2);
  }

  void mistakesOfOthersAreNoticed() {
    using Change = std::function<void(ModelConfig&, io::NamedTensors&)>;
    struct Mistake {
      const char* model;
      const char* name;
      Change make;
    };
    const auto offBy = [](const char* end, double by) {
      return [=](auto&, io::NamedTensors& tensors) {
        for (auto& [name, tensor] : tensors) {
          if (!name.ends_with(end)) continue;
          std::vector<double> values = io::doubleValues(tensor);
          for (double& value : values) value += by;
          tensor = io::makeTensor(tensor.shape, values);
        }
      };
    };
    const Mistake mistakes[] = {
        {"qwen3", "their eps", [](auto& c, auto&) { c.query_key_norm_eps = 1e-3; }},
        {"qwen3", "no factors of queries", offBy("q_norm.weight", 0.1)},
        {"llama3", "angles that are not scaled",
         [](auto& c, auto&) { c.rotary_frequencies.clear(); }},
        {"llama-yarn", "its magnitude", [](auto& c, auto&) { c.rotary_magnitude = 1.0; }},
        {"llama-linear", "angles that are not scaled",
         [](auto& c, auto&) { c.rotary_frequencies.clear(); }},
        {"gemma", "no factor of embeddings", [](auto& c, auto&) { c.embedding_scale = 1.0; }},
        {"gemma", "gelu as it is", [](auto& c, auto&) { c.activation = Activation::Gelu; }},
        {"gemma", "gains as they are", offBy("norm.weight", -1.0)},
        {"gpt_neox", "blocks in turn", [](auto& c, auto&) { c.parallel_blocks = false; }},
        {"gpt_neox", "all components turn", [](auto& c, auto&) { c.rotary_size = 4; }},
        {"gpt_neox", "thirds of the whole matrix",
         [](auto&, auto& tensors) {
           io::NamedTensor& joint =
               tensors.at("gpt_neox.layers.0.attention.query_key_value.weight");
           const std::vector<double> old = io::doubleValues(joint);
           std::vector<double> now;
           for (std::size_t row = 0; row < 48; ++row) {  // 4 heads of 3 times 4 rows
             const std::size_t from = row % 12 / 4 * 16 + row / 12 * 4 + row % 4;
             now.insert(now.end(), old.begin() + std::ptrdiff_t(from * 16),
                        old.begin() + std::ptrdiff_t((from + 1) * 16));
           }
           joint = io::makeTensor({48, 16}, now);
         }},
        {"gpt_neox-serial", "parallel", [](auto& c, auto&) { c.parallel_blocks = true; }},
        {"mistral-window", "no window",
         [](auto& c, auto&) { c.decoder_layers[0].template first<SelfAttention>()->window = 0; }},
        {"mistral-window", "a window that is one wider",
         [](auto& c, auto&) { c.decoder_layers[1].template first<SelfAttention>()->window = 4; }},
        {"qwen2-window", "the window of the other layer",
         [](auto& c, auto&) { std::swap(c.decoder_layers[0], c.decoder_layers[1]); }},
        {"phi", "blocks in turn", [](auto& c, auto&) { c.parallel_blocks = false; }},
        {"phi", "no bias of the output", offBy("lm_head.bias", 0.1)},
        {"opt", "positions from the first row",
         [](auto&, auto& tensors) {
           io::NamedTensor& table = tensors.at("model.decoder.embed_positions.weight");
           std::vector<double> values = io::doubleValues(table);
           std::rotate(values.begin(), values.end() - 32, values.end());
           table = io::makeTensor(table.shape, values);
         }},
    };
    for (const Mistake& mistake : mistakes) {
      const SavedModel& model = *std::ranges::find_if(
          kModels, [&](const SavedModel& m) { return std::string(m.name) == mistake.model; });
      QVERIFY2(worstLogit(
                   model, [](auto&, auto&) {}, model.json()) < 1e-12,
               mistake.model);
      QVERIFY2(worstLogit(model, mistake.make, model.json()) > 1e-5, mistake.name);
    }
  }

  void whatLlamaSaysAndIsNotReadIsNamed() {
    struct Wrong {
      std::size_t model;
      const char *from, *to, *problem;
    };
    const Wrong wrong[] = {
        {3, "\"rope_type\": \"default\"", "\"rope_type\": \"longrope\"", "'rope_type' is"},
        {3, "\"rope_type\": \"default\"", "\"rope_type\": \"yarn\", \"mscale\": 1.0", "\"mscale\""},
        {3, "\"rope_type\": \"default\"", "\"rope_type\": \"linear\", \"factor\": 0.0",
         "'factor' is"},
        {3, "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", "num_attention_heads is 4"},
        {3, "\"hidden_act\": \"silu\"", "\"hidden_act\": \"quick_gelu\"", "'hidden_act' is"},
        {3, "\"mlp_bias\": false", "\"logit_scale\": 2", "\"logit_scale\""},
        {7, "\"full_attention\"", "\"sliding_attention\"", "'layer_types' is"},
        {18, "\"sliding_attention\"", "\"chunked_attention\"", "'layer_types' is"},
        {9, "\"use_bidirectional_attention\": null", "\"use_bidirectional_attention\": true",
         "'use_bidirectional_attention' is"},
        {10, "\"partial_rotary_factor\": 0.5", "\"partial_rotary_factor\": 1.5",
         "'partial_rotary_factor' is"},
        {10, "\"num_attention_heads\": 4", "\"num_attention_heads\": 3", "hidden_size is 16"},
        {12, "\"qk_layernorm\": false", "\"qk_layernorm\": true", "'qk_layernorm' is"},
        {13, "\"do_layer_norm_before\": true", "\"do_layer_norm_before\": false",
         "'do_layer_norm_before' is"},
        {13, "\"word_embed_proj_dim\": 16", "\"word_embed_proj_dim\": 8",
         "'word_embed_proj_dim' is"},
    };
    for (const Wrong& w : wrong) {
      std::string json = kModels[w.model].json();
      QVERIFY2(json.find(w.from) != std::string::npos, w.from);
      json.replace(json.find(w.from), std::string(w.from).size(), w.to);
      TFM_VERIFY_ERROR(pretrainedConfig(json, "config.json"), w.problem);
    }
    // A window as long as the context changes nothing; files of version 4 of the library.
    std::string json = kModels[6].json();
    const std::string none = "\"sliding_window\": null";
    json.replace(json.find(none), none.size(), "\"sliding_window\": 32");
    QVERIFY(pretrainedConfig(json, "") == kModels[6].config());
    json = kModels[5].json();
    const auto begin = json.find("\"rope_parameters\""), end = json.find('}', begin);
    json.replace(begin, end + 1 - begin, "\"rope_theta\": 100000.0, \"rope_scaling\": null");
    QVERIFY(pretrainedConfig(json, "") == kModels[5].config());
    QCOMPARE(kModels[5].config().rotary_base, 1e5);
    json = kModels[10].json();
    const auto from = json.find("\"rope_parameters\""), to = json.find('}', from);
    json.replace(from, to + 1 - from, "\"rotary_emb_base\": 100000, \"rotary_pct\": 0.5");
    QVERIFY(pretrainedConfig(json, "") == kModels[10].config());
  }

  void theMapSaysWhatIsDone() {
    const std::vector<MappedTensor> map = readTensorMap(kModels[1].folder());
    const auto row = [&](const std::string& ours) {
      return *std::ranges::find(map, ours, &MappedTensor::ours);
    };
    QCOMPARE(row("decoder.layers.1.self_attention.query.weight").done,
             std::string("transposed, rows 1 to 16 of 48, times 0.5"));
    QCOMPARE(row("decoder.layers.1.self_attention.value.bias").done,
             std::string("rows 33 to 48 of 48"));
    QVERIFY(row("decoder.embedding.weight").done.empty());
    QCOMPARE(row("decoder.layers.0.feed_forward.linear1.weight").shape,
             (std::vector<std::int64_t>{16, 64}));
  }

  void namesOfOtherReleases() {
    const SavedModel& c = kModels[0];
    const AlignedVector<float> expected =
        test::parametersOf<float>(c.family, c.config(), c.tensors(), "", c.json());
    io::NamedTensors bare;
    for (auto& [name, tensor] : c.tensors())
      bare[name.substr(std::string("transformer.").size())] = tensor;
    bare["h.0.attn.bias"] = io::makeTensor({1, 1, 16, 16}, std::vector<std::uint8_t>(256));
    bare["h.1.attn.masked_bias"] = io::makeTensor({}, std::vector<float>{-1e4F});
    QVERIFY(test::parametersOf<float>(c.family, c.config(), bare, "", c.json()) == expected);
    // The token table under the name of the output, or under both if they are equal.
    io::NamedTensors both = bare;
    both["lm_head.weight"] = both.at("wte.weight");
    QVERIFY(test::parametersOf<float>(c.family, c.config(), both, "", c.json()) == expected);
    both.erase("wte.weight");
    QVERIFY(test::parametersOf<float>(c.family, c.config(), both, "", c.json()) == expected);
    both["wte.weight"] = io::makeTensor({31, 16}, std::vector<float>(31 * 16, 1.0F));
    TFM_VERIFY_ERROR(test::parametersOf<float>(c.family, c.config(), both, "", c.json()),
                     "\"lm_head.weight\" differs from \"wte.weight\"");
  }

  void wrongTensorsAreNamed() {
    const SavedModel& c = kModels[0];
    const auto refused = [&](const std::function<void(io::NamedTensors&)>& change) {
      io::NamedTensors tensors = c.tensors();
      change(tensors);
      return test::errorOf(
          [&] { test::parametersOf<float>(c.family, c.config(), tensors, "the file", c.json()); });
    };
    const std::string fused = "transformer.h.1.attn.c_attn.weight";
    QVERIFY(refused([&](auto& t) { t.erase(fused); }).contains("c_attn.weight\" is missing"));
    QVERIFY(refused([&](auto& t) { t.at(fused).shape = {48, 16}; }).contains("Expected 16 x 48"));
    QVERIFY(refused([&](auto& t) {
              t["transformer.h.2.ln_1.weight"] = t.at("transformer.ln_f.bias");
            }).contains("does not belong to the GPT-2"));
    QVERIFY(refused([&](auto& t) {
              t[fused] = io::makeTensor({16, 48}, std::vector<float>(768, std::nanf("")));
            }).contains("not finite"));
  }

  void wrongConfigsAreNamed() {
    struct Wrong {
      const char *from, *to, *problem;
    };
    const Wrong wrong[] = {
        {"\"gelu_new\"", "\"gelu_fast\"", "'activation_function' is"},
        {"\"add_cross_attention\": false", "\"add_cross_attention\": true", "add_cross_attention"},
        {"\"n_head\": 2", "\"n_head\": 3", "n_embd is 16"},
        {"\"n_head\": 2", "\"n_heads\": 2", "'n_head' is missing"},
        {"\"n_inner\": 20", "\"n_inner\": 0", "'n_inner' is 0"},
        {"\"use_cache\": true", "\"logit_multiplier\": 2.0", "\"logit_multiplier\""},
        {"\"GPT2LMHeadModel\"", "\"LlamaForCausalLM\"", "the architecture is"},
    };
    for (const Wrong& w : wrong) {
      std::string json = kModels[0].json();
      QVERIFY2(json.find(w.from) != std::string::npos, w.from);
      json.replace(json.find(w.from), std::string(w.from).size(), w.to);
      TFM_VERIFY_ERROR(pretrainedConfig(json, "config.json"), w.problem);
    }
  }

  void shardsAreOneFile() {
    const SavedModel& c = kModels[0];
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    io::writeFile(folder / "config.json", c.json());
    io::TensorFile parts[2];
    std::string map;
    for (auto& [name, tensor] : c.tensors()) {
      const int part = name.find(".h.1.") != std::string::npos ? 1 : 0;
      parts[part].tensors[name] = tensor;
      map += (map.empty() ? "\"" : ", \"") + name + "\": \"part-" + std::to_string(part) + "\"";
    }
    const auto index = [&](const std::string& text) {
      io::writeFile(folder / "model.safetensors.index.json",
                    "{\"metadata\": {}, \"weight_map\": {" + text + "}}");
    };
    const auto write = [&] {
      for (int i = 0; i < 2; ++i)
        io::writeSafetensors(folder / ("part-" + std::to_string(i)), parts[i]);
    };
    index(map);
    write();
    QVERIFY(readPretrainedModel(folder).parameters == readPretrainedModel(c.folder()).parameters);
    QCOMPARE(pretrainedContent(folder), pretrainedContent(folder));

    const std::string moved = "transformer.h.1.ln_1.bias";
    parts[0].tensors[moved] = parts[1].tensors.at(moved);
    write();
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "is in \"part-0\"");
    parts[0].tensors.erase(moved);
    parts[1].tensors.erase(moved);
    write();
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "\"transformer.h.1.ln_1.bias\" is missing");
    index("\"a\": \"../part-0\"");
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "the file of \"a\"");
    index("");
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "'weight_map' is missing");
  }
};

TFM_TEST(TestDecoderFamilies)
#include "test_decoder_families.moc"
