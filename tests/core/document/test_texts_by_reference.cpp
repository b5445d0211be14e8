// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of more than 1 MiB stay in their files; a document says which.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/data/document_paths.h"
#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/io/atomic_file.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/train/fit_task.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;
namespace fs = std::filesystem;

namespace {

/// Lines in Windows' way, which the task reads as others do.
std::string story(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) text += "line " + std::to_string(i * 7919 % 10007) + " of it\r\n";
  return text;
}

std::string longStory() { return story(80'000); }

/// A table whose label is the second column.
std::string reviews(int count, int first = 0) {
  std::string table;
  for (int i = first; i < first + count; ++i)
    table += "the film number " + std::to_string(i) + " is " + (i % 2 == 0 ? "a joy" : "a bore") +
             "\t" + (i % 2 == 0 ? "good" : "bad") + "\n";
  return table;
}

}  // namespace

class TestTextsByReference : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { qputenv("HOME", home_); }
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QVERIFY(folder_->isValid());
    forgetPlaces();
  }

  void aLongTextIsReadFromItsFile() {
    const Document document = textDocument(longStory());
    QVERIFY(document.task->text.size() > data::kMaxKeptBytes);
    saveDocument(path("m.safetensors"), document);
    QVERIFY(!holdsTexts("m.safetensors"));
    const Document opened = openDocument(path("m.safetensors"));
    QVERIFY(opened.task && data::isSameTask(*opened.task, *document.task));
    QVERIFY(!opened.codec && !opened.missing);
    Trainer a = trainerOf(opened), b = trainerOf(document);
    QCOMPARE(losses(a, 2), losses(b, 2));
    // Once more: what was opened is saved in the same way.
    saveDocument(path("n.safetensors"), opened);
    QVERIFY(bytes("n.safetensors") == bytes("m.safetensors"));
  }

  void aShortTextStaysInside() {
    const Document document = textDocument(story(500));
    saveDocument(path("m.safetensors"), document);
    QCOMPARE(*openDocument(path("m.safetensors")).task, *document.task);
    fs::remove(path("text.txt"));
    QVERIFY(data::isSameTask(*openDocument(path("m.safetensors")).task, *document.task));
    QVERIFY(holdsTexts("m.safetensors"));
  }

  void movesWithItsDocument() {
    fs::create_directory(path("here"));
    const Document document = textDocument(longStory(), "here/text.txt");
    fs::create_directory(path("here/models"));
    saveDocument(path("here/models/m.safetensors"), document);
    fs::rename(path("here"), path("there"));
    const Document opened = openDocument(path("there/models/m.safetensors"));
    QVERIFY(opened.task.has_value());
    QCOMPARE(opened.task->text, document.task->text);
    QCOMPARE(opened.task->path, path("there/text.txt"));
    // Moved alone, it is lost.
    fs::rename(path("there/models/m.safetensors"), path("m.safetensors"));
    QVERIFY(!openDocument(path("m.safetensors")).task);
  }

  /// What a document names says nothing about the machine that it was made on.
  void noPathOfTheAuthorIsSaved_data() {
    QTest::addColumn<bool>("is_long");
    QTest::newRow("text inside") << false;
    QTest::newRow("text by reference") << true;
  }
  void noPathOfTheAuthorIsSaved() {
    QFETCH(const bool, is_long);
    fs::create_directories(path("home/alice/texts"));
    fs::create_directories(path("home/alice/models"));
    fs::create_directories(path("usb"));
    qputenv("HOME", QByteArray::fromStdString(path("home/alice")));
    const Document document =
        textDocument(is_long ? longStory() : story(500), "home/alice/texts/text.txt");
    const auto stored = [&](const std::string& name) {
      saveDocument(path(name), document);
      const auto metadata = io::readSafetensors(path(name)).metadata;
      for (const auto& [key, value] : metadata)
        for (const std::string& part : {folder_->path().toStdString(), std::string("alice")})
          if (value.find(part) != value.npos) return key + " has " + part;
      if (!openDocument(path(name)).task) return std::string("it has lost its task");
      return data::taskConfigFromJson(metadata.at("task")).path;
    };
    QCOMPARE(stored("home/alice/models/m.safetensors"), std::string("../texts/text.txt"));
    QCOMPARE(stored("home/alice/m.safetensors"), std::string("texts/text.txt"));
    QCOMPARE(stored("home/alice/texts/m.safetensors"), std::string("text.txt"));
    // By its name where the way would lead out of the home folder.
    QCOMPARE(stored("usb/m.safetensors"), std::string("text.txt"));
    QCOMPARE(stored("home/m.safetensors"), std::string("text.txt"));
  }

  void aTextInAnotherFolderTreeIsRemembered() {
    fs::create_directories(path("home/alice"));
    fs::create_directories(path("usb"));
    qputenv("HOME", QByteArray::fromStdString(path("home/alice")));
    const Document document = textDocument(longStory(), "home/alice/text.txt");
    saveDocument(path("usb/m.safetensors"), document);
    const Document opened = openDocument(path("usb/m.safetensors"));
    QVERIFY(opened.task && data::isSameTask(*opened.task, *document.task));
    QCOMPARE(opened.task->path, path("home/alice/text.txt"));
    // Elsewhere it is found beside the document, if it is the same.
    forgetPlaces();
    QVERIFY(openDocument(path("usb/m.safetensors")).missing.has_value());
    io::writeFile(path("usb/text.txt"), "another");
    QVERIFY(openDocument(path("usb/m.safetensors")).missing.has_value());
    fs::copy_file(path("home/alice/text.txt"), path("usb/text.txt"),
                  fs::copy_options::overwrite_existing);
    QCOMPARE(openDocument(path("usb/m.safetensors")).task->path, path("usb/text.txt"));
  }

  /// Documents of before have the absolute path, too; saved again, they lose it.
  void anAbsolutePathOfBeforeIsFollowed() {
    const Document document = textDocument(longStory());
    fs::create_directory(path("copy"));
    io::TensorFile file = toTensorFile(document, nullptr, path("copy"));
    std::string& texts = file.metadata.at("texts");
    const std::string relative = R"("relative":"../text.txt")";
    QVERIFY(texts.find(relative) != texts.npos);
    texts.replace(texts.find(relative), relative.size(),
                  R"("path":")" + path("text.txt") + R"(","relative":"moved.txt")");
    forgetPlaces();
    io::writeSafetensors(path("copy/m.safetensors"), file);
    const Document opened = openDocument(path("copy/m.safetensors"));
    QVERIFY(opened.task && data::isSameTask(*opened.task, *document.task));
    saveDocument(path("copy/m.safetensors"), opened);
    QVERIFY(io::readSafetensors(path("copy/m.safetensors"))
                .metadata.at("texts")
                .find(folder_->path().toStdString()) == std::string::npos);
    QVERIFY(openDocument(path("copy/m.safetensors")).task.has_value());
  }

  /// A document may say anything.
  void whatIsNoHashIsNoNameOfAFile() {
    io::writeFile(path("here"), "/etc/passwd");
    data::rememberPlace("../../here", path("text.txt"));
    QCOMPARE(io::readFile(path("here"), 100), std::string("/etc/passwd"));
    for (const std::string hash : {"", "../../here", "0123456789abcde/", "0123456789ABCDEF"}) {
      data::rememberPlace(hash, path("text.txt"));
      QCOMPARE(data::rememberedPlace(hash), fs::path());
    }
    data::rememberPlace("0123456789abcdef", path("text.txt"));
    QCOMPARE(data::rememberedPlace("0123456789abcdef"), fs::path(path("text.txt")));
  }

  void aMovedTextLeavesAModelWithoutATask() {
    const Document document = textDocument(longStory());
    saveDocument(path("m.safetensors"), document);
    fs::rename(path("text.txt"), path("elsewhere.txt"));
    Document opened = openDocument(path("m.safetensors"));
    QVERIFY(!opened.task && opened.missing && opened.codec);
    QVERIFY(sameState(opened.state, document.state));
    const Error& problem = opened.missing->problem;
    QVERIFY(QByteArray::fromStdString(problem.problem()).contains("no longer there"));
    QCOMPARE(problem.where(), path("text.txt"));
    QVERIFY(QByteArray::fromStdString(problem.hint()).contains("--data"));
    TFM_VERIFY_ERROR(requireTask(opened), "no longer there");

    // It remembers which text that was, wherever it is saved, until it is there again.
    fs::create_directory(path("copy"));
    saveDocument(path("copy/m.safetensors"), opened);
    QVERIFY(openDocument(path("copy/m.safetensors")).missing.has_value());
    fs::rename(path("elsewhere.txt"), path("text.txt"));
    for (const char* file : {"m.safetensors", "copy/m.safetensors"}) {
      const Document again = openDocument(path(file));
      QVERIFY(again.task && data::isSameTask(*again.task, *document.task));
    }

    // Or is given again.
    fs::rename(path("text.txt"), path("elsewhere.txt"));
    data::TaskConfig found = *likelyTask(opened);
    found.path = path("elsewhere.txt");
    const data::TextReferences references = opened.missing->references;
    giveTask(opened, found);
    QVERIFY(data::hasTexts(*opened.task, references));
    Trainer a = trainerOf(opened), b = trainerOf(document);
    QCOMPARE(losses(a, 2), losses(b, 2));
  }

  void aChangedTextIsNotTakenForIt() {
    const Document document = textDocument(longStory());
    saveDocument(path("m.safetensors"), document);
    std::string text = longStory();
    std::swap(text[100'000], text[100'001]);
    const auto missing = [&](const std::string& content) {
      io::writeFile(path("text.txt"), content);
      return openDocument(path("m.safetensors")).missing;
    };
    QVERIFY(text != longStory());
    QVERIFY(missing(text).has_value());
    QVERIFY(QByteArray::fromStdString(missing(text)->problem.problem()).contains("differs"));
    QVERIFY(QByteArray::fromStdString(missing("short")->problem.problem()).contains("it has 5"));
    QVERIFY(QByteArray::fromStdString(missing("\xFF")->problem.problem()).contains("has changed"));
    // The same text with other line ends is the same text.
    std::string unix_ends = longStory();
    std::erase(unix_ends, '\r');
    QVERIFY(!missing(unix_ends).has_value());
  }

  /// A document from before, whose text is inside, or one whose file is gone by now.
  void aTextWithoutItsFileStaysInside_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<bool>("inside");
    QTest::newRow("no path") << QByteArray() << true;
    QTest::newRow("no file") << QByteArray("gone.txt") << true;
    QTest::newRow("another text") << QByteArray("other.txt") << true;
    QTest::newRow("the text") << QByteArray("text.txt") << false;
  }
  void aTextWithoutItsFileStaysInside() {
    QFETCH(const QByteArray, file);
    QFETCH(const bool, inside);
    Document document = textDocument(longStory());
    io::writeFile(path("other.txt"), longStory() + "more");
    document.task->path = file.isEmpty() ? "" : path(file.toStdString());
    saveDocument(path("m.safetensors"), document);
    QCOMPARE(holdsTexts("m.safetensors"), inside);
    for (const char* name : {"text.txt", "other.txt"}) fs::remove(path(name));
    const Document opened = openDocument(path("m.safetensors"));
    QCOMPARE(opened.task.has_value(), inside);
    if (!inside) return;
    QVERIFY(data::isSameTask(*opened.task, *document.task));
    QCOMPARE(opened.task->path, file.toStdString());  // no place, as there is none
    saveDocument(path("n.safetensors"), opened);
    QCOMPARE(*openDocument(path("n.safetensors")).task, *opened.task);
  }

  /// Tables are kept label first, whatever column it is in the file; folders work as well.
  void labelledTextsAndTheirTests() {
    io::writeFile(path("train.tsv"), reviews(30'000));
    io::writeFile(path("test.tsv"), reviews(100, 50'000));
    data::TaskConfig config = data::defaultTaskConfig("classes");
    config.tokenizer = "word";
    config.path = path("train.tsv");
    config.test_path = path("test.tsv");
    config.max_length = 16;
    const auto task = data::makeTask(config);
    const Document document = newDocument(modelFor("sentiment", *task), config, {});
    saveDocument(path("m.safetensors"), document);
    QVERIFY(!holdsTexts("m.safetensors"));
    const Document opened = openDocument(path("m.safetensors"));
    QVERIFY(opened.task && data::isSameTask(*opened.task, *document.task));

    fs::rename(path("test.tsv"), path("moved.tsv"));
    Document without = openDocument(path("m.safetensors"));
    QVERIFY(without.missing.has_value());
    QCOMPARE(without.missing->problem.where(), path("test.tsv"));
    QVERIFY(without.codec->targetVocabulary() == task->targetVocabulary());
    data::TaskConfig found = *likelyTask(without);
    found.test_path = path("moved.tsv");
    giveTask(without, found);
    QVERIFY(data::isSameTask(*without.task, *document.task));
  }

  void whatADocumentNamesIsNotReadIfItIsNoFile() {
    Document document = textDocument(longStory());
    io::TensorFile file = toTensorFile(document, nullptr, folder_->path().toStdString());
    std::string& texts = file.metadata.at("texts");
    const auto put = [&](const std::string& was, const std::string& is) {
      const std::size_t at = texts.find(was);
      QVERIFY(at != texts.npos);
      texts.replace(at, was.size(), is);
    };
    forgetPlaces();
    const auto open = [&] { return fromTensorFile(file, "file", folder_->path().toStdString()); };
    put("\"relative\":\"text.txt\"", "\"path\":\"/dev/zero\"");
    QCOMPARE(open().missing->problem.where(), std::string("/dev/zero"));
    put("/dev/zero", "/proc/cpuinfo");
    QVERIFY(QByteArray::fromStdString(open().missing->problem.problem()).contains("the kernel"));
    put("/proc/cpuinfo", "/proc/kmsg");  // it claims to be a file, and waits for the kernel
    QVERIFY(open().missing.has_value());
    put("/proc/kmsg", "text.txt");
    TFM_VERIFY_ERROR(fromTensorFile(file, "file"), "an absolute path");
    put("\"hash\"", "\"cash\"");
    TFM_VERIFY_ERROR(fromTensorFile(file, "file"), "file: texts");
  }

 private:
  /// As on another machine.
  void forgetPlaces() const {
    qputenv("XDG_CACHE_HOME",
            folder_->filePath("cache").toUtf8() + QByteArray::number(++machines_));
  }
  /// A new document that learns from a file with this text.
  Document textDocument(const std::string& text, const std::string& name = "text.txt") const {
    io::writeFile(path(name), text);
    data::TaskConfig config = data::defaultTaskConfig("text");
    config.path = path(name);
    TrainConfig train;
    train.batch_size = 2;
    return newDocument(decoderFor(*data::makeTask(config)), config, train);
  }

  bool holdsTexts(const std::string& name) const {
    const auto metadata = io::readSafetensors(path(name)).metadata;
    const bool held = !data::taskConfigFromJson(metadata.at("task")).text.empty();
    return held && !metadata.contains("texts");
  }
  std::string path(const std::string& name) const {
    return folder_->filePath(QString::fromStdString(name)).toStdString();
  }
  std::string bytes(const std::string& name) const { return io::readFile(path(name), 1 << 28); }

  std::unique_ptr<QTemporaryDir> folder_;
  const QByteArray home_ = qgetenv("HOME");
  mutable int machines_ = 0;
};

TFM_TEST(TestTextsByReference)
#include "test_texts_by_reference.moc"
