// SPDX-License-Identifier: GPL-3.0-or-later
// The New run dialog with files of labelled texts: statistics, errors and starting.
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <future>
#include <map>

#include "core/backend/registry.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/views/new_run_steps.h"
#include "tests/ui/views/test_document.h"
#include "ui/views/experiment/data_summary.h"
#include "ui/views/experiment/device_chooser.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/run_columns.h"
#include "ui/views/experiment/task_column.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/path_row.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr int kCharacters = 0, kWordPiece = 3;  // in the list of tokenizers
constexpr int kMaxLength = 8;
constexpr int kMinCount = 2;  // a rarer word is unknown

struct Row {
  int label;
  QStringList words;
};

/// `count` reviews of 1 to 11 words; about a third of them are bad, and a word of some is rare.
std::vector<Row> reviews(int count, int first) {
  std::vector<Row> rows;
  for (int i = first; i < first + count; ++i) {
    const bool bad = i % 3 == 0;
    Row row{bad ? 0 : 1, {}};
    for (int word = 0; word <= (i * 7) % 11; ++word)
      row.words << QStringLiteral("%1%2").arg(bad ? "bad" : "good").arg("abcdefg"[(i + word) % 7]);
    if (i % 5 == 0) row.words << QStringLiteral("rare") + QString(1 + i % 90, 'x');
    rows.push_back(row);
  }
  return rows;
}

QString written(const QTemporaryDir& folder, const QString& name, const std::vector<Row>& rows) {
  QFile file(folder.filePath(name));
  if (!file.open(QIODevice::WriteOnly)) return {};
  for (const Row& row : rows)
    file.write(QByteArray::number(row.label) + '\t' + row.words.join(' ').toUtf8() + '\n');
  return file.fileName();
}

}  // namespace

class TestNewRunDialog : public QObject, private NewRunBench {
  Q_OBJECT

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void theFileIsCountedAsAPlainLoopCountsIt() {
    const std::vector<Row> training = reviews(120, 0);
    const std::vector<Row> test = reviews(40, 1000);
    choose("sentiment");
    type(editor("max_length"), QString::number(kMaxLength));
    type(path("path"), written(folder_, "train.tsv", training));
    type(path("test_path"), written(folder_, "test.tsv", test));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);

    std::map<QString, int> seen;
    for (const Row& row : training)
      for (const QString& word : row.words) ++seen[word];
    qint64 tokens = 0, unknown = 0, cut = 0;
    std::array<std::vector<qint64>, 2> lengths;
    std::array<std::array<qint64, 2>, 2> classes{};  // by side and label
    for (const bool is_test : {false, true}) {
      lengths[is_test].assign(kMaxLength, 0);
      for (const Row& row : is_test ? test : training) {
        const qint64 length = std::min<qint64>(row.words.size(), kMaxLength);
        ++classes[is_test][std::size_t(row.label)];
        ++lengths[is_test][std::size_t(length - 1)];
        cut += row.words.size() > kMaxLength;
        tokens += length;
        for (qsizetype i = 0; i < length; ++i) unknown += seen[row.words[i]] < kMinCount;
      }
    }
    QVERIFY(unknown > 0 && cut > 0);

    QCOMPARE(column(data().lengths(), kTraining), lengths[0]);
    QCOMPARE(column(data().lengths(), kHeldOut), lengths[1]);
    const DataTable shown = data().classes().figureData();
    QCOMPARE(shown.rows.size(), std::size_t(2));
    for (const QStringList& row : shown.rows) {
      const auto label = std::size_t(row[0] == "positive");
      QCOMPARE(row[kTraining].toLongLong(), classes[0][label]);
      QCOMPARE(row[kHeldOut].toLongLong(), classes[1][label]);
    }
    QCOMPARE(shown.rows[0][0], QString("positive"));  // the larger one first
    QVERIFY(data().amount().text().contains("120"));
    QVERIFY(data().amount().text().contains("40"));
    const QString notice = data().notice().text();
    QVERIFY(notice.contains(QStringLiteral("%1 texts").arg(cut)));
    QVERIFY(notice.contains(QStringLiteral("truncated to %1 tokens").arg(kMaxLength)));
    QVERIFY(notice.contains(QStringLiteral("%1\u00a0% of the tokens are unknown")
                                .arg(100.0 * unknown / tokens, 0, 'f', 1)));
    QCOMPARE(role(data().notice()), QByteArray("bad"));
    QVERIFY(data().samples().text().contains("<b>negative</b>"));
    QVERIFY(data().samples().text().contains("<b>positive</b>"));
  }

  void lossesAreReportedOnlyIfThereAreAny() {
    choose("sentiment");
    type(path("path"), written(folder_, "train.tsv", reviews(120, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    QVERIFY(!data().notice().isHidden());  // rare words
    QCOMPARE(role(data().notice()), QByteArray("muted"));
    QVERIFY(!data().notice().text().contains("cut"));
    std::vector<Row> plain = reviews(120, 0);
    for (Row& row : plain) row.words = row.words.filter(QRegularExpression("^(good|bad)"));
    type(path("path"), written(folder_, "plain.tsv", plain));
    QTRY_VERIFY2(data().notice().isHidden(), qPrintable(data().notice().text()));
  }

  void whatIsAssumedOfAFileIsShown() {
    QFile file(folder_.filePath("head.tsv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("tweet\tlabel\n");
    for (const Row& row : reviews(60, 0))
      file.write(row.words.join(' ').toUtf8() + (row.label == 0 ? "\tbad\n" : "\tgood\n"));
    file.close();
    for (const char* kind : {"sentiment", "classes"}) {
      choose(kind);
      type(path("path"), file.fileName());
      QTRY_VERIFY2(data().assumed().text().contains("is read as the header"), kind);
      QVERIFY(data().assumed().text().contains(QStringLiteral("“no”")));
      QCOMPARE(column(data().classes(), kTraining).size(), 2U);
      auto& header = dynamic_cast<QComboBox&>(editor("header"));
      header.setCurrentIndex(2);
      emit header.activated(2);
      QTRY_COMPARE(column(data().classes(), kTraining).size(), 3U);
      QVERIFY(data().assumed().isHidden());
    }
    choose("sentiment");  // whose labels stand last
    type(path("path"), written(folder_, "plain.tsv", reviews(60, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    QVERIFY(data().assumed().isHidden());
  }

  void largeLossesWarn() {
    std::vector<Row> strange = reviews(60, 0);
    for (std::size_t i = 0; i < strange.size(); ++i)
      strange[i].words = {"good", "film", QStringLiteral("rare") + QString(int(i) + 1, 'x')};
    choose("sentiment");
    type(path("path"), written(folder_, "strange.tsv", strange));
    QTRY_VERIFY(data().notice().text().contains("33\u00a0% of the tokens are unknown"));
    QCOMPARE(role(data().notice()), QByteArray("bad"));
    for (std::size_t i = 0; i < strange.size(); ++i)
      strange[i].words = QStringList(i % 6 == 0 ? 7 : 2 + int(i % 3), "film");
    type(path("path"), written(folder_, "long.tsv", strange));
    type(editor("max_length"), "6");
    QTRY_VERIFY(
        data().notice().text().startsWith("10 texts (17\u00a0%) are truncated to 6 tokens"));
    QCOMPARE(role(data().notice()), QByteArray("bad"));
  }

  void theTestFileIsUsedForEvaluation() {
    choose("sentiment");
    type(path("path"), written(folder_, "train.tsv", reviews(100, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    const auto total = [this](int side) {
      const std::vector<qint64> counts = column(data().classes(), side);
      return counts[0] + counts[1];
    };
    QCOMPARE(total(kTraining) + total(kHeldOut), qint64(100));
    QVERIFY(total(kHeldOut) < 30);
    QVERIFY(!editor("held_out").isHidden());
    type(path("test_path"), written(folder_, "test.tsv", reviews(33, 500)));
    QTRY_COMPARE(total(kHeldOut), qint64(33));
    QCOMPARE(total(kTraining), qint64(100));
    QVERIFY(editor("held_out").isHidden());  // nothing is held out of the first file
    type(path("test_path"), "");
    QTRY_COMPARE(total(kTraining) + total(kHeldOut), qint64(100));
  }

  void errorsAreShownAtTheirField() {
    const QString good = written(folder_, "train.tsv", reviews(60, 0));
    std::vector<Row> other = reviews(10, 0);
    other[3].label = 7;
    const QString strange = written(folder_, "strange.tsv", other);
    const QString no_vocabulary = written(folder_, "vocab.txt", reviews(10, 0));
    choose("sentiment");
    type(path("path"), good);
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    cutInto(kWordPiece);
    const struct {
      const char* field;
      QString wrong, says;
    } cases[] = {{"path", folder_.filePath("none.tsv"), "none.tsv"},
                 {"test_path", folder_.filePath("none.tsv"), "none.tsv"},
                 {"test_path", strange, "label \"7\""},
                 {"vocabulary_path", no_vocabulary, "[PAD]"},
                 {"encoder_path", folder_.path(), "config.json"}};
    for (const auto& [field, wrong, says] : cases) {
      QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
      const QString before = row(field).path();
      type(path(field), wrong);
      QVERIFY(!start().isEnabled());  // at once
      QTRY_VERIFY2(!row(field).problem().isHidden(), field);
      QVERIFY2(row(field).problem().text().contains(says), qPrintable(row(field).problem().text()));
      QCOMPARE(row(field).editor().accessibleDescription(), row(field).problem().text());
      QVERIFY(!start().isEnabled());
      QVERIFY(dialog_->problem().isHidden());
      for (const char* another : {"path", "test_path", "vocabulary_path", "encoder_path"})
        if (qstrcmp(another, field) != 0) QVERIFY(row(another).problem().isHidden());
      QVERIFY(!data().classes().isVisible());
      dialog_->accept();
      QCOMPARE(document_->codec().name(), std::string("rot13"));
      type(path(field), before);
      QTRY_VERIFY(row(field).problem().isHidden());
    }
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
  }

  void theChosenRunIsTrained() {
    choose("sentiment");
    type(path("path"), written(folder_, "train.tsv", reviews(60, 0)));
    type(path("test_path"), written(folder_, "test.tsv", reviews(20, 300)));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    cutInto(kWordPiece);
    type(editor("max_length"), "6");
    type(editor("vocabulary_size"), "77");
    editor("clean").setFocus();
    QTest::keyClick(&editor("clean"), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    type(*dialog_->modelForm().editor("hidden"), "16");
    if (dialog_->isVisible()) dialog_->accept();  // Return may have started it
    QTRY_COMPARE(document_->codec().name(), std::string("sentiment"));
    const data::TaskConfig& config = document_->task()->config();
    QCOMPARE(config.tokenizer, std::string("wordpiece"));
    QCOMPARE(config.max_length, std::int64_t(6));
    QCOMPARE(config.vocabulary_size, std::int64_t(77));
    QVERIFY(config.clean);
    QCOMPARE(document_->task()->exampleCount(data::Split::Training), std::int64_t(60));
    QCOMPARE(document_->task()->exampleCount(data::Split::Evaluation), std::int64_t(20));
    QVERIFY(document_->task()->sourceVocabulary().size() <= 77);
    QCOMPARE(document_->moments().model().hidden, std::int64_t(16));
    QVERIFY(trainTo(*document_, 2));
  }

  void theChosenDeviceTrains() {
    QTRY_COMPARE(dialog_->device().device(), std::string("cpu"));
    QVERIFY(!dialog_->device().box().isEnabled());  // there is no other
    QVERIFY(dialog_->device().obstacles().text().startsWith("No GPU plugin found."));
    dialog_.reset();
    Device second = devices().front();
    second.name = "second";
    int made = 0;
    second.make_float = [&made, make = second.make_float] {
      ++made;
      return make();
    };
    addDevice(second);
    dialog_ = std::make_unique<NewRunDialog>(*style_, *document_);
    dialog_->open();
    QTRY_VERIFY(dialog_->device().box().isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    dialog_->device().box().setCurrentText("second");
    QCOMPARE(made, 0);
    dialog_->accept();
    QTRY_VERIFY(!dialog_->isVisible());
    QCOMPARE(chosenDevice(), std::string("second"));
    QVERIFY(made > 0);
    chooseDevice("cpu");
    second.make_float = devices().front().make_float;
    addDevice(second);
  }

  void aDeviceThatCannotRunSaysWhy() {
    dialog_.reset();
    // Its driver takes its time, which the window does not wait for.
    std::promise<void> answer;
    const auto asked = std::make_shared<std::shared_future<void>>(answer.get_future());
    const Device lame{"lame",
                      [asked] {
                        asked->wait();
                        return std::string("it lacks a wheel");
                      },
                      {},
                      {}};
    addDevice(lame);
    dialog_ = std::make_unique<NewRunDialog>(*style_, *document_);
    dialog_->open();
    const QComboBox& box = dialog_->device().box();
    QCOMPARE(box.currentText(), QString("Looking..."));
    QVERIFY(!box.isEnabled() && dialog_->device().device().empty());
    answer.set_value();
    QTRY_VERIFY(box.isEnabled());
    QCOMPARE(dialog_->device().obstacles().text(), QString("lame: it lacks a wheel"));
    QVERIFY(dialog_->device().obstacles().isVisible());
    const int row = box.findText("lame (cannot run here)");
    QVERIFY(row > 0);
    QCOMPARE(box.itemData(row, Qt::ToolTipRole).toString(), QString("it lacks a wheel"));
    QVERIFY(!(box.model()->flags(box.model()->index(row, 0)) & Qt::ItemIsEnabled));
    QCOMPARE(box.currentText(), QString("cpu"));
  }

  void anEncoderReadsTheTexts() {
    choose("sentiment");
    type(path("path"), written(folder_, "train.tsv", reviews(30, 0)));
    type(editor("max_length"), "7");
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    type(path("encoder_path"), TFM_TEST_DATA "/goldens/bert");
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    QVERIFY(dialog_->task().task()->features() != nullptr);
    for (const char* field : {"tokenizer", "vocabulary_size"}) QVERIFY(editor(field).isHidden());
    QVERIFY(row("vocabulary_path").isHidden());
    dialog_->accept();
    QTRY_COMPARE(document_->codec().name(), std::string("sentiment"));
    QVERIFY(document_->codec().features() != nullptr);
    QVERIFY(trainTo(*document_, 1));
  }

  void aHiddenPathIsIgnored() {
    choose("sentiment");
    for (const char* field : {"test_path", "vocabulary_path", "encoder_path"})
      QVERIFY2(row(field).isHidden(), field);  // the built-in reviews have no use for them
    for (const char* field : {"tokenizer", "max_length", "vocabulary_size", "clean"})
      QVERIFY2(editor(field).isHidden(), field);
    type(path("path"), written(folder_, "train.tsv", reviews(60, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    type(path("vocabulary_path"), folder_.filePath("none.txt"));
    QTRY_VERIFY(!row("vocabulary_path").problem().isHidden());
    QVERIFY(!start().isEnabled());
    cutInto(kCharacters);
    QVERIFY(row("vocabulary_path").isHidden());
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
  }

  void onAProjectorDataAndModelTakeTurns() {
    RunColumns& columns = dialog_->columns();
    dialog_->resize(1100, 700);
    QVERIFY(columns.data().isVisible() && columns.model().isVisible());
    style_->setScale(1.6);
    dialog_->resize(1256, 752);  // the space on a screen of 1280 by 800
    QCOMPARE(dialog_->width(), 1256);
    QVERIFY(columns.data().isVisible() && !columns.model().isVisible());
    columns.choice().setCurrent(1);
    QVERIFY(columns.model().isVisible() && !columns.data().isVisible());
  }

  void aLongNumberIsShortenedButKeepsItsValue() {
    auto& scale = *qobject_cast<QLineEdit*>(dialog_->modelForm().editor("embedding_scale"));
    const double value = presetNamed("annotated-rot13").config().embedding_scale;
    QCOMPARE(scale.text(), QString("2.82843"));
    QVERIFY2(scale.text().toDouble() != value, "it has more digits");
    type(scale, "2.82843");  // as it is shown
    if (dialog_->isVisible()) dialog_->accept();
    QTRY_VERIFY(!dialog_->isVisible());
    QCOMPARE(document_->moments().model().embedding_scale, value);
  }

  void theNewestChoiceWins() {
    choose("sentiment");
    type(path("path"), written(folder_, "many.tsv", reviews(3000, 0)));
    type(path("path"), written(folder_, "few.tsv", reviews(50, 0)));
    type(path("path"), written(folder_, "last.tsv", reviews(80, 0)));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    const auto total = [this] {
      return dialog_->task().statistics().training.examples +
             dialog_->task().statistics().evaluation.examples;
    };
    QCOMPARE(total(), std::int64_t(80));
    QTest::qWait(200);
    QCOMPARE(total(), std::int64_t(80));
  }

  void everyTaskShowsWhatApplies_data() {
    QTest::addColumn<bool>("classes");
    QTest::addColumn<bool>("lengths");
    QTest::newRow("rot13") << false << true;
    QTest::newRow("addition") << false << true;
    QTest::newRow("parentheses") << true << true;
    QTest::newRow("sentiment") << true << true;
    QTest::newRow("text") << false << false;
  }
  void everyTaskShowsWhatApplies() {
    QFETCH(bool, classes);
    QFETCH(bool, lengths);
    choose(QTest::currentDataTag());
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    QCOMPARE(data().classes().isVisible(), classes);
    QCOMPARE(data().lengths().isVisible(), lengths);
    QVERIFY(data().samples().text().contains("<b>"));
    QVERIFY(data().notice().isHidden());
  }

 private:
  void cutInto(int tokenizer) {
    qobject_cast<QComboBox*>(&editor("tokenizer"))->setCurrentIndex(tokenizer);
  }
  static QByteArray role(const QWidget& widget) { return widget.property("role").toByteArray(); }
};

TFM_TEST(TestNewRunDialog)
#include "test_new_run_dialog.moc"
