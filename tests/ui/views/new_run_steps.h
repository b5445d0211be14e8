// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLineEdit>
#include <QTemporaryDir>
#include <vector>

#include "tests/ui/ui_test.h"
#include "tests/ui/views/test_document.h"
#include "ui/figure/figure.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/task_column.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/path_row.h"

namespace tfm::ui {

/// Replaces the text of a field and confirms it.
inline void type(QWidget& field, const QString& text) {
  auto* line = qobject_cast<QLineEdit*>(&field);
  QVERIFY(line != nullptr);
  line->selectAll();
  QTest::keyClick(line, Qt::Key_Delete);
  QTest::keyClicks(line, text);
  QTest::keyClick(line, Qt::Key_Return);
}

/// A column of a figure's table as whole numbers.
inline std::vector<qint64> column(const Figure& figure, int number) {
  std::vector<qint64> values;
  for (const QStringList& row : figure.figureData().rows)
    values.push_back(row[number].toLongLong());
  return values;
}

inline constexpr int kTraining = 1, kHeldOut = 3;  // columns of a side's counts

/// The dialog for a new run over the rot13 preset, anew for each test function.
class NewRunBench {
 protected:
  void setUp() {
    QVERIFY(folder_.isValid());
    style_ = std::make_unique<Style>(*qApp);
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    dialog_ = std::make_unique<NewRunDialog>(*style_, *document_);
    dialog_->open();
    QTRY_VERIFY(start().isEnabled());
  }
  void tearDown() {
    dialog_.reset();
    document_.reset();
  }

  void choose(const QString& kind) {
    QComboBox& tasks = dialog_->task().tasks();
    tasks.setCurrentIndex(tasks.findText(kind));
    emit tasks.activated(tasks.currentIndex());
  }
  QPushButton& start() { return dialog_->startButton(); }
  DataSummary& data() { return dialog_->data(); }
  PathRow& row(const char* field) { return dialog_->task().path(field); }
  QLineEdit& path(const char* field) { return row(field).editor(); }
  QWidget& editor(const char* field) { return *dialog_->task().form().editor(field); }

  QTemporaryDir folder_;
  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<NewRunDialog> dialog_;
};

}  // namespace tfm::ui
