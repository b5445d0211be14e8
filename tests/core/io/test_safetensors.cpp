// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "tests/core/io/error_of.h"
#include "tests/core/io/sample.h"
#include "tests/test_program.h"

using namespace tfm::io;
using tfm::test::golden;

namespace {

TensorFile sampleFile() {
  return {tfm::test::sampleTensors(), {{"format", "pt"}, {"note", "Grüße"}}};
}

/// A file with this header, any length field, and `dataBytes` zero bytes of data.
std::string fileOf(const std::string& header, std::size_t dataBytes, std::uint64_t length) {
  char field[8];
  qToLittleEndian<quint64>(length, field);
  return std::string(field, sizeof field) + header + std::string(dataBytes, '\0');
}

TensorFile parse(const std::string& file) {
  return parseSafetensors(std::as_bytes(std::span(file)), "m.safetensors");
}

}  // namespace

class TestSafetensors : public QObject {
  Q_OBJECT

 private slots:
  void roundTrips();
  void writesTheSameBytesAsAlways();
  void readsWhatPythonWrites();
  void alignsData();
  void readsEmptyFile();
  void namesTensorsThatItDoesNotRead();
  void acceptsTheHeaderThatTheNextTestBreaks();
  void refusesHostileHeader_data();
  void refusesHostileHeader();
  void refusesHostileLength();
  void refusesEveryTruncation();
  void refusesToWriteReservedOrBrokenNames();
  void keepsTheOldFileWhenRefusing();
};

void TestSafetensors::roundTrips() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.safetensors").toStdString();
  writeSafetensors(path, sampleFile());
  QVERIFY(readSafetensors(path) == sampleFile());
}

void TestSafetensors::writesTheSameBytesAsAlways() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.safetensors").toStdString();
  writeSafetensors(path, sampleFile());
  if (tfm::test::updatesGoldens()) writeSafetensors(golden("from_core.safetensors"), sampleFile());
  QVERIFY(readFile(path, 10'000) == readFile(golden("from_core.safetensors"), 10'000));
}

void TestSafetensors::readsWhatPythonWrites() {
  QVERIFY(readSafetensors(golden("from_python.safetensors")) == sampleFile());
}

void TestSafetensors::alignsData() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.safetensors").toStdString();
  writeSafetensors(path, sampleFile());
  const std::string file = readFile(path, 10'000);
  const auto length = qFromLittleEndian<quint64>(file.data());
  QCOMPARE(length % 8, quint64{0});
  const auto header = nlohmann::json::parse(file.substr(8, length));
  for (const auto& [name, tensor] : sampleFile().tensors) {
    const auto begin = header[name]["data_offsets"][0].get<std::int64_t>();
    QVERIFY2(begin % elementSize(tensor.dtype) == 0, name.c_str());
  }
}

void TestSafetensors::readsEmptyFile() {
  QVERIFY(parse(fileOf("{}", 0, 2)) == TensorFile{});
  QVERIFY(parse(fileOf("{}      ", 0, 8)) == TensorFile{});
}

/// As the reference implementation, whatever type a tensor has that nobody needs.
void TestSafetensors::namesTensorsThatItDoesNotRead() {
  const std::string header =
      R"({"__metadata__":null,"q":{"dtype":"U32","shape":[2],"data_offsets":[0,8]},)"
      R"("w":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},)"
      R"("z":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[12,15]}})";
  const TensorFile file = parse(fileOf(header, 15, header.size()));
  QCOMPARE(file.tensors.size(), std::size_t{1});
  QCOMPARE(file.tensors.at("w").bytes.size(), std::size_t{4});
  QCOMPARE(file.unread, (std::map<std::string, std::string>{{"q", "U32"}, {"z", "F8_E4M3"}}));
  QVERIFY(file.metadata.empty());
}

void TestSafetensors::acceptsTheHeaderThatTheNextTestBreaks() {
  const std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  QCOMPARE(parse(fileOf(header, 8, header.size())).tensors.at("w").shape.front(), 2);
}

void TestSafetensors::refusesHostileHeader_data() {
  QTest::addColumn<QByteArray>("header");
  QTest::addColumn<int>("dataBytes");
  QTest::addColumn<QByteArray>("place");
  QTest::addColumn<QByteArray>("problem");
  const auto row = [](const char* name, const char* header, int dataBytes, const char* problem,
                      const char* place = "m.safetensors, tensor \"w\"") {
    QTest::newRow(name) << QByteArray(header) << dataBytes << QByteArray(place)
                        << QByteArray(problem);
  };
  const char* file = "m.safetensors";
  row("not JSON", "{x", 0, "not valid JSON", "m.safetensors, header, line 1, column 2");
  row("not UTF-8", "{\"\xFF\":1}", 0, "FF at offset 2", "m.safetensors, header");
  row("deep", R"({"w":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[)", 0,
      "deeper than 64", "m.safetensors, header");
  row("same name twice",
      R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
      2, "\"w\" appears twice", "m.safetensors, header");
  row("array", "[1]", 0, "the header is [1], expected a JSON object", file);
  row("entry of another kind", R"({"w":5})", 0, "the header has 5, expected an object");
  row("no dtype", R"({"w":{"shape":[2],"data_offsets":[0,8]}})", 8, "no field \"dtype\"");
  row("no shape", R"({"w":{"dtype":"F32","data_offsets":[0,8]}})", 8, "no field \"shape\"");
  row("no offsets", R"({"w":{"dtype":"F32","shape":[2]}})", 8, "no field \"data_offsets\"");
  row("dtype of another kind", R"({"w":{"dtype":32,"shape":[2],"data_offsets":[0,8]}})", 8,
      "the dtype is 32");
  row("negative shape", R"({"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8,
      "\"shape\" is [-2], expected whole numbers");
  row("fractional shape", R"({"w":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8,
      "\"shape\" is [2.0], expected whole numbers");
  row("shape of another kind", R"({"w":{"dtype":"F32","shape":"2","data_offsets":[0,8]}})", 8,
      "\"shape\" is \"2\"");
  row("shape beyond 2^63",
      R"({"w":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,8]}})", 8,
      "\"shape\" is [18446744073709551615]");
  row("shape that overflows to 8 bytes",
      R"({"w":{"dtype":"F32","shape":[4611686018427387905,2],"data_offsets":[0,8]}})", 8,
      "needs more than 2^63-1 bytes");
  row("shape that does not match", R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8,
      "that is 8 bytes; its shape and dtype need 12");
  row("three offsets", R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4,8]}})", 8,
      "has 3 numbers, expected 2");
  row("negative offset", R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}})", 8,
      "\"data_offsets\" is [-8,0]");
  row("end before begin", R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8,
      "ends before it begins");
  row("beyond the file", R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})", 8,
      "the file has only 8 bytes of data");
  row("huge tensor in a small file",
      R"({"w":{"dtype":"U8","shape":[9000000000000000000],"data_offsets":[0,9000000000000000000]}})",
      8, "the file has only 8 bytes of data");
  row("overlap",
      R"({"v":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"w":{"dtype":"U8","shape":[5],"data_offsets":[3,8]}})",
      8, "begins at 3, expected 4: it overlaps another tensor");
  row("the same bytes twice",
      R"({"v":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"w":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})",
      8, "it overlaps another tensor", "m.safetensors, tensor ");
  row("hole between",
      R"({"v":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"w":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
      8, "begins at 4, expected 3: the bytes between belong to no tensor");
  row("hole before", R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})", 8,
      "begins at 4, expected 0");
  row("hole after", R"({"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 8,
      "has 8 bytes of data, but its tensors only 4", file);
  row("metadata of another kind", R"({"__metadata__":[]})", 0, "the metadata is []", file);
  row("metadata not text", R"({"__metadata__":{"step":5}})", 0,
      "the metadata \"step\" is 5, expected a string", file);
  row("name with control characters", R"({"a\u0000\nb":5})", 0, "expected an object",
      "tensor \"a\\x00\\x0ab\"");
}

void TestSafetensors::refusesHostileHeader() {
  QFETCH(QByteArray, header);
  QFETCH(int, dataBytes);
  QFETCH(QByteArray, place);
  QFETCH(QByteArray, problem);
  const std::string file = fileOf(header.toStdString(), dataBytes, header.size());
  TFM_VERIFY_ERROR(parse(file), place);
  TFM_VERIFY_ERROR(parse(file), problem);
}

void TestSafetensors::refusesHostileLength() {
  TFM_VERIFY_ERROR(parse(std::string("\1\0\2", 3)), "m.safetensors: the file has 3 bytes, too few");
  TFM_VERIFY_ERROR(parse("abc"), "m.safetensors: this is text, not a model");
  TFM_VERIFY_ERROR(parse(fileOf("{}", 0, 3)), "claims 3 bytes, but only 2 follow");
  TFM_VERIFY_ERROR(parse(fileOf("{}", 0, ~std::uint64_t{0})), "claims 18446744073709551615 bytes");
  TFM_VERIFY_ERROR(parse(fileOf("", 0, 0)), "not valid JSON");
  const std::string large = fileOf("{}", kMaxSafetensorsHeader, kMaxSafetensorsHeader + 1);
  TFM_VERIFY_ERROR(parse(large), "at most 100000000 are read");
}

void TestSafetensors::refusesEveryTruncation() {
  const std::string file = readFile(golden("from_core.safetensors"), 10'000);
  for (std::size_t length = 0; length < file.size(); ++length)
    TFM_VERIFY_ERROR(parse(file.substr(0, length)), "m.safetensors");
}

void TestSafetensors::refusesToWriteReservedOrBrokenNames() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.safetensors").toStdString();
  const NamedTensor one = makeTensor({1}, std::vector<float>{1});
  TFM_VERIFY_ERROR(writeSafetensors(path, {{{"__metadata__", one}}, {}}), "reserves this name");
  TFM_VERIFY_ERROR(writeSafetensors(path, {{{"\xFF", one}}, {}}),
                   "a tensor's name: the text is not");
  TFM_VERIFY_ERROR(writeSafetensors(path, {{}, {{"note", "\xFF"}}}), "metadata \"note\"");
  const NamedTensor wrong{DType::F32, {2}, one.bytes};
  QVERIFY_EXCEPTION_THROWN(writeSafetensors(path, {{{"w", wrong}}, {}}), std::logic_error);
}

void TestSafetensors::keepsTheOldFileWhenRefusing() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.safetensors").toStdString();
  writeFile(path, "old");
  TFM_VERIFY_ERROR(writeSafetensors(path, {{}, {{"note", "\xFF"}}}), "UTF-8");
  QCOMPARE(readFile(path, 100), std::string("old"));
}

TFM_TEST(TestSafetensors)
#include "test_safetensors.moc"
