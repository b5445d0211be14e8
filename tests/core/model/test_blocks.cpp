// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every kind of block in the table, with nothing said of any of them.
#include <QTest>
#include <algorithm>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

/// An encoder-decoder, where blocks of every kind can stand, with one more in a decoder layer.
ModelConfig with(const BlockConfig& block) {
  ModelConfig config = presetNamed("annotated-encoder-decoder").config();
  config.hidden = 32;
  config.decoder_layers[1].blocks.push_back(block);
  return config;
}

/// Another value than usual in each field, one at a time. Lists of sizes of heads: as many as there
/// are heads.
std::vector<BlockConfig> altered(const BlockConfig& usual) {
  std::vector<BlockConfig> all;
  for (std::size_t i = 0; i < BlockConfig(usual).fields().size(); ++i) {
    BlockConfig block = usual;
    const io::Field field = block.fields()[i];
    if (const auto* whole = std::get_if<io::IntegerSlot>(&field.slot))
      *whole->value += 2;
    else if (const auto* real = std::get_if<io::RealSlot>(&field.slot))
      *real->value += 0.5;
    else if (const auto* on = std::get_if<io::SwitchSlot>(&field.slot))
      *on->value = !*on->value;
    else
      continue;
    all.push_back(block);
  }
  BlockConfig block = usual;
  for (const BlockSize& size : block.growable())
    if (size.own) {
      *size.value += 2;
      size.own->assign(std::size_t(size.heads), *size.value);
      size.own->front() -= 1;
    }
  block.norm_eps = 0.03;
  all.push_back(block);
  return all;
}

}  // namespace

class TestBlocks : public QObject {
  Q_OBJECT

 private slots:
  void kind_data() {
    QTest::addColumn<int>("kind");
    for (std::size_t i = 0; i < blockKinds().size(); ++i)
      QTest::newRow(std::string(BlockConfig{blockKinds()[i]}.kind().name).c_str()) << int(i);
  }

  void hasANameOfItsOwn() {
    for (const AnyBlock& one : blockKinds()) {
      const BlockKind kind = BlockConfig{one}.kind();
      QVERIFY(!kind.name.empty());
      const auto same = [&](const AnyBlock& other) { return BlockConfig{other}.kind() == kind; };
      QCOMPARE(std::ranges::count_if(blockKinds(), same), 1);
    }
  }

  void survivesJson_data() { kind_data(); }
  void survivesJson() {
    QFETCH(int, kind);
    const BlockConfig usual{blockKinds()[std::size_t(kind)]};
    std::vector<BlockConfig> blocks = altered(usual);
    for (const BlockConfig& changed : blocks) {
      QVERIFY(changed != usual);
      QVERIFY(toJson(with(usual)) != toJson(with(changed)));
    }
    blocks.push_back(usual);
    for (const BlockConfig& block : blocks) {
      const ModelConfig config = with(block);
      QCOMPARE(test::errorOf([&] { validate(config); }), QByteArray("no error"));
      QVERIFY(modelConfigFromJson(toJson(config), "test") == config);
    }
    std::string json = toJson(with(usual));
    const std::string eps = "\"norm_eps\":1e-05";
    json.replace(json.rfind(eps, json.find("\"embedding_norm_eps\"") - 1), 0, "\"colour\":1,");
    QVERIFY_EXCEPTION_THROWN(modelConfigFromJson(json, "test"), Error);
  }

  void wrongValuesAreNamed_data() { kind_data(); }
  void wrongValuesAreNamed() {
    QFETCH(int, kind);
    const BlockConfig usual{blockKinds()[std::size_t(kind)]};
    BlockConfig counted = usual;
    const std::string owner = "decoder_layers.1." + std::string(usual.kind().name) + ".";
    for (std::size_t i = 0; i < counted.fields().size(); ++i) {
      BlockConfig block = usual;
      const io::Field field = block.fields()[i];
      if (const auto* slot = std::get_if<io::IntegerSlot>(&field.slot))
        *slot->value = slot->lowest - 1;
      else if (const auto* list = std::get_if<io::IntegersSlot>(&field.slot))
        *list->value = {list->lowest - 1};
      else if (const auto* real = std::get_if<io::RealSlot>(&field.slot))
        *real->value = real->lowest - 1.0;
      else
        continue;
      const QByteArray message = test::errorOf([&] { validate(with(block)); });
      QVERIFY2(message.contains((owner + std::string(field.name)).c_str()), message.constData());
      QVERIFY(!field.meaning.empty());
    }
  }

  /// Growth, submodels and pictures find its sizes by the axes of its parameters.
  void sizesAreAxesOfItsParameters_data() { kind_data(); }
  void sizesAreAxesOfItsParameters() {
    QFETCH(int, kind);
    BlockConfig block{blockKinds()[std::size_t(kind)]};
    for (const BlockSize& size : block.growable()) *size.value = 5;
    const auto parametersAlong = [&](const BlockConfig& one, Axis axis, std::int64_t length) {
      std::size_t count = 0;
      for (const ParameterInfo& p : parameterLayout(with(one)).parameters)
        for (const Dimension& dimension : p.shape)
          for (const AxisSize& factor : dimension.factors)
            count += p.tag.site.kind == one.kind() && p.tag.site.block == 3 &&
                     factor.axis == axis && factor.size == length;
      return count;
    };
    for (const BlockSize& size : block.growable()) {
      const std::size_t along = parametersAlong(block, size.axis, 5);
      QVERIFY2(along > 0, size.words.data());
      *size.value = 6;
      QCOMPARE(parametersAlong(block, size.axis, 6), along);
      QCOMPARE(parametersAlong(block, size.axis, 5), std::size_t{0});
      *size.value = 5;
    }
  }
};

TFM_TEST(TestBlocks)
#include "test_blocks.moc"
