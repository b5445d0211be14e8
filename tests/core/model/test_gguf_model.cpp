// SPDX-License-Identifier: GPL-3.0-or-later
// A GGUF file that the gguf package wrote, beside its numbers and those that transformers computes
// from it (tests/goldens/gguf_files.py).
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <filesystem>

#include "core/io/atomic_file.h"
#include "core/io/gguf.h"
#include "core/io/read_file.h"
#include "core/model/pretrained/gguf_model.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/core/io/error_of.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using tfm::test::Golden;
namespace fs = std::filesystem;

namespace {

const fs::path kTiny = TFM_TEST_DATA "/goldens/tiny.gguf";

std::string bytesOfTiny() { return io::readFile(kTiny, 1 << 20); }

/// The largest difference of a logit, from a file whose tensors were changed.
double worstOf(const std::function<void(io::GgufFile&)>& change) {
  io::GgufFile file = io::openGguf(kTiny);
  change(file);
  const GgufModel model = ggufModel(file, "tiny");
  const Family& llama = familyNamed("llama");
  const ModelConfig config = llama.config(model.json, "tiny");
  const Golden golden = Golden::read("gguf_files");
  test::ModelRun run(config, {1, 0, 9}, {});
  run.setIds(names::kTargetIds, test::idsOf(golden.at("ids")));
  run.parameters() = foreignParameters<double>(llama, config, model.json, model.tensors, "tiny");
  run.forward();
  return test::worstDifference(run.values(names::kOutput), golden.at("logits").numbers());
}

}  // namespace

class TestGgufModel : public QObject {
  Q_OBJECT

 private slots:
  void numbersAreThoseOfTheGgufPackage() {
    const Golden golden = Golden::read("gguf_files");
    const io::GgufFile file = io::openGguf(kTiny);
    QCOMPARE(file.tensors.size(), golden.at("types").keys().size());
    for (const std::string& name : golden.at("types").keys()) {
      const io::StoredTensor& tensor = file.tensors.at(name);
      QCOMPARE(tensor.type, golden.at("types").at(name).text());
      const std::vector<double> expected = golden.at("first").at(name).numbers();
      std::vector<double> all(expected.size());
      tensor.read(0, std::span(all));
      QVERIFY2(all == expected, name.c_str());
      // From within a block.
      std::vector<float> some(20);
      tensor.read(37, std::span(some));
      for (std::size_t i = 0; i < some.size(); ++i) QCOMPARE(some[i], float(expected[37 + i]));
    }
    QCOMPARE(std::get<std::string>(file.values.at("general.architecture")), std::string("llama"));
    QCOMPARE(std::get<std::vector<std::string>>(file.values.at("tokenizer.ggml.tokens")).size(),
             std::size_t{64});
  }

  void logitsAreTheLibrarys() {
    QVERIFY(worstOf([](io::GgufFile&) {}) < 1e-12);
    // Rows that are left as neighbours write plausible text, and other logits.
    QVERIFY(worstOf([](io::GgufFile& file) {
              file.values.at("general.architecture") = std::string("qwen2");
              std::map<std::string, io::GgufValue> renamed;
              for (auto& [key, value] : file.values)
                renamed[key.starts_with("llama.") ? "qwen2." + key.substr(6) : key] = value;
              file.values = renamed;
            }) > 1e-2);
  }

  void theMapNamesTypesAndOrder() {
    const std::vector<MappedTensor> map = readTensorMap(kTiny);
    const auto query =
        std::ranges::find(map, "decoder.layers.0.self_attention.query.weight", &MappedTensor::ours);
    QCOMPARE(query->type, std::string("Q4_0"));
    QCOMPARE(query->done, std::string("neighbours to halves of each head"));
  }

  void whatIsNotReadIsNamed() {
    const auto refused = [](const std::function<void(io::GgufFile&)>& change) {
      return test::errorOf([&] { worstOf(change); });
    };
    QVERIFY(refused([](auto& f) {
              f.values["general.architecture"] = std::string("gemma");
            }).contains("general.architecture is \"gemma\""));
    QVERIFY(refused([](auto& f) {
              f.values.erase("llama.block_count");
            }).contains("llama.block_count is missing"));
    QVERIFY(refused([](auto& f) {
              f.values["llama.rope.scaling.type"] = std::string("yarn");
            }).contains("rope.scaling.type"));
    QVERIFY(refused([](auto& f) { f.values["llama.logit_scale"] = 2.0; }).contains("logit_scale"));
    QVERIFY(refused([](auto& f) {
              f.values["llama.rope.dimension_count"] = std::int64_t{8};
            }).contains("rope.dimension_count\" is 8"));
    QVERIFY(refused([](auto& f) { f.values["llama.rope.dimension_count"] = std::int64_t{16}; }) ==
            "no error");
    QVERIFY(refused([](auto& f) {
              f.tensors["rope_freqs.weight"] = f.tensors["output_norm.weight"];
            }).contains("rope_freqs.weight"));
    QVERIFY(refused([](auto& f) {
              f.tensors["blk.0.ffn_up.weight"].format = nullptr;
              f.tensors["blk.0.ffn_up.weight"].type = "Q6_K";
            }).contains("holds Q6_K"));
    QVERIFY(refused([](auto& f) { f.tensors.erase("token_embd.weight"); }).contains("token_embd"));
  }

  void damagedFilesAreRefused() {
    const QTemporaryDir folder;
    const fs::path path = folder.path().toStdString() + "/damaged.gguf";
    const std::string whole = bytesOfTiny();
    const auto refused = [&](const std::string& bytes) {
      io::writeFile(path, bytes);
      return test::errorOf([&] { io::openGguf(path); });
    };
    const auto with = [&](std::size_t at, std::uint64_t number) {
      std::string bytes = whole;
      std::memcpy(bytes.data() + at, &number, sizeof number);
      return refused(bytes);
    };
    QCOMPARE(refused(whole), QByteArray("no error"));
    QVERIFY(refused("text").contains("no GGUF file"));
    QVERIFY(with(8, std::uint64_t{1} << 60).contains("the header claims"));
    QVERIFY(with(16, std::uint64_t{1} << 60).contains("the header claims"));
    QVERIFY(with(24, std::uint64_t{1} << 60).contains("a text claims"));
    QVERIFY(refused(whole.substr(0, whole.size() - 100)).contains("lies outside the file"));
    for (std::size_t size = 0; size < 2000; size += 7)
      QVERIFY(refused(whole.substr(0, size)) != "no error");
  }
};

TFM_TEST(TestGgufModel)
#include "test_gguf_model.moc"
