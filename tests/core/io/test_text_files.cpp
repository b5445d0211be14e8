// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/io/atomic_file.h"
#include "core/io/file_kind.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/io/tsv.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::io;

class TestTextFiles : public QObject {
  Q_OBJECT

 private slots:
  void readsText();
  void refusesWhatIsNoText();
  void readsTwoColumns();
  void skipsEmptyLinesButCountsThem();
  void refusesWrongColumns();
  void ignoresFurtherColumnsOnRequest();
  void tellsWhatAFileIs();
  void aCutCharacterIsStillText();
};

void TestTextFiles::readsText() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.txt").toStdString();
  writeFile(path, "Grüße\r\n");
  QCOMPARE(readTextFile(path), std::string("Grüße\r\n"));
  QCOMPARE(checkedText("\xEF\xBB\xBFtext", "x"), std::string("text"));  // byte order mark
}

void TestTextFiles::refusesWhatIsNoText() {
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.txt").toStdString();
  TFM_VERIFY_ERROR(readTextFile(path), "No such file");
  TFM_VERIFY_ERROR(readTextFile(folder.path().toStdString()), "this is a folder");
  writeFile(path, "");
  TFM_VERIFY_ERROR(readTextFile(path), "a.txt: the file is empty");
  writeFile(path, "ok\xE9");
  TFM_VERIFY_ERROR(readTextFile(path),
                   "a.txt: the text is not UTF-8: hexadecimal byte E9 at offset 2");
  writeFile(path, "12345");
  TFM_VERIFY_ERROR(readTextFile(path, 4), "at most 4");
  TFM_VERIFY_ERROR(checkedText("\xEF\xBB\xBF", "x"), "empty");
}

void TestTextFiles::readsTwoColumns() {
  const std::vector<TextPair> expected{{"Go.", "Va !", 1}, {"Run!", "Cours !", 2}};
  QVERIFY(parseTsv("Go.\tVa !\nRun!\tCours !\n", "x") == expected);
  QVERIFY(parseTsv("Go.\tVa !\r\nRun!\tCours !", "x") == expected);
}

void TestTextFiles::skipsEmptyLinesButCountsThem() {
  const std::vector<TextPair> expected{{"a", "b", 1}, {"c", "d", 4}};
  QVERIFY(parseTsv("a\tb\n\n\r\nc\td\n\n", "x") == expected);
  TFM_VERIFY_ERROR(parseTsv("a\tb\n\n\r\nc\n", "x"), "x, line 4: found 1 column,");
}

void TestTextFiles::refusesWrongColumns() {
  TFM_VERIFY_ERROR(parseTsv("a\tb\nc\td\te\n", "p.tsv"),
                   "p.tsv, line 2: found 3 columns, expected 2");
  TFM_VERIFY_ERROR(parseTsv("a\tb\nalone", "p.tsv"), "line 2: found 1 column, expected 2");
  TFM_VERIFY_ERROR(parseTsv("\tb\n", "p.tsv"), "line 1: column 1 is empty");
  TFM_VERIFY_ERROR(parseTsv("a\t\r\n", "p.tsv"), "line 1: column 2 is empty");
  TFM_VERIFY_ERROR(parseTsv("\n\n", "p.tsv"), "no row");
}

void TestTextFiles::ignoresFurtherColumnsOnRequest() {
  const std::vector<TextPair> expected{{"Go.", "Va !", 1}};
  QVERIFY(parseTsv("Go.\tVa !\tCC-BY 2.0\t\n", "x", ExtraColumns::Ignore) == expected);
  TFM_VERIFY_ERROR(parseTsv("Go.\n", "x", ExtraColumns::Ignore), "found 1 column");
}

void TestTextFiles::tellsWhatAFileIs() {
  const QTemporaryDir folder;
  const auto path = [&](const char* name) { return folder.filePath(name).toStdString(); };
  const NamedTensors tensors{{"a", makeTensor({2}, std::vector<float>{1, 2})}};
  writeSafetensors(path("model"), {tensors, {}});
  QCOMPARE(fileKind(path("model")), FileKind::Tensors);
  writeNpz(path("weights.npz"), tensors);
  QCOMPARE(fileKind(path("weights.npz")), FileKind::Archive);
  writeFile(path("book"), "Grüße, aus der Ferne\n\tund aus der Nähe");
  QCOMPARE(fileKind(path("book")), FileKind::Text);
  writeFile(path("pairs.txt"), "one\teins\ntwo\tzwei\n");
  QCOMPARE(fileKind(path("pairs.txt")), FileKind::Table);
  writeFile(path("reviews.csv"), "text,label\ngood,1\n");
  QCOMPARE(fileKind(path("reviews.csv")), FileKind::Table);
  writeFile(path("reviews"), "text,label\ngood,1\n");  // commas alone are no table
  QCOMPARE(fileKind(path("reviews")), FileKind::Text);
  writeFile(path("broken"), std::string("\x10\0\0\0\0\0\0\0[]", 10));
  QCOMPARE(fileKind(path("broken")), FileKind::Other);
  writeFile(path("empty"), "");
  QCOMPARE(fileKind(path("empty")), FileKind::Other);
  QCOMPARE(fileKind(path("missing")), FileKind::Other);
  QCOMPARE(fileKind("/dev/zero"), FileKind::Other);
  QCOMPARE(fileKind("/proc/kmsg"), FileKind::Other);
  QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
  QCOMPARE(fileKind(path("pipe")), FileKind::Other);
  QCOMPARE(fileKind(folder.path().toStdString()), FileKind::Folder);
  TFM_VERIFY_ERROR(readSafetensors(path("book")), "this is text, not a model");
  // Said before all of it is read.
  writeFile(path("library"), std::string(1000, 'x'));
  std::filesystem::resize_file(path("library"), 2 * kMaxSafetensorsBytes);
  TFM_VERIFY_ERROR(readSafetensors(path("library")), "this is text, not a model");
}

void TestTextFiles::aCutCharacterIsStillText() {
  QVERIFY(looksLikeText("Gr\xC3"));
  QVERIFY(!looksLikeText("\xC3 and so on"));
  QVERIFY(!looksLikeText(std::string_view("a\0b", 3)));
  QVERIFY(!looksLikeText(""));
  const QTemporaryDir folder;
  const auto path = folder.filePath("a.txt").toStdString();
  writeFile(path, "one\ntwo\nthree");
  QCOMPARE(firstLines(path, 6), std::string("one\n"));
  QCOMPARE(firstLines(path, 100), std::string("one\ntwo\nthree"));
}

TFM_TEST(TestTextFiles)
#include "test_text_files.moc"
