// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "core/io/atomic_file.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/read_file.h"
#include "tests/core/io/error_of.h"
#include "tests/core/io/sample.h"
#include "tests/test_program.h"

using namespace tfm::io;
using tfm::test::golden;

namespace {

/// What NumPy can hold.
NamedTensors sampleArrays() {
  NamedTensors tensors = tfm::test::sampleTensors();
  tensors.erase("brain");
  return tensors;
}

/// An array file of version 1 with this header.
std::string npyOf(const std::string& header, std::size_t dataBytes) {
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string(dataBytes, '\0');
}

NamedTensor parseArray(const std::string& file) {
  return parseNpy(std::as_bytes(std::span(file)), "a.npy");
}

NamedTensors parseArchive(const std::string& file, std::uint64_t maxBytes = kMaxNpzBytes) {
  return parseNpz(std::as_bytes(std::span(file)), "a.npz", maxBytes);
}

/// `file` with every occurrence of `before` replaced by `after`, which has the same length.
std::string replaced(std::string file, const std::string& before, const std::string& after) {
  for (auto at = file.find(before); at != file.npos; at = file.find(before, at + 1))
    file.replace(at, before.size(), after);
  return file;
}

}  // namespace

class TestNpz : public QObject {
  Q_OBJECT

 private slots:
  void roundTrips();
  void readsWhatNumpyWrites();
  void goldensHoldTheSample();
  void givesTheSameBytesForTheSameContent();
  void deflatesSmaller();
  void widensBFloat16();
  void readsHeaderVariants();
  void refusesHostileArray_data();
  void refusesHostileArray();
  void refusesBrokenPreamble();
  void refusesHostileArchive();
  void limitsWhatIsUnpacked();
  void refusesEveryTruncation();
  void refusesToWriteBrokenNames();
};

void TestNpz::roundTrips() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.npz").toStdString();
  for (const Compression compression : {Compression::Stored, Compression::Deflated}) {
    writeNpz(path, sampleArrays(), compression);
    QVERIFY(readNpz(path) == sampleArrays());
  }
  writeNpz(path, {});
  QVERIFY(readNpz(path).empty());
  const NamedTensors unicode{{"größe/ä", makeTensor({1}, std::vector<float>{1})}};
  writeNpz(path, unicode);
  QVERIFY(readNpz(path) == unicode);
}

void TestNpz::readsWhatNumpyWrites() {
  QVERIFY(readNpz(golden("from_numpy.npz")) == sampleArrays());
  QVERIFY(readNpz(golden("from_numpy_compressed.npz")) == sampleArrays());
}

void TestNpz::goldensHoldTheSample() {
  // Not byte for byte: the zip library may write its version.
  if (tfm::test::updatesGoldens()) {
    writeNpz(golden("from_core.npz"), sampleArrays());
    writeNpz(golden("from_core_compressed.npz"), sampleArrays(), Compression::Deflated);
  }
  QVERIFY(readNpz(golden("from_core.npz")) == sampleArrays());
  QVERIFY(readNpz(golden("from_core_compressed.npz")) == sampleArrays());
}

void TestNpz::givesTheSameBytesForTheSameContent() {
  const std::string first = npzBytes(sampleArrays(), Compression::Stored, "x");
  QTest::qWait(2100);  // longer than the resolution of a zip file's time
  QVERIFY(npzBytes(sampleArrays(), Compression::Stored, "x") == first);
}

void TestNpz::deflatesSmaller() {
  const NamedTensors zeros{{"z", makeTensor({10'000}, std::vector<float>(10'000))}};
  QVERIFY(npzBytes(zeros, Compression::Stored, "x").size() > 40'000);
  QVERIFY(npzBytes(zeros, Compression::Deflated, "x").size() < 1'000);
}

void TestNpz::widensBFloat16() {
  const NamedTensors brain{{"b", tfm::test::halfTensor(DType::BF16, {0x3F80, 0xC040})}};
  const NamedTensor found = parseArchive(npzBytes(brain, Compression::Stored, "x")).at("b");
  QVERIFY(found == makeTensor({2}, std::vector<float>{1, -3}));
}

void TestNpz::readsHeaderVariants() {
  const auto shape = [](const std::string& header, std::size_t bytes) {
    return parseArray(npyOf(header, bytes)).shape;
  };
  using Shape = std::vector<std::int64_t>;
  QVERIFY(shape("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }  \n", 8) ==
          Shape({2, 1}));
  QVERIFY(shape(R"({"shape":(2,),"descr":"<f4","fortran_order":False})", 8) == Shape({2}));
  QVERIFY(shape("{'descr':'<f4','fortran_order':True,'shape':(2,)}", 8) == Shape({2}));
  QVERIFY(shape("{'descr':'<f4','fortran_order':False,'shape':()}", 4).empty());
}

void TestNpz::refusesHostileArray_data() {
  QTest::addColumn<QByteArray>("header");
  QTest::addColumn<int>("dataBytes");
  QTest::addColumn<QByteArray>("problem");
  const auto row = [](const char* name, const char* header, int dataBytes, const char* problem) {
    QTest::newRow(name) << QByteArray(header) << dataBytes << QByteArray(problem);
  };
  row("objects", "{'descr':'|O','fortran_order':False,'shape':(2,)}", 8, "element type is \"|O\"");
  row("big-endian", "{'descr':'>f4','fortran_order':False,'shape':(2,)}", 8, "\">f4\", expected");
  row("structured", "{'descr':[('a','<f4')],'fortran_order':False,'shape':(2,)}", 8,
      "where ''' was expected");
  row("Fortran order", "{'descr':'<f4','fortran_order':True,'shape':(2,1)}", 8, "column by column");
  row("negative shape", "{'descr':'<f4','fortran_order':False,'shape':(-2,)}", 8, "whole number");
  row("shape beyond 2^63", "{'descr':'<f4','fortran_order':False,'shape':(9223372036854775808,)}",
      8, "whole number from 0 to 2^63-1");
  row("shape that overflows to 8 bytes",
      "{'descr':'<f4','fortran_order':False,'shape':(4611686018427387905,2)}", 8,
      "more than 2^63-1 bytes");
  row("too little data", "{'descr':'<f4','fortran_order':False,'shape':(3,)}", 8,
      "has 8 bytes of data; its shape and element type need 12");
  row("too much data", "{'descr':'<f4','fortran_order':False,'shape':(1,)}", 8, "need 4");
  row("missing field", "{'descr':'<f4','shape':(2,)}", 8, "lacks descr, fortran_order or shape");
  row("field twice", "{'descr':'<f4','descr':'<f4','shape':(2,)}", 8, "unexpected field \"descr\"");
  row("other field", "{'descr':'<f4','x':(2,)}", 8, "unexpected field \"x\"");
  row("no dictionary", "os.system('x')", 8, "where '{' was expected");
  row("open string", "{'descr", 8, "a closing quote");
  row("text behind", "{'descr':'<f4','fortran_order':False,'shape':(2,)} x", 8,
      "end of the header");
  row("no boolean", "{'descr':'<f4','fortran_order':0,'shape':(2,)}", 8, "True or False");
  row("empty", "", 8, "where '{' was expected");
}

void TestNpz::refusesHostileArray() {
  QFETCH(QByteArray, header);
  QFETCH(int, dataBytes);
  QFETCH(QByteArray, problem);
  TFM_VERIFY_ERROR(parseArray(npyOf(header.toStdString(), dataBytes)), problem);
  TFM_VERIFY_ERROR(parseArray(npyOf(header.toStdString(), dataBytes)), "a.npy: ");
}

void TestNpz::refusesBrokenPreamble() {
  const std::string file = npyBytes(makeTensor({2}, std::vector<float>{1, 2}));
  for (std::size_t length = 0; length < file.size(); ++length)
    TFM_VERIFY_ERROR(parseArray(file.substr(0, length)), "a.npy: ");
  TFM_VERIFY_ERROR(parseArray("PK\x03\x04 something else"), "does not begin as a NumPy array");
  TFM_VERIFY_ERROR(parseArray(replaced(file, "NUMPY\x01", "NUMPY\x09")), "version 9");
  // Version 2 has a length of four bytes.
  const std::string lying = std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12) + "{}";
  TFM_VERIFY_ERROR(parseArray(lying), "claims 4294967295 bytes");
}

void TestNpz::refusesHostileArchive() {
  const NamedTensors two{{"aaa", makeTensor({2}, std::vector<float>{1, 2})},
                         {"bbb", makeTensor({2}, std::vector<float>{3, 4})}};
  const std::string file = npzBytes(two, Compression::Stored, "x");
  QCOMPARE(parseArchive(file).size(), std::size_t{2});
  TFM_VERIFY_ERROR(parseArchive(""), "a.npz: the file is empty");
  TFM_VERIFY_ERROR(parseArchive("not an archive at all, just text"), "a.npz: zip archive: ");
  TFM_VERIFY_ERROR(parseArchive(replaced(file, "bbb.npy", "aaa.npy")), "\"aaa\": the archive has");
  TFM_VERIFY_ERROR(parseArchive(replaced(file, "bbb.npy", "bbb.exe")), "contains \"bbb.exe\"");
  TFM_VERIFY_ERROR(parseArchive(replaced(file, "bbb.npy",
                                         "b\xFF"
                                         "b.npy")),
                   "UTF-8");  // libzip says it, or we do
  const float four = 4;
  const float five = 5;
  const auto damaged = replaced(file, std::string(reinterpret_cast<const char*>(&four), 4),
                                std::string(reinterpret_cast<const char*>(&five), 4));
  TFM_VERIFY_ERROR(parseArchive(damaged), "array \"bbb\": zip archive: CRC error");
}

void TestNpz::limitsWhatIsUnpacked() {
  const NamedTensors zeros{{"a", makeTensor({25'000}, std::vector<float>(25'000))},
                           {"b", makeTensor({25'000}, std::vector<float>(25'000))}};
  const std::string bomb = npzBytes(zeros, Compression::Deflated, "x");
  QCOMPARE(parseArchive(bomb, 201'000).size(), std::size_t{2});
  TFM_VERIFY_ERROR(parseArchive(bomb, 200'000),
                   "array \"b\": the archive unpacks to too many bytes");
}

void TestNpz::refusesEveryTruncation() {
  const std::string file = npzBytes(sampleArrays(), Compression::Deflated, "x");
  for (std::size_t length = 0; length < file.size(); ++length)
    TFM_VERIFY_ERROR(parseArchive(file.substr(0, length)), "a.npz");
}

void TestNpz::refusesToWriteBrokenNames() {
  const NamedTensor one = makeTensor({1}, std::vector<float>{1});
  TFM_VERIFY_ERROR(npzBytes({{"", one}}, Compression::Stored, "a.npz"), "a.npz: an array has no");
  TFM_VERIFY_ERROR(npzBytes({{"\xFF", one}}, Compression::Stored, "a.npz"), "an array's name");
}

TFM_TEST(TestNpz)
#include "test_npz.moc"
