// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/io/message_text.h"
#include "core/io/utf8.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::io;

class TestUtf8 : public QObject {
  Q_OBJECT

 private slots:
  void roundTripsEveryLength();
  void namesTheFirstInvalidByte_data();
  void namesTheFirstInvalidByte();
  void refusesToEncodeSurrogates();
  void messageNamesOffsetAndUtf16();
  void writesOutWhatSteersATerminal_data();
  void writesOutWhatSteersATerminal();
  void findsACharacterThatIsCutOff();
  void quotesNamesSafely();
};

void TestUtf8::roundTripsEveryLength() {
  // The first and last character of each length, and those around the surrogates.
  const std::u32string all = {0,      0x7F,   0x80,   0x7FF,   0x800,
                              0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
  const std::string bytes = encodeUtf8(all);
  QCOMPARE(bytes.size(), std::size_t{1 + 1 + 2 + 2 + 3 + 3 + 3 + 3 + 4 + 4});
  QVERIFY(!firstInvalidUtf8(bytes));
  QVERIFY(decodeUtf8(bytes) == all);
  QVERIFY(encodeUtf8(U"é€𝄞") == "é€𝄞");
}

void TestUtf8::namesTheFirstInvalidByte_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<int>("offset");
  QTest::newRow("continuation alone") << QByteArray("ab\x80") << 2;
  QTest::newRow("Latin-1") << QByteArray("caf\xE9 au lait") << 3;
  QTest::newRow("cut short") << QByteArray("x\xE2\x82") << 1;
  QTest::newRow("overlong slash, 2 bytes") << QByteArray("\xC0\xAF") << 0;
  QTest::newRow("overlong, 3 bytes") << QByteArray("a\xE0\x80\xAF") << 1;
  QTest::newRow("overlong, 4 bytes") << QByteArray("a\xF0\x80\x80\xAF") << 1;
  QTest::newRow("surrogate") << QByteArray("a\xED\xA0\x80") << 1;
  QTest::newRow("above U+10FFFF") << QByteArray("a\xF4\x90\x80\x80") << 1;
  QTest::newRow("never a lead byte") << QByteArray("\xFF") << 0;
}

void TestUtf8::namesTheFirstInvalidByte() {
  QFETCH(QByteArray, text);
  QFETCH(int, offset);
  const auto found = firstInvalidUtf8(text.toStdString());
  QVERIFY(found);
  QCOMPARE(static_cast<int>(*found), offset);
  TFM_VERIFY_ERROR(decodeUtf8(text.toStdString(), "somewhere"),
                   "at offset " + QByteArray::number(offset));
}

void TestUtf8::refusesToEncodeSurrogates() {
  TFM_VERIFY_ERROR(encodeUtf8(std::u32string{char32_t{0xD800}}), "55296");
  TFM_VERIFY_ERROR(encodeUtf8(std::u32string{char32_t{0x110000}}), "not a Unicode character");
}

void TestUtf8::messageNamesOffsetAndUtf16() {
  TFM_VERIFY_ERROR(requireUtf8("ab\xC3(", "notes.txt"),
                   "notes.txt: the text is not UTF-8: hexadecimal byte C3");
  TFM_VERIFY_ERROR(requireUtf8("\xFF\xFEh", "notes.txt"), "looks like UTF-16");
  TFM_VERIFY_ERROR(requireUtf8(std::string_view("\x7F"
                                                "ELF\0\xFF",
                                                6),
                               "program"),
                   "a binary file");
  TFM_VERIFY_ERROR(requireUtf8("caf\xE9", "notes.txt"), "Save it again");
}

void TestUtf8::writesOutWhatSteersATerminal_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("plain");
  const auto row = [](const char* name, const QByteArray& text, const QByteArray& plain) {
    QTest::newRow(name) << text << plain;
  };
  row("text", "Grüße,\t\"日本\" 😀\n", "Grüße,\t\"日本\" 😀\n");
  row("C0", QByteArray("a\0b\x1b[31m\r\x07", 10), "a\\x00b\\x1b[31m\\x0d\\x07");
  row("DEL", "a\x7f", "a\\u007f");
  row("C1", "\u0080 \u009b31m \u009f \u00a0", "\\u0080 \\u009b31m \\u009f \u00a0");
  row("overrides", "\u202a\u202e\u202f", "\\u202a\\u202e\u202f");
  row("isolates", "\u2065\u2066\u2069\u206a", "\u2065\\u2066\\u2069\u206a");
  row("marks", "\u200e\u200f\u200d", "\u200e\u200f\u200d");  // as plain texts need them
  row("not UTF-8", "a\x9b\xff\xc3(", "a\\x9b\\xff\\xc3(");
  row("overlong", "\xc0\x9b\xe0\x82\x9b", "\\xc0\\x9b\\xe0\\x82\\x9b");
  row("cut off", "a\xe2\x80", "a\\xe2\\x80");
}

void TestUtf8::writesOutWhatSteersATerminal() {
  QFETCH(const QByteArray, text);
  QFETCH(const QByteArray, plain);
  QCOMPARE(QByteArray::fromStdString(plainText(text.toStdString())), plain);
  QCOMPARE(QByteArray::fromStdString(plainText(plain.toStdString())), plain);
}

void TestUtf8::findsACharacterThatIsCutOff() {
  for (const std::string character : {"a", "é", "日", "😀"})
    for (std::size_t kept = 1; kept <= character.size(); ++kept)
      for (const std::string before : {"", "x", "é"})
        QCOMPARE(cutBytes(before + character.substr(0, kept)),
                 kept == character.size() ? std::size_t(0) : kept);
  QCOMPARE(cutBytes(""), std::size_t(0));
  QCOMPARE(cutBytes("\x80\x80"), std::size_t(0));
  QCOMPARE(cutBytes("é\x80"), std::size_t(0));
}

void TestUtf8::quotesNamesSafely() {
  QCOMPARE(inQuotes("a\nb\x1B"), std::string("\"a\\x0ab\\x1b\""));
  QCOMPARE(shortened("aé", 3), std::string("aé"));
  QCOMPARE(shortened("aéz", 2), std::string("a..."));
  QVERIFY(inQuotes(std::string(5000, 'x')).size() < 110);
}

TFM_TEST(TestUtf8)
#include "test_utf8.moc"
