// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "core/io/atomic_file.h"
#include "core/io/file_kind.h"
#include "core/io/foreign_format.h"
#include "core/io/gzip.h"
#include "core/io/npz.h"
#include "core/io/text_file.h"
#include "core/io/text_table.h"
#include "tests/core/io/error_of.h"
#include "tests/core/io/packed.h"
#include "tests/test_program.h"

using namespace tfm::io;

namespace {

using Cells = std::vector<std::vector<std::string>>;

Cells cellsOf(const std::string& text) {
  Cells cells;
  for (CsvRow& row : readTable(text, "t").rows) cells.push_back(std::move(row.cells));
  return cells;
}

}  // namespace

class TestTextTable : public QObject {
  Q_OBJECT

 private slots:
  void everySeparatorGivesTheSameCells_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<char>("separator");
    const auto row = [](const char* name, const char* text, char separator) {
      QTest::newRow(name) << QByteArray(text) << separator;
    };
    row("commas", "text,label\na film,1\nb,0\n", ',');
    row("commas and blanks", "text, label\na film , 1\n\"b\" ,\t0\n", ',');
    row("semicolons", "text;label\na film;1\r\nb;0", ';');
    row("tabs", "text\tlabel\r\na film\t1\n\nb\t0\n", '\t');
    row("named comma", "sep=,\ntext,label\na film,1\nb,0\n", ',');
    row("named semicolon", "sep=;\r\ntext;label\r\na film;1\r\nb;0\r\n", ';');
    row("named in quotes", "\"sep=;\"\ntext;label\na film;1\nb;0\n", ';');
    row("named bar", "sep=|\ntext|label\na film|1\nb|0\n", '|');
    row("named tab", "sep=\t\ntext\tlabel\na film\t1\nb\t0\n", '\t');
  }

  void everySeparatorGivesTheSameCells() {
    QFETCH(QByteArray, text);
    QFETCH(char, separator);
    QCOMPARE(readTable(text.toStdString(), "t").separator, separator);
    QCOMPARE(cellsOf(text.toStdString()), (Cells{{"text", "label"}, {"a film", "1"}, {"b", "0"}}));
  }

  void quotesKeepWhatIsInThem() {
    QCOMPARE(cellsOf("a;b\n \" x;y \" ;\"z\"\n"), (Cells{{"a", "b"}, {" x;y ", "z"}}));
    QCOMPARE(cellsOf("a,b\n\"=1+1\",\"say \"\"no\"\"\"\n"),
             (Cells{{"a", "b"}, {"=1+1", "say \"no\""}}));
    // Commas in a cell do not matter where semicolons separate, nor the other way round.
    QCOMPARE(cellsOf("text;label\na, b;1\n"), (Cells{{"text", "label"}, {"a, b", "1"}}));
    QCOMPARE(cellsOf("text,label\na; b,1\n"), (Cells{{"text", "label"}, {"a; b", "1"}}));
  }

  void anUnclearSeparatorIsRefused() {
    // Only one of both gives rows of equally many cells.
    QCOMPARE(cellsOf("a;b,c\nd;e\n"), (Cells{{"a", "b,c"}, {"d", "e"}}));
    TFM_VERIFY_ERROR(cellsOf("a;b,c\nd;e,f\n"), "commas and semicolons");
    TFM_VERIFY_ERROR(cellsOf("a;b,c\nd;e,f\n"), "sep=;");
    QCOMPARE(cellsOf("sep=;\na;b,c\nd;e,f\n"), (Cells{{"a", "b,c"}, {"d", "e,f"}}));
  }

  void onlyMarksSeparate() {
    for (const char c : {'\0', '"', 'a', '1', ' ', '\x7F'}) {
      const std::string line = std::string("sep=") + c;
      QVERIFY2(tfm::test::errorOf([&] {
                 const TextTable table = readTable(line + "\n", "t");
                 QCOMPARE(table.separator, ',');
                 QCOMPARE(table.rows.size(), std::size_t{1});
               }) == "no error" ||
                   c == '"',
               line.c_str());
      // What a reader of cells is given, it reads to the end.
      QCOMPARE(parseCsv("ab", "t", {.separator = c, .trims = true}).size(), std::size_t{1});
    }
  }

  void linesKeepTheirNumbers() {
    TFM_VERIFY_ERROR(cellsOf("sep=;\na;b\n\nc\n"), "t, line 4");
    QCOMPARE(readTable("sep=\t\na\tb\n", "t").rows.front().line, 2U);
    QCOMPARE(readTable("\na\tb\n", "t").rows.front().line, 2U);
  }

  void otherFormatsAreNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("what");
    QTest::newRow("lines") << QByteArray("{\"text\": \"a\", \"label\": 1}\n{\"text\": \"b\"}\n")
                           << QByteArray("JSON lines");
    QTest::newRow("object") << QByteArray("{\n  \"a\": 1\n}\n") << QByteArray("this is JSON");
    QTest::newRow("array") << QByteArray("[{\"a\": 1}, {\"a\": 2}]") << QByteArray("this is JSON");
    QTest::newRow("xml") << QByteArray("<?xml version='1.0'?>\n<a/>") << QByteArray("this is XML");
    QTest::newRow("page") << QByteArray("<!DOCTYPE HTML>\n<p>a") << QByteArray("web page");
    QTest::newRow("braces are text") << QByteArray("{a}\t1\n[b]\t2\n") << QByteArray("no error");
  }

  void otherFormatsAreNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, what);
    TFM_VERIFY_ERROR(cellsOf(text.toStdString()), what);
  }

  void binaryFilesAreNamed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("what");
    const auto row = [](const char* name, std::string_view bytes, const char* what) {
      QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << QByteArray(what);
    };
    using namespace std::string_view_literals;
    row("xlsx", "PK\x03\x04\x14\0\0\0[Content_Types].xmlPK\x03\x04xl/workbook.xml"sv,
        "an Excel workbook (.xlsx)");
    row("docx", "PK\x03\x04\x14\0\0\0word/document.xml"sv, "a Word document");
    row("ods", "PK\x03\x04\0\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet"sv, ".ods");
    row("pytorch", "PK\x03\x04\0\0\0model/data.pkl"sv, "a PyTorch file");
    row("zip", "PK\x03\x04\0\0\0a.txt"sv, "a ZIP archive");
    row("xls", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"sv, "old Excel");
    row("parquet", "PAR1\0\x01\x02"sv, "a Parquet file");
    row("pdf", "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n"sv, "a PDF document");
    row("png", "\x89PNG\r\n\x1A\n\0"sv, "a PNG picture");
    row("jpeg", "\xFF\xD8\xFF\xE0"sv, "a JPEG picture");
    row("pickle", "\x80\x04\x95\x10\0\0"sv, "a Python pickle");
    row("npy", "\x93NUMPY\x01\0"sv, "a NumPy array");
    row("sqlite", "SQLite format 3\0"sv, "an SQLite database");
    row("tensors", "\x10\0\0\0\0\0\0\0{\"a\":0}"sv, "a file of tensors");
    row("text", "PAR1 is how a sentence may begin"sv, "no error");
    row("utf-16", "\xFF\xFEt\0\t\0"sv, "text in UTF-16");
    row("utf-16, most significant first", "\xFE\xFF\0t\0\t"sv, "Save it again as UTF-8");
    row("utf-16 without a mark", "t\0e\0x\0t\0,\0"sv, "text in UTF-16");
    row("utf-16 without a mark, most significant first", "\0t\0e\0x\0t"sv, "text in UTF-16");
    row("unknown", "\x01\x02\xFF"sv, "not UTF-8");
  }

  void binaryFilesAreNamed() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, what);
    TFM_VERIFY_ERROR(checkedText(bytes.toStdString(), "f"), what);
  }

  void compressedTextIsRead() {
    std::mt19937 random(1);
    std::string text;
    for (int i = 0; i < 300'000; ++i) text += char('a' + random() % 26);
    QCOMPARE(gunzip(tfm::test::packed(text), text.size(), "g"), text);
    QCOMPARE(gunzip(tfm::test::packed("a\n") + tfm::test::packed("b\n"), 10, "g"),
             std::string("a\nb\n"));
    QCOMPARE(gunzip(tfm::test::packed("a\n") + std::string(7, '\0'), 10, "g"), std::string("a\n"));
    QCOMPARE(gunzipBeginning(tfm::test::packed(text), 1000), text.substr(0, 1000));

    const QTemporaryDir folder;
    const auto path = folder.filePath("t.csv.gz").toStdString();
    writeFile(path, tfm::test::packed("text,label\na,1\n"));
    QCOMPARE(readTextFile(path), std::string("text,label\na,1\n"));
    QCOMPARE(fileKind(path), FileKind::Table);
    QCOMPARE(firstLines(path, 12), std::string("text,label\n"));
    writeFile(path, tfm::test::packed("PAR1\x01\x02"));
    TFM_VERIFY_ERROR(readTextFile(path), "a Parquet file");
    writeFile(path, tfm::test::packed(tfm::test::packed("text")));
    TFM_VERIFY_ERROR(readTextFile(path), "by gzip twice");
  }

  void damagedCompressedTextIsRefused() {
    const std::string bytes = tfm::test::packed("some text that is long enough");
    for (std::size_t length = 2; length < bytes.size(); ++length)
      TFM_VERIFY_ERROR(gunzip(bytes.substr(0, length), 1000, "g"), "g: the file is compressed");
    // Past the header, parts of which are free, and but for the bits that fill up the last byte.
    constexpr std::size_t kHeader = 10, kTrailer = 8;
    for (std::size_t at = kHeader; at < bytes.size(); ++at) {
      if (at == bytes.size() - kTrailer - 1) continue;
      std::string wrong = bytes;
      wrong[at] = char(wrong[at] ^ 0x10);
      TFM_VERIFY_ERROR(gunzip(wrong, 1000, "g"), "damaged");
    }
    TFM_VERIFY_ERROR(gunzip(bytes + "more", 1000, "g"), "damaged");
  }

  void whatUnpacksToTooMuchIsRefused() {
    const std::string bomb = tfm::test::packed(std::string(std::size_t{32} << 20, 'a'));
    QVERIFY(bomb.size() < 40'000);
    TFM_VERIFY_ERROR(gunzip(bomb, 1 << 20, "g"), "unpacks to more than the 1048576 bytes");
    QCOMPARE(gunzipBeginning(bomb, 100).size(), 100U);
  }

  void oldLineEndsAreRead() {
    QCOMPARE(textOfFile("a,b\rc,d\r", "t"), std::string("a,b\nc,d\n"));
    QCOMPARE(textOfFile("a\rb\nc", "t"), std::string("a\rb\nc"));  // not the ends of its lines
    QCOMPARE(textOfFile("a\r\nb", "t"), std::string("a\r\nb"));
  }

  void blanksGo() {
    QCOMPARE(withoutWhiteSpace(" \t a b\xC2\xA0 \r"), std::string_view("a b"));
    QCOMPARE(withoutWhiteSpace(" \xC2\xA0 "), std::string_view());
    QCOMPARE(withoutWhiteSpace("\xC2"), std::string_view("\xC2"));
  }

  void arraysThatNobodyAsksForAreNotRead() {
    // One of them has no type that is read, another is from macOS.
    NamedTensors tensors{{"inputs", makeTensor({1}, std::vector<float>{1})},
                         {"names", makeTensor({1}, std::vector<float>{2})}};
    std::string bytes = npzBytes(tensors, Compression::Stored, "n");
    for (std::size_t at = bytes.find("names"); at != bytes.npos; at = bytes.find("names", at + 1))
      bytes.replace(at, 5, "nam/s");
    const auto parse = [&](const std::set<std::string>& wanted) {
      return parseNpz(std::as_bytes(std::span(bytes)), "n", kMaxNpzBytes, wanted);
    };
    QCOMPARE(parse({"inputs"}).size(), 1U);
    QVERIFY(parse({"inputs"}).contains("inputs"));
    QCOMPARE(parse({"targets"}).size(), 0U);
    QCOMPARE(parse({}).size(), 2U);
    tensors["__MACOSX/._inputs"] = tensors["inputs"];
    bytes = npzBytes(tensors, Compression::Stored, "n");
    QCOMPARE(parse({}).size(), 2U);
  }
};

TFM_TEST(TestTextTable)
#include "test_text_table.moc"
