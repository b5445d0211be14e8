// SPDX-License-Identifier: GPL-3.0-or-later
// The New run dialog with an open encoder, which can begin another task.
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>

#include "tests/ui/ui_test.h"
#include "tests/ui/views/new_run_steps.h"
#include "tests/ui/views/test_document.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/task_column.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/path_row.h"

using namespace tfm;
using namespace tfm::ui;

class TestNewRunTuning : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    QVERIFY(folder_.isValid());
    document_ = std::make_unique<ModelDocument>(1);
    data::TaskConfig masked = data::defaultTaskConfig("masked");
    masked.max_length = 8;
    document_->start(presetNamed("masked-encoder").config(), masked, {});
    QVERIFY(trainTo(*document_, 2));
    dialog_ = std::make_unique<NewRunDialog>(style_, *document_);
    dialog_->open();
    QTRY_VERIFY(dialog_->startButton().isEnabled());
  }
  void cleanup() {
    dialog_.reset();
    document_.reset();
  }

  void theOpenModelBeginsAnotherTask() {
    choose(dialog_->task().tasks(), "classes");
    QFile file(folder_.filePath("labels.tsv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 20; ++i)
      file.write(QByteArray("the night ") + QByteArray(1 + i % 9, 'x') +
                 (i % 2 == 0 ? "\teven\n" : "\todd\n"));
    file.close();
    type(dialog_->task().path("path").editor(), file.fileName());
    QTRY_VERIFY(dialog_->startButton().isEnabled());
    QVERIFY(!(dialog_->task().task()->sourceVocabulary() == document_->codec().sourceVocabulary()));

    choose(dialog_->presets(), "The open model");
    QTRY_VERIFY(dialog_->startButton().isEnabled());
    QVERIFY(dialog_->task().form().editor("tokenizer")->isHidden());
    QVERIFY(dialog_->task().task()->sourceVocabulary() == document_->codec().sourceVocabulary());
    dialog_->accept();
    QTRY_COMPARE(document_->codec().name(), std::string("classes"));
    QCOMPARE(document_->training().step(), std::int64_t(0));
    QCOMPARE(document_->training().model().output, OutputKind::Classes);
    QCOMPARE(document_->training().model().source_length, std::int64_t(8));
  }

  void aTaskWithOtherTokensIsExplained() {
    choose(dialog_->task().tasks(), "parentheses");
    QTRY_VERIFY(dialog_->startButton().isEnabled());
    choose(dialog_->presets(), "The open model");
    QTRY_VERIFY(dialog_->problem().text().contains("other tokens"));
    QVERIFY(!dialog_->startButton().isEnabled());
    dialog_->presets().setCurrentIndex(0);
    emit dialog_->presets().activated(0);
    QTRY_VERIFY(dialog_->startButton().isEnabled());
  }

 private:
  static void choose(QComboBox& list, const QString& item) {
    QVERIFY(list.findText(item) >= 0);
    list.setCurrentIndex(list.findText(item));
    emit list.activated(list.currentIndex());
  }

  QTemporaryDir folder_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<NewRunDialog> dialog_;
};

TFM_TEST(TestNewRunTuning)
#include "test_new_run_tuning.moc"
