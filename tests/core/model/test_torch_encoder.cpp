// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders of PyTorch, read from the files of their state_dict() and run beside its numbers.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/io/atomic_file.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/model/pretrained/torch_encoder.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/foreign_parameters.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"
#include "tests/named_rows.h"
#include "tests/test_program.h"

using namespace tfm;
using tfm::test::Golden;
using tfm::test::Mistake;
using tfm::test::ModelRun;
namespace fs = std::filesystem;

namespace {

const fs::path kNotebook = TFM_TEST_DATA "/goldens/torch_encoder";
constexpr std::size_t kOfNotebook = 4;  // the others are before it

std::string notebookConfig() { return io::readTextFile(kNotebook / "config.json"); }

std::vector<double> toFirst(const std::vector<double>& rows, std::size_t outer, std::size_t inner,
                            std::size_t width) {
  std::vector<double> swapped;
  for (std::size_t i = 0; i < inner; ++i)
    for (std::size_t o = 0; o < outer; ++o)
      swapped.insert(swapped.end(), rows.begin() + std::ptrdiff_t((o * inner + i) * width),
                     rows.begin() + std::ptrdiff_t((o * inner + i + 1) * width));
  return swapped;
}

/// An encoder of the golden: its files, and its input and output as sequences x positions x width.
struct Case {
  std::string json;
  io::NamedTensors tensors;
  std::vector<std::size_t> shape;
  std::vector<double> x, y;
};

Case caseNumber(std::size_t index) {
  const Golden golden = Golden::read("torch_encoder");
  Case c;
  if (index == kOfNotebook) {
    c.json = notebookConfig();
    c.tensors = io::readSafetensors(kNotebook / "model.safetensors").tensors;
    const io::NamedTensor inputs = io::readNpz(kNotebook / "inputs.npz").at("inputs");
    c.shape.assign(inputs.shape.begin(), inputs.shape.end());
    c.x = io::doubleValues(inputs);
    c.y = golden.at("notebook").at("y").numbers();
    return c;
  }
  const Golden other = golden.at("others").at(index);
  c.json = other.at("config").text();
  for (const std::string& name : other.at("tensors").keys()) {
    const Golden tensor = other.at("tensors").at(name);
    std::vector<std::int64_t> shape;
    for (const std::size_t size : tensor.shape()) shape.push_back(std::int64_t(size));
    c.tensors[name] = io::makeTensor(shape, tensor.numbers());
  }
  c.shape = other.at("x").shape();
  c.x = other.at("x").numbers();
  c.y = other.at("y").numbers();
  if (isBatchFirst(c.json, "config.json")) return c;
  std::swap(c.shape[0], c.shape[1]);
  c.x = toFirst(c.x, c.shape[1], c.shape[0], c.shape[2]);
  c.y = toFirst(c.y, c.shape[1], c.shape[0], c.shape[2]);
  return c;
}

ModelConfig configOf(const Case& c) { return torchEncoderConfig(c.json, "config.json"); }

/// The largest difference of an output in double, with parameters read for the file's own config.
double worstOf(const Case& c, const ModelConfig& config, const io::NamedTensors& tensors) {
  ModelRun run(config, {std::int64_t(c.shape[0]), std::int64_t(c.shape[1]), 0}, {});
  const AlignedVector<double> parameters =
      test::parametersOf<double>("TransformerEncoder", configOf(c), tensors, "model.npz");
  run.parameters().assign(parameters.begin(), parameters.end());
  run.setNumbers(names::kSourceFeatures, c.x);
  run.forward();
  return test::worstDifference(run.values(names::kOutput), c.y);
}

io::NamedTensor turned(io::NamedTensor tensor, std::int64_t rows) {
  const std::int64_t bytes = std::int64_t(tensor.bytes.size()) / tensor.shape.front() * rows;
  std::rotate(tensor.bytes.begin(), tensor.bytes.begin() + bytes, tensor.bytes.end());
  return tensor;
}

std::vector<Mistake> torchMistakes() {
  using C = ModelConfig&;
  using T = io::NamedTensors&;
  return {
      {"eps", [](C c, T) { c.encoder_layers[1].blocks.back().norm_eps = 1e-3; }},
      {"GELU instead of ReLU", [](C c, T) { c.activation = Activation::Gelu; }},
      {"pre-norm instead of post-norm", [](C c, T) { c.norm_placement = NormPlacement::Pre; }},
      {"query, key and value in another order",
       [](C, T t) {
         io::NamedTensor& maps = t.at("layers.1.self_attn.in_proj_weight");
         maps = turned(maps, 4);
       }},
      {"norms exchanged",
       [](C, T t) { std::swap(t.at("layers.0.norm1.bias"), t.at("layers.0.norm2.bias")); }},
      {"a bias of the other layer",
       [](C, T t) { t.at("layers.0.linear1.bias") = t.at("layers.1.linear1.bias"); }},
  };
}

/// The notebook's layer under the names of the class that it writes, in an encoder of three.
io::NamedTensors inNotebookNames(const io::NamedTensors& layer) {
  io::NamedTensors all;
  for (const auto& [name, tensor] : layer)
    for (const char* number : {"0", "1", "2"}) {
      std::string other = name;
      const auto replace = [&](const std::string& from, const std::string& to) {
        if (other.starts_with(from)) other = to + other.substr(from.size());
      };
      replace("self_attn.", "block1.0.mha.");
      replace("linear1.", "block2.0.");
      replace("linear2.", "block2.3.");
      all["network." + std::string(number) + '.' + other] = tensor;
    }
  return all;
}

}  // namespace

class TestTorchEncoder : public QObject {
  Q_OBJECT

 private slots:
  void outputsAreThoseOfTorch_data() {
    QTest::addColumn<int>("index");
    const Golden others = Golden::read("torch_encoder").at("others");
    QCOMPARE(others.size(), kOfNotebook);
    for (std::size_t i = 0; i < others.size(); ++i)
      QTest::newRow(others.at(i).at("name").text().c_str()) << int(i);
    QTest::newRow("notebook") << int(kOfNotebook);
  }
  void outputsAreThoseOfTorch() {
    QFETCH(int, index);
    const Case c = caseNumber(std::size_t(index));
    const double worst = worstOf(c, configOf(c), c.tensors);
    QVERIFY2(worst <= 1e-12, qPrintable(QString::number(worst)));
  }

  void aMistakeIsSeen_data() { addNamedRows(torchMistakes()); }
  void aMistakeIsSeen() {
    QFETCH(int, index);
    const Case c = caseNumber(0);
    ModelConfig config = configOf(c);
    io::NamedTensors tensors = c.tensors;
    torchMistakes()[std::size_t(index)].make(config, tensors);
    const double worst = worstOf(c, config, tensors);
    QVERIFY2(worst > 1e-6, qPrintable(QString::number(worst)));
  }

  void argumentsAreTakenAndHaveTheirDefaults() {
    const ModelConfig notebook = torchEncoderConfig(notebookConfig(), "config.json");
    QCOMPARE(notebook.encoder_layers.size(), std::size_t(3));
    QVERIFY(notebook.share_layers && !notebook.final_norm);
    QCOMPARE(notebook.attention_dropout, 0.2);
    QCOMPARE(notebook.activation, Activation::Gelu);
    const ModelConfig usual = torchEncoderConfig(R"({"d_model": 6, "nhead": 3})", "config.json");
    const auto* attention = usual.encoder_layers.at(0).first<SelfAttention>();
    QVERIFY((attention->sizes == AttentionSizes{3, 2, 2}));
    QCOMPARE(usual.encoder_layers.at(0).first<FeedForward>()->width, 2048);
    QCOMPARE(usual.encoder_layers.size(), std::size_t(1));
    QCOMPARE(usual.residual_dropout, 0.1);
    QCOMPARE(usual.norm_placement, NormPlacement::Post);
    QCOMPARE(usual.activation, Activation::Relu);
    QVERIFY(!isBatchFirst("{}", "") && isBatchFirst(notebookConfig(), ""));
    const ModelConfig last = torchEncoderConfig(
        R"({"d_model": 6, "nhead": 3, "norm": true, "norm_eps": 0.5, "layer_norm_eps": 0.25})", "");
    QCOMPARE(last.encoder_final_norm_eps, 0.5);
    QCOMPARE(last.encoder_layers.at(0).blocks.front().norm_eps, 0.25);
  }

  void foldersAreRead() {
    const PretrainedModel encoder = readPretrainedModel(kNotebook);
    QVERIFY(encoder.batch_first);
    QCOMPARE(encoder.parameters.size(), std::size_t(676));

    // The same as an .npz.
    QTemporaryDir folder;
    const fs::path other = folder.path().toStdString();
    fs::copy_file(kNotebook / "config.json", other / "config.json");
    TFM_VERIFY_ERROR(readPretrainedModel(other), "model.safetensors");
    io::writeNpz(other / "model.npz", io::readSafetensors(kNotebook / "model.safetensors").tensors);
    QVERIFY(readPretrainedModel(other).parameters == encoder.parameters);
    QVERIFY(pretrainedContent(other) != pretrainedContent(kNotebook));
  }

  void theNotebooksNamesAreRead() {
    const Case c = caseNumber(kOfNotebook);
    io::NamedTensors tensors = inNotebookNames(c.tensors);
    QVERIFY(worstOf(c, configOf(c), tensors) <= 1e-12);
    // A file may name the shared layer once; where it does so more often, all must be one.
    for (const char* number : {"1", "2"})
      std::erase_if(tensors, [&](const auto& t) {
        return t.first.starts_with(std::string("network.") + number);
      });
    QVERIFY(worstOf(c, configOf(c), tensors) <= 1e-12);
    tensors = inNotebookNames(c.tensors);
    io::NamedTensor& maps = tensors.at("network.2.block1.0.mha.in_proj_weight");
    maps = turned(maps, 4);
    TFM_VERIFY_ERROR(test::parametersOf<float>("TransformerEncoder", configOf(c), tensors, "file"),
                     "share_layers");
  }

  void whatIsNotThatEncoderIsRefused() {
    const auto refused = [](const std::string& json) {
      return test::errorOf([&] { torchEncoderConfig(json, "config.json"); });
    };
    QVERIFY(refused(R"({"d_model": 4})").contains("'nhead' is missing"));
    QVERIFY(refused(R"({"d_model": 4, "nhead": 3})").contains("multiple of nhead"));
    QVERIFY(refused(R"({"d_model": 4, "nhead": 2, "head": 2})").contains("head"));
    QVERIFY(refused(R"({"d_model": 4, "nhead": 2, "dropout": 1})").contains("dropout"));
    QVERIFY(refused(R"({"d_model": 4, "nhead": 2, "activation": "tanh"})").contains("activation"));
    QVERIFY(refused(R"({"d_model": 99999999999, "nhead": 1})").contains("d_model"));
    // Which eps the last norm has is not guessed.
    QVERIFY(refused(R"({"d_model": 4, "nhead": 1, "norm": true, "layer_norm_eps": 0.1})")
                .contains("norm_eps"));

    const Case c = caseNumber(0);
    const auto refusedTensors = [&](const std::function<void(io::NamedTensors&)>& change) {
      io::NamedTensors tensors = c.tensors;
      change(tensors);
      return test::errorOf(
          [&] { test::parametersOf<float>("TransformerEncoder", configOf(c), tensors, "file"); });
    };
    QVERIFY(refusedTensors([](auto& t) {
              t.erase("layers.1.norm2.bias");
            }).contains("layers.1.norm2.bias\" is missing"));
    QVERIFY(refusedTensors([](auto& t) {
              t["layers.2.norm2.bias"] = t["layers.1.norm2.bias"];
            }).contains("does not belong"));
    QVERIFY(refusedTensors([](auto& t) {
              t["layers.0.linear1.bias"] = t["layers.0.norm1.bias"];
            }).contains("Expected 8"));
  }
};

TFM_TEST(TestTorchEncoder)
#include "test_torch_encoder.moc"
