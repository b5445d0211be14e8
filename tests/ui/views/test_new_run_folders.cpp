// SPDX-License-Identifier: GPL-3.0-or-later
// The New run dialog with folders of one text per file.
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include "tests/ui/ui_test.h"
#include "tests/ui/views/new_run_steps.h"
#include "tests/ui/views/test_document.h"
#include "ui/views/experiment/data_summary.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/task_column.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/path_row.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

/// A folder with one review per file.
void writeReviews(const QString& folder, int good, int bad) {
  for (const bool is_good : {true, false}) {
    const QByteArray label = is_good ? "pos" : "neg";
    const QDir inside(folder + '/' + label);
    QVERIFY(inside.mkpath("."));
    for (int i = 0; i < (is_good ? good : bad); ++i) {
      QFile file(inside.filePath(QString::number(i) + ".txt"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("a film of number " + QByteArray::number(i) + " that is " + label);
    }
  }
}

}  // namespace

class TestNewRunFolders : public QObject, private NewRunBench {
  Q_OBJECT

 private slots:
  void init() { setUp(); }
  void cleanup() { tearDown(); }

  void aFoldersOwnTestIsUsedForEvaluation() {
    const QDir base(folder_.path());
    writeReviews(base.filePath("both/train"), 9, 5);
    writeReviews(base.filePath("both/test"), 3, 4);
    writeReviews(base.filePath("one"), 12, 11);
    choose("sentiment");
    type(path("path"), base.filePath("one"));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    QCOMPARE(path("test_path").placeholderText(), QString("A share of the above"));
    QVERIFY(!editor("held_out").isHidden());
    type(path("path"), base.filePath("both"));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    const std::vector<qint64> held_out = column(data().classes(), kHeldOut);
    QCOMPARE(held_out[0] + held_out[1], qint64(7));
    QCOMPARE(path("test_path").placeholderText(), QString("The folder's own test"));
    QVERIFY2(editor("held_out").isHidden(), "no share is held out");
  }

  void aFolderIsDropped() {
    const QDir base(folder_.path());
    writeReviews(base.filePath("reviews"), 9, 5);
    choose("sentiment");
    QMimeData dragged;
    dragged.setUrls({QUrl::fromLocalFile(base.filePath("reviews"))});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&row("path"), &enter);
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&row("path"), &drop);
    QCOMPARE(row("path").path(), base.filePath("reviews"));
    QTRY_VERIFY_WITH_TIMEOUT(start().isEnabled(), 60'000);
    const DataTable shown = data().classes().figureData();
    QCOMPARE(shown.rows[0][0], QString("positive"));
    QCOMPARE(shown.rows[0][kTraining].toInt() + shown.rows[0][kHeldOut].toInt(), 9);
    QCOMPARE(shown.rows[1][kTraining].toInt() + shown.rows[1][kHeldOut].toInt(), 5);
  }
};

TFM_TEST(TestNewRunFolders)
#include "test_new_run_folders.moc"
