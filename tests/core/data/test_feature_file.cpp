// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/data/features/feature_file.h"
#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;

namespace {

constexpr std::int64_t kWidth = 3;

const std::vector<Ids> kTexts{{5}, {7, 8}, {8, 7}, {1, 2, 3, 4}};

/// Numbers that tell text, row and column.
std::vector<float> featuresOf(std::size_t text) {
  std::vector<float> features;
  for (std::size_t i = 0; i < kTexts[text].size() * kWidth; ++i)
    features.push_back(float(text * 100 + i));
  return features;
}

void add(FeatureWriter& writer, std::size_t text) {
  const std::vector<float> features = featuresOf(text);
  writer.add(kTexts[text],
             MatrixView<const float>(features.data(), std::int64_t(kTexts[text].size()), kWidth));
}

void write(const std::filesystem::path& path) {
  FeatureWriter writer(path, kWidth, 4, 9);
  for (std::size_t i = 0; i < kTexts.size(); ++i) add(writer, i);
  writer.commit();
}

}  // namespace

class TestFeatureFile : public QObject {
  Q_OBJECT

 private:
  const QTemporaryDir folder_;
  const std::filesystem::path path_ = folder_.path().toStdString() + "/a.features";

 private slots:
  void init() { write(path_); }

  void everyTextIsFound() {
    const FeatureReader reader(path_, kWidth);
    QCOMPARE(reader.texts(), 4);
    QCOMPARE(reader.tokens(), 9);
    for (std::size_t i = kTexts.size(); i-- > 0;) {
      std::vector<float> features(kTexts[i].size() * kWidth);
      QVERIFY(reader.read(kTexts[i], features));
      QVERIFY(features == featuresOf(i));
    }
    for (const Ids& other : {Ids{6}, Ids{7}, Ids{1, 2, 3}, Ids{2, 3}}) {
      std::vector<float> features(other.size() * kWidth);
      QVERIFY(!reader.read(other, features));
    }
    QCOMPARE(std::int64_t(std::filesystem::file_size(path_)), featureFileBytes(kWidth, 4, 9));
  }

  void rowsThatAreNoNumbersAreNotThere() {
    std::string bytes = io::readFile(path_, 1 << 20);
    const std::vector<float> second = featuresOf(1);
    const std::string row(reinterpret_cast<const char*>(second.data()), sizeof(float));
    const std::size_t place = bytes.find(row);
    QVERIFY(place != bytes.npos);
    bytes.replace(place, sizeof(float), std::string(sizeof(float), char(0xFF)));
    io::AtomicFile file(path_);
    file.write(bytes);
    file.commit();
    const FeatureReader reader(path_, kWidth);
    std::vector<float> features(2 * kWidth);
    QVERIFY(!reader.read(kTexts[1], features));
    QVERIFY(reader.read(kTexts[2], features));
  }

  void oneFlippedBitIsNoticed() {
    const std::string whole = io::readFile(path_, 1 << 20);
    QCOMPARE(FeatureReader(path_, kWidth).firstDamaged(), std::nullopt);
    for (std::size_t row = 0; row < 9; ++row) {
      std::string bytes = whole;
      bytes[64 + row * kWidth * 4] = char(bytes[64 + row * kWidth * 4] ^ 1);
      io::writeFile(path_, bytes);
      const FeatureReader reader(path_, kWidth);
      const auto damaged = reader.firstDamaged();
      QVERIFY(damaged.has_value());
      for (std::size_t i = 0; i < kTexts.size(); ++i) {
        std::vector<float> features(kTexts[i].size() * kWidth);
        QCOMPARE(reader.read(kTexts[i], features), i != *damaged);
      }
    }
  }

  /// As they were written before there were checksums.
  void oldFilesAreRead() {
    std::string bytes = io::readFile(path_, 1 << 20);
    bytes.resize(bytes.size() - 5 * 8);
    bytes[7] = '1';
    io::writeFile(path_, bytes);
    const FeatureReader reader(path_, kWidth);
    QCOMPARE(reader.firstDamaged(), std::nullopt);
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
      std::vector<float> features(kTexts[i].size() * kWidth);
      QVERIFY(reader.read(kTexts[i], features));
      QVERIFY(features == featuresOf(i));
    }
  }

  void unfinishedFilesDoNotAppear() {
    const std::filesystem::path other = folder_.path().toStdString() + "/b.features";
    {
      FeatureWriter writer(other, kWidth, 4, 9);
      add(writer, 0);
    }
    QVERIFY(!std::filesystem::exists(other));
    FeatureWriter writer(other, kWidth, 4, 9);
    add(writer, 0);
    QVERIFY_EXCEPTION_THROWN(writer.commit(), std::logic_error);
  }

  void damagedFilesAreRefused_data() {
    QTest::addColumn<qint64>("offset");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("problem");
    const qint64 lengths = 64 + 9 * kWidth * 4;
    const auto row = [](const char* name, qint64 offset, const QByteArray& bytes,
                        const char* problem) {
      QTest::newRow(name) << offset << bytes << QByteArray(problem);
    };
    const QByteArray huge("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
    row("magic", 0, "X", "no feature file");
    row("another width", 8, "\x04", "expected a width of 3");
    row("no texts", 16, QByteArray(8, '\0'), "0 texts");
    row("many texts", 16, huge, "9223372036854775807 texts");
    row("many tokens", 24, huge, "9223372036854775807 x 3");
    row("more tokens than bytes", 24, "\x0a", "bytes");
    row("another id", lengths + 16, "\x63", "differ from their checksum");
    row("another checksum", lengths + 52, "\x63", "differ from their checksum");
    row("another checksum of all", lengths + 52 + 32, "\x63", "differ from their checksum");
    row("a text of no tokens", lengths, QByteArray(4, '\0'), "0 tokens");
    row("a text of too many", lengths, "\x0a", "10 tokens");
    row("a text of less than none", lengths, "\xff\xff\xff\xff", "-1 tokens");
    row("tokens of no text", lengths + 12, "\x03", "no text");
  }
  void damagedFilesAreRefused() {
    QFETCH(qint64, offset);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, problem);
    std::string file = io::readFile(path_, 1000);
    file.replace(std::size_t(offset), std::size_t(bytes.size()), bytes.toStdString());
    io::writeFile(path_, file);
    TFM_VERIFY_ERROR(FeatureReader(path_, kWidth), problem);
    write(path_);
    TFM_VERIFY_ERROR(FeatureReader(path_, kWidth), "no error");
  }

  void shortFilesAndFoldersAreRefused() {
    const std::string file = io::readFile(path_, 1000);
    io::writeFile(path_, file.substr(0, file.size() - 1));
    TFM_VERIFY_ERROR(FeatureReader(path_, kWidth), "bytes");
    io::writeFile(path_, file.substr(0, 20));
    TFM_VERIFY_ERROR(FeatureReader(path_, kWidth), "no feature file");
    TFM_VERIFY_ERROR(FeatureReader(path_.parent_path(), kWidth), "no feature file");
    TFM_VERIFY_ERROR(FeatureReader(path_.parent_path() / "none", kWidth), "cannot read");
  }

  void aFileThatShrinksIsNoticed() {
    const FeatureReader reader(path_, kWidth);
    std::filesystem::resize_file(path_, 70);
    std::vector<float> features(4 * kWidth);
    TFM_VERIFY_ERROR(reader.read(kTexts[3], features), "truncated while it was read");
  }
};

TFM_TEST(TestFeatureFile)
#include "test_feature_file.moc"
