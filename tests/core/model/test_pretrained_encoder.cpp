// SPDX-License-Identifier: GPL-3.0-or-later
// Folders and files that are no BERT, or one in another form.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <functional>
#include <limits>

#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/bert.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/foreign_parameters.h"
#include "tests/test_program.h"

using namespace tfm;
namespace fs = std::filesystem;

namespace {

const fs::path kModelFolder = TFM_TEST_DATA "/goldens/bert";
const std::string kQuery = "encoder.layer.0.attention.self.query.weight";

std::string configText() { return io::readTextFile(kModelFolder / "config.json"); }

ModelConfig config() { return bertConfig(configText(), "config.json"); }

io::NamedTensors tensors() {
  return io::readSafetensors(kModelFolder / "model.safetensors").tensors;
}

/// The config's text with one part replaced.
std::string alteredConfig(const std::string& from, const std::string& to) {
  std::string text = configText();
  return text.replace(text.find(from), from.size(), to);
}

QByteArray refusedTensors(const std::function<void(io::NamedTensors&)>& change) {
  io::NamedTensors t = tensors();
  change(t);
  return test::errorOf([&] { test::parametersOf<float>("bert", config(), t, "the file"); });
}

void rename(io::NamedTensors& t, const std::string& from, const std::string& to) {
  auto node = t.extract(from);
  node.key() = to;
  t.insert(std::move(node));
}

/// The upper half of every float: BF16, rounded towards zero.
io::NamedTensor inBFloat16(const io::NamedTensor& tensor) {
  io::NamedTensor half{io::DType::BF16, tensor.shape, {}};
  for (std::size_t i = 0; i < tensor.bytes.size(); i += 4)
    half.bytes.insert(half.bytes.end(), {tensor.bytes[i + 2], tensor.bytes[i + 3]});
  return half;
}

}  // namespace

class TestPretrainedEncoder : public QObject {
  Q_OBJECT

 private slots:
  void namesOfOtherReleases() {
    const AlignedVector<float> expected =
        test::parametersOf<float>("bert", config(), tensors(), "");
    io::NamedTensors other;
    for (auto& [name, tensor] : tensors()) {
      std::string renamed = "bert." + name;
      if (const auto at = renamed.find("LayerNorm."); at != std::string::npos)
        renamed.replace(at, std::string::npos,
                        renamed.ends_with("weight") ? "LayerNorm.gamma" : "LayerNorm.beta");
      other[renamed] = tensor;
    }
    const std::vector<std::int64_t> ids(64);
    other["bert.embeddings.position_ids"] = io::makeTensor({1, 64}, ids);
    other["cls.predictions.bias"] = io::makeTensor({61}, std::vector<float>(61));
    other["classifier.weight"] = io::makeTensor({2, 32}, std::vector<float>(64));
    QVERIFY(test::parametersOf<float>("bert", config(), other, "") == expected);
    // A norm under neither pair of names is missing.
    rename(other, "bert.embeddings.LayerNorm.gamma", "bert.embeddings.LayerNorm.scale");
    TFM_VERIFY_ERROR(test::parametersOf<float>("bert", config(), other, ""),
                     "\"bert.embeddings.LayerNorm.weight\" is missing");
  }

  void otherElementTypes() {
    io::NamedTensors t = tensors();
    const std::vector<double> doubles = io::doubleValues(t.at(kQuery));
    const AlignedVector<float> expected = test::parametersOf<float>("bert", config(), t, "");
    t[kQuery] = io::makeTensor({32, 32}, doubles);
    QVERIFY(test::parametersOf<float>("bert", config(), t, "") == expected);
    t[kQuery] = inBFloat16(tensors().at(kQuery));
    const AlignedVector<float> rounded = test::parametersOf<float>("bert", config(), t, "");
    double worst = 0.0;
    for (std::size_t i = 0; i < rounded.size(); ++i)
      worst = std::max(worst, double(std::abs(rounded[i] - expected[i])));
    QVERIFY(worst > 0.0 && worst < 0.01);
    t[kQuery] = io::makeTensor({32, 32}, std::vector<std::int32_t>(32 * 32));
    TFM_VERIFY_ERROR(test::parametersOf<float>("bert", config(), t, ""), "holds I32");
  }

  void wrongTensorsAreNamed() {
    const auto names = [](const QByteArray& message, std::initializer_list<const char*> parts) {
      for (const char* part : parts)
        if (!message.contains(part)) return message;
      return QByteArray();
    };
    QCOMPARE(names(refusedTensors([](auto& t) { t.erase(kQuery); }),
                   {kQuery.c_str(), "missing", "the file", "32 x 32"}),
             QByteArray());
    QCOMPARE(names(refusedTensors([](auto& t) {
                     t[kQuery].shape = {16, 64};
                   }),
                   {kQuery.c_str(), "16 x 64", "Expected 32 x 32"}),
             QByteArray());
    QCOMPARE(names(refusedTensors([](auto& t) {
                     t["embeddings.token_type_embeddings.weight"].shape = {4, 16};
                   }),
                   {"token_type", "4 x 16", "rows of 32"}),
             QByteArray());
    QCOMPARE(names(refusedTensors([](auto& t) {
                     rename(t, "pooler.dense.weight", "encoder.layer.2.output.dense.weight");
                   }),
                   {"encoder.layer.2", "does not belong"}),
             QByteArray());
    QCOMPARE(names(refusedTensors([](auto& t) {
                     const float nan = std::numeric_limits<float>::quiet_NaN();
                     t[kQuery] = io::makeTensor({32, 32}, std::vector<float>(32 * 32, nan));
                   }),
                   {kQuery.c_str(), "not finite"}),
             QByteArray());
    QCOMPARE(refusedTensors([](auto&) {}), QByteArray("no error"));
  }

  void wrongConfigs_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("problem");
    const auto row = [](const char* from, const char* to, const char* problem) {
      QTest::newRow(to) << QByteArray(from) << QByteArray(to) << QByteArray(problem);
    };
    row("\"hidden_size\": 32", "\"hidden\": 32", "'hidden_size' is missing");
    row("\"hidden_size\": 32", "\"hidden_size\": 33", "multiple of num_attention_heads");
    row("\"hidden_size\": 32", "\"hidden_size\": 0", "hidden_size is 0");
    row("\"hidden_size\": 32", "\"hidden_size\": 400000", "hidden is 400000");
    row("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 9000000000000000000", "1 to 1024");
    row("\"num_hidden_layers\": 2", "\"num_hidden_layers\": \"2\"", "a whole number");
    row("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"mish\"", "gelu_new");
    row("\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": 0", "eps is 0");
    row("\"is_decoder\": false", "\"is_decoder\": true", "is_decoder");
    row("\"use_cache\": true", "\"position_embedding_type\": \"relative_key\"", "absolute");
    row("\"use_cache\": true", "\"add_cross_attention\": true", "add_cross_attention");
    row("\"use_cache\": true", "\"pruned_heads\": {\"0\": [1]}", "pruned_heads");
    row("\"use_cache\": true", "\"embedding_size\": 16", "\"embedding_size\" is 16");
    row("\"use_cache\": true", "\"quantization_config\": {\"bits\": 4}", "quantization_config");
    row("\"vocab_size\": 61", "\"vocab_size\": -1", "vocab_size is -1");
  }
  void wrongConfigs() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, problem);
    const std::string text = alteredConfig(from.toStdString(), to.toStdString());
    const QByteArray message = test::errorOf([&] { bertConfig(text, "config.json"); });
    QVERIFY2(message.contains(problem) && message.contains("config.json"), message.constData());
  }

  void activationsHaveOtherNames() {
    QVERIFY(bertConfig(alteredConfig("\"gelu\"", "\"gelu_new\""), "").activation ==
            Activation::GeluTanh);
    for (const char* name : {"\"silu\"", "\"swish\""})
      QVERIFY(bertConfig(alteredConfig("\"gelu\"", name), "").activation == Activation::Silu);
  }

  /// What other families compute is something else, even where their files look the same.
  void otherFamiliesAreNamed_data() {
    QTest::addColumn<QByteArray>("type");
    for (const char* type : {"xlm-roberta", "camembert", "electra", "bert-generation", "Bert", ""})
      QTest::newRow(type) << QByteArray(type);
  }
  void otherFamiliesAreNamed() {
    QFETCH(QByteArray, type);
    const std::string quoted = "\"" + type.toStdString() + "\"";
    const std::string text = alteredConfig("\"model_type\": \"bert\"", "\"model_type\": " + quoted);
    TFM_VERIFY_ERROR(pretrainedConfig(text, "config.json"), ("model_type is " + quoted).c_str());
  }
  void withoutATypeTheClassCounts() {
    const std::string bare = alteredConfig("\"model_type\": \"bert\",", "");
    QVERIFY(pretrainedConfig(bare, "config.json") == config());
    std::string other = bare;
    other.replace(other.find("BertModel"), 9, "RobertaModel");
    TFM_VERIFY_ERROR(pretrainedConfig(other, "config.json"), "RobertaModel");
  }

  /// DataParallel, torch.compile() and a model around the encoder put their names before its own.
  void whatAWrapperPutsBeforeNamesIsLeftOut() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    fs::copy(kModelFolder / "config.json", folder / "config.json");
    const PretrainedModel plain = readPretrainedModel(kModelFolder);
    QVERIFY(plain.notes.empty());
    const auto write = [&](const std::string& before, const std::string& odd) {
      io::TensorFile file;
      for (auto& [name, tensor] : tensors()) file.tensors[before + name] = tensor;
      if (!odd.empty()) file.tensors[odd] = io::makeTensor({1}, std::vector<float>(1));
      io::writeSafetensors(folder / "model.safetensors", file);
    };
    for (const char* before : {"module.", "_orig_mod.", "encoder.", "module._orig_mod.bert."}) {
      write(before, "");
      const PretrainedModel read = readPretrainedModel(folder);
      QVERIFY2(read.parameters == plain.parameters, before);
      QCOMPARE(read.notes.size(), std::size_t{1});
      QVERIFY2(read.notes.front().find('"' + std::string(before).substr(0, 7)) != std::string::npos,
               read.notes.front().c_str());
    }
    write("bert.", "");
    QVERIFY(readPretrainedModel(folder).notes.empty());
    // Where not all names have it, it is named.
    write("module.", "step");
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "without the prefix \"module.\"");
  }

  /// Only what the encoder needs is read, and has to be of a type that is read.
  void tensorsOfOtherTypesAreNoHindrance() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    fs::copy(kModelFolder / "config.json", folder / "config.json");
    std::string bytes = io::readFile(kModelFolder / "model.safetensors", 1 << 20);
    const auto rename = [&](const std::string& name) {  // its type: as many letters
      bytes.replace(bytes.find("F32", bytes.find('"' + name + '"')), 3, "U32");
      io::writeFile(folder / "model.safetensors", bytes);
    };
    rename("pooler.dense.bias");
    QVERIFY(readPretrainedModel(folder).parameters == readPretrainedModel(kModelFolder).parameters);
    rename(kQuery);
    TFM_VERIFY_ERROR(readPretrainedModel(folder), (kQuery + "\" holds U32").c_str());
    // What a wrapper put before the names is left out there, too.
    io::TensorFile wrapped;
    for (auto& [name, tensor] : tensors()) wrapped.tensors["module." + name] = tensor;
    io::writeSafetensors(folder / "model.safetensors", wrapped);
    bytes = io::readFile(folder / "model.safetensors", 1 << 20);
    rename("module." + kQuery);
    TFM_VERIFY_ERROR(readPretrainedModel(folder), (kQuery + "\" holds U32").c_str());
  }

  void folders() {
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    TFM_VERIFY_ERROR(readPretrainedModel(folder / "none"), "not a folder");
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "config.json");
    fs::copy(kModelFolder / "config.json", folder / "config.json");
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "model.safetensors");
    // Pickled checkpoints are named as what they are.
    const auto refusedBeside = [&](const char* name) {
      io::writeFile(folder / name, "{}");
      const QByteArray message = test::errorOf([&] { readPretrainedModel(folder); });
      fs::remove(folder / name);
      return message;
    };
    QVERIFY(refusedBeside("model.safetensors.index.json").contains("'weight_map' is missing"));
    QVERIFY(
        refusedBeside("pytorch_model.bin.index.json").contains("a sharded checkpoint: pytorch"));
    io::writeFile(folder / "pytorch_model.bin", "PK");
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "python3 -c");
    fs::copy(kModelFolder / "model.safetensors", folder / "model.safetensors");
    const PretrainedModel encoder = readPretrainedModel(folder);
    QVERIFY(encoder.config == config());
    QCOMPARE(pretrainedContent(folder), pretrainedContent(kModelFolder));

    // Another eps is another encoder.
    io::writeFile(folder / "config.json", alteredConfig("1e-12", "1e-11"));
    QVERIFY(pretrainedContent(folder) != pretrainedContent(kModelFolder));
    io::writeFile(folder / "model.safetensors", std::string("\1\0\2\0\3", 5));
    TFM_VERIFY_ERROR(readPretrainedModel(folder), "5 bytes");
  }
};

TFM_TEST(TestPretrainedEncoder)
#include "test_pretrained_encoder.moc"
