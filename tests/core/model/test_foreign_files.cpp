// SPDX-License-Identifier: GPL-3.0-or-later
// Models that the transformers library saved, written again: the files must be those of the
// library.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/io/atomic_file.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/foreign_files.h"
#include "core/model/pretrained/gguf_model.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/saved_model.h"
#include "tests/test_program.h"

using namespace tfm;
using test::SavedModel;

namespace {

constexpr SavedModel kWritten[] = {{"gpt2", "gpt2"},
                                   {"gpt2-untied", "gpt2"},
                                   {"llama", "llama"},
                                   {"llama-biased", "llama"},
                                   {"llama-linear", "llama"},
                                   {"smollm2", "llama"},
                                   {"mistral", "mistral"},
                                   {"mistral-window", "mistral"},
                                   {"qwen2", "qwen2"},
                                   {"qwen2-window", "qwen2"},
                                   {"qwen3", "qwen3"},
                                   {"gemma", "gemma"},
                                   {"gpt_neox", "gpt_neox"},
                                   {"gpt_neox-serial", "gpt_neox"},
                                   {"phi", "phi"},
                                   {"opt", "opt"},
                                   {"bert", "bert"},
                                   {"distilbert", "distilbert"},
                                   {"roberta", "roberta"},
                                   {"albert", "albert"},
                                   {"bart", "bart"},
                                   {"marian", "marian"},
                                   {"t5", "t5"},
                                   {"t5-gated", "t5"}};

constexpr std::int64_t kPad = 0;  // of those whose positions depend on it

struct ReadModel {
  explicit ReadModel(const SavedModel& saved)
      : config(saved.config()),
        parameters(test::parametersOf<float>(saved.family, config, saved.tensors(), saved.name,
                                             saved.json())) {}
  ModelConfig config;
  AlignedVector<float> parameters;
};

const SavedModel& writtenModel(std::string_view name) {
  return *std::ranges::find(kWritten, name,
                            [](const SavedModel& m) { return std::string_view(m.name); });
}

/// All tensors of written files, copied.
io::NamedTensors tensorsOf(const ForeignFiles& files) {
  io::NamedTensors tensors = files.weights.tensors;
  for (const auto& [name, stored] : files.weights.stored) {
    std::vector<float> numbers(std::size_t(stored.size()));
    stored.read(0, std::span(numbers));
    tensors[name] = io::makeTensor(stored.shape, std::span<const float>(numbers));
  }
  return tensors;
}

/// "" or what is not as in the files of the library.
std::string differenceOf(const SavedModel& saved) {
  const ReadModel model(saved);
  const ForeignFiles files = foreignFiles(model.config, model.parameters, kPad, saved.family);
  const io::NamedTensors written = tensorsOf(files), given = saved.tensors();
  for (const auto& [name, tensor] : written) {
    // Version 5 of the library reads what version 4 wrote, not the other way round.
    const std::string theirs_name = name == "embed_out.weight" ? "lm_head.weight" : name;
    const auto found = given.find(theirs_name);
    if (found == given.end()) return "the library has no " + name;
    const std::vector<double> ours = io::doubleValues(tensor);
    const std::vector<double> theirs = io::doubleValues(found->second);
    // Segments are in the positions, and the rows before the first of these are of nobody.
    if (name.find("token_type") != name.npos) continue;
    const bool shifted = name.find("position") != name.npos;
    if (tensor.shape != found->second.shape) return "the shape of " + name;
    for (std::size_t i = 0; i < ours.size() && !shifted; ++i)
      if (std::abs(ours[i] - theirs[i]) > 2e-7 * std::max(1.0, std::abs(theirs[i])))
        return "number " + std::to_string(i) + " of " + name;
  }
  // What is not written, the library ties, or recomputes.
  for (const auto& [name, tensor] : given)
    if (!written.contains(name) && !name.ends_with("decoder.weight") &&
        !name.ends_with("decoder.bias") && !name.ends_with("embed_tokens.weight") &&
        !name.ends_with("lm_head.weight") && !name.ends_with("projector.weight") &&
        name.find("embed_positions") == std::string::npos)
      return name + " is missing";
  const AlignedVector<float> again =
      test::parametersOf<float>(saved.family, model.config, written, saved.name, files.config);
  for (std::size_t i = 0; i < again.size(); ++i)
    if (std::abs(again[i] - model.parameters[i]) > 2e-7f * std::max(1.0f, std::abs(again[i])))
      return "parameter " + std::to_string(i) + " read back";
  return "";
}

}  // namespace

class TestForeignFiles : public QObject {
  Q_OBJECT

 private slots:
  void filesAreThoseOfTheLibrary() {
    for (const SavedModel& saved : kWritten) {
      // Their scores and states are scaled in another way than they are written: in our numbers.
      const std::string_view name = saved.name;
      if (name == "gpt2-untied" || name == "t5-gated") continue;
      const std::string differs = differenceOf(saved);
      QVERIFY2(differs.empty(), (std::string(saved.name) + ": " + differs).c_str());
    }
  }
  /// Without being told, a family is found, and its files are read back as the same model.
  void aFamilyIsFound() {
    for (const SavedModel& saved : kWritten) {
      const ReadModel model(saved);
      const ForeignFiles files = foreignFiles(model.config, model.parameters, kPad);
      const io::NamedTensors tensors = tensorsOf(files);
      const io::StoredTensors stored = io::storedTensors(tensors);
      const ModelConfig config = foreignConfig(*files.family, files.config, "config.json", stored);
      QVERIFY2(parameterLayout(config).total == std::ssize(model.parameters), saved.name);
      const auto again =
          foreignParameters<float>(*files.family, config, files.config, stored, "files");
      QVERIFY2(std::ranges::equal(again, model.parameters,
                                  [](float a, float b) {
                                    return std::abs(a - b) <= 2e-7f * std::max(1.0f, std::abs(a));
                                  }),
               saved.name);
    }
  }
  void whatIsAsWeHaveItIsNotCopied() {
    const ReadModel model(writtenModel("llama"));
    const ForeignFiles files = foreignFiles(model.config, model.parameters);
    QVERIFY(files.weights.tensors.empty());
    QCOMPARE(files.weights.stored.size(), parameterLayout(model.config).parameters.size());
    // A control: those of GPT-2 are joined and turned.
    const ReadModel turned(writtenModel("gpt2"));
    QVERIFY(!foreignFiles(turned.config, turned.parameters).weights.tensors.empty());
  }
  void scaledAnglesAreFoundAgain() {
    ReadModel model(writtenModel("llama"));
    QVERIFY(foreignFiles(model.config, model.parameters).config.find("linear") ==
            std::string::npos);
    model = ReadModel(writtenModel("llama-linear"));
    QVERIFY(foreignFiles(model.config, model.parameters).config.find("linear") !=
            std::string::npos);
    const SavedModel llama3{"llama3", "llama"};
    std::string json = llama3.json();
    const std::string trained = "\"original_max_position_embeddings\": 16";
    QVERIFY(json.find(trained) != json.npos);
    json.replace(json.find(trained) + trained.size() - 2, 2, "8192");
    const ModelConfig of_llama3 = pretrainedConfig(json, "config.json");
    QVERIFY(!of_llama3.rotary_frequencies.empty());
    const ForeignFiles files = foreignFiles(of_llama3, ReadModel(llama3).parameters);
    QVERIFY(pretrainedConfig(files.config, "config.json") == of_llama3);
    // Of others than those of Llama 3.1, nobody knows what they were made from.
    model.config.rotary_frequencies.front() *= 0.9;
    TFM_VERIFY_ERROR(foreignFiles(model.config, model.parameters), "rotary_frequencies");
  }
  void whatNoFamilyHasIsRefusedByName() {
    const auto refused = [](const char* name, auto change) {
      ReadModel model(writtenModel(name));
      change(model);
      return test::errorOf([&] { foreignFiles(model.config, model.parameters); });
    };
    const auto says = [](const QByteArray& error, const char* words) {
      return error.contains("no family of pretrained models has this model") &&
             error.contains(words);
    };
    QVERIFY(
        says(refused("gpt2", [](ReadModel& m) { m.config.norm = NormKind::RmsNorm; }), "norm is"));
    QVERIFY(says(refused("llama", [](ReadModel& m) { m.config.embedding_scale = 3.0; }),
                 "embedding_scale is 3.0, not 1.0"));
    QVERIFY(says(refused("llama", [](ReadModel& m) { m.config.mask_size = 8; }), "mask_size"));
    QVERIFY(says(
        refused("llama",
                [](ReadModel& m) { m.config.decoder_layers[1].first<FeedForward>()->width += 1; }),
        "decoder_layers"));
    QVERIFY(
        says(refused("llama", [](ReadModel& m) { m.config.share_layers = true; }), "share_layers"));
  }
  void numbersWithoutAPlaceAreRefused() {
    // Qwen2 has no bias of the attention's output.
    ReadModel model(writtenModel("qwen2"));
    const ParameterLayout layout = parameterLayout(model.config);
    const auto bias = std::ranges::find(
        layout.parameters, "decoder.layers.1.self_attention.output.bias", &ParameterInfo::name);
    QVERIFY(bias != layout.parameters.end());
    model.parameters[std::size_t(bias->offset)] = 0.5f;
    TFM_VERIFY_ERROR(foreignFiles(model.config, model.parameters, kPad, "qwen2"),
                     bias->name.c_str());
    // Phi has one norm for both blocks of a layer.
    ReadModel phi(writtenModel("phi"));
    const ParameterLayout of_phi = parameterLayout(phi.config);
    const auto gain = std::ranges::find(
        of_phi.parameters, "decoder.layers.0.feed_forward_norm.weight", &ParameterInfo::name);
    QVERIFY(gain != of_phi.parameters.end());
    phi.parameters[std::size_t(gain->offset)] += 0.5f;
    TFM_VERIFY_ERROR(foreignFiles(phi.config, phi.parameters), "In files of this family");
  }
  void anotherFamilyIsRefused() {
    const ReadModel model(writtenModel("gpt2"));
    TFM_VERIFY_ERROR(foreignFiles(model.config, model.parameters, 0, "llama"),
                     "the model cannot be written as a Llama");
    TFM_VERIFY_ERROR(foreignFiles(model.config, model.parameters, 0, "none"), "Choose one of bert");
  }
  void ggufFilesAreReadBack() {
    QTemporaryDir directory;
    const std::filesystem::path path = directory.filePath("model.gguf").toStdString();
    for (const char* name : {"llama", "smollm2", "qwen2", "gpt2"}) {
      const SavedModel& saved = writtenModel(name);
      const ReadModel model(saved);
      const GgufFiles gguf =
          ggufFiles(foreignFiles(model.config, model.parameters, kPad, saved.family), model.config);
      io::writeGguf(path, gguf.file);
      QVERIFY2(readPretrainedModel(path).parameters == model.parameters, name);
      for (const MappedTensor& row : gguf.model.map)
        QVERIFY2(row.name.empty() || gguf.file.tensors.at(row.name).shape == row.shape,
                 row.name.c_str());
    }
    const auto refused = [](const char* name) {
      const SavedModel& saved = writtenModel(name);
      const ReadModel model(saved);
      return test::errorOf([&] {
        ggufFiles(foreignFiles(model.config, model.parameters, kPad, saved.family), model.config);
      });
    };
    QVERIFY(refused("llama-linear").contains("rotary_frequencies"));
    QVERIFY(refused("llama-biased").contains("cannot say all of this model"));
    QVERIFY(refused("qwen2-window").contains("cannot say all of this model"));
    QVERIFY(refused("opt").contains("Written are llama, qwen2, gpt2"));
  }
  /// In parts, as the library writes large ones.
  void largeWeightsAreParted() {
    QTemporaryDir directory;
    const std::filesystem::path folder = directory.path().toStdString();
    const ReadModel model(writtenModel("llama"));
    const ForeignFiles files = foreignFiles(model.config, model.parameters);
    constexpr std::uint64_t kMost = 5000;
    const std::vector<std::string> names = writeWeights(folder, files.weights, kMost);
    QVERIFY(names.size() > 3);
    QCOMPARE(names.back(), std::string("model.safetensors.index.json"));
    for (const std::string& name : names)
      QVERIFY(name.ends_with(".json") || std::filesystem::file_size(folder / name) < 2 * kMost);
    io::writeFile(folder / "config.json", files.config);
    QVERIFY(readPretrainedModel(folder).parameters == model.parameters);
    // A control: in one.
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    QCOMPARE(writeWeights(folder, files.weights), std::vector<std::string>{"model.safetensors"});
  }
};

TFM_TEST(TestForeignFiles)
#include "test_foreign_files.moc"
