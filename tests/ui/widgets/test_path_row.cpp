// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

#include "tests/ui/ui_test.h"
#include "ui/widgets/path_row.h"

using namespace tfm::ui;

namespace {

const PathWords kWords{"Texts", "A table of texts", "None yet", "All files (*)"};

}  // namespace

class TestPathRow : public UiTest {
  Q_OBJECT

 private slots:
  void init() {
    row_ = std::make_unique<PathRow>(style_, PathRow::Kind::Either, kWords);
    row_->show();
  }
  void cleanup() { row_.reset(); }

  void aTypedPathIsChosen() {
    const QSignalSpy chosen(row_.get(), &PathRow::chosen);
    QTest::keyClicks(&row_->editor(), " /a/b ");
    QCOMPARE(chosen.count(), 0);
    QTest::keyClick(&row_->editor(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(row_->path(), QString("/a/b"));
    QTest::keyClick(&row_->editor(), Qt::Key_Return);
    QCOMPARE(chosen.count(), 1);  // the same path emits nothing
    row_->editor().clear();
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen.last().first().toString(), QString());
  }

  void settingAPathIsNoChoice() {
    const QSignalSpy chosen(row_.get(), &PathRow::chosen);
    row_->setPath("/a");
    row_->setPath({});
    QCOMPARE(chosen.count(), 0);
  }

  void aDroppedFileIsChosen() {
    const QSignalSpy chosen(row_.get(), &PathRow::chosen);
    QMimeData words;
    words.setText("/not/a/file");
    QVERIFY(!accepts(words));
    QMimeData far;
    far.setUrls({QUrl("https://example.org/a.tsv")});
    QVERIFY(!accepts(far));
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile("/data/a b.tsv")});
    QVERIFY(accepts(file));
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(row_.get(), &drop);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(row_->path(), QString("/data/a b.tsv"));
    QVERIFY(!row_->editor().acceptDrops());  // else a field takes it as text
  }

  void itShowsItsMeaningAndProblem() {
    QCOMPARE(row_->editor().accessibleName(), QString("Texts"));
    QVERIFY(row_->chooseButton().accessibleName().contains("Texts"));
    QCOMPARE(row_->editor().toolTip(), QString("A table of texts"));
    QVERIFY(row_->problem().isHidden());
    row_->setProblem("there is no such file");
    QVERIFY(row_->problem().isVisible());
    QCOMPARE(row_->editor().accessibleDescription(), QString("there is no such file"));
    row_->setProblem({});
    QVERIFY(row_->problem().isHidden());
    QCOMPARE(row_->editor().accessibleDescription(), QString("A table of texts"));
  }

  void fileOrFolderIsAsked() {
    row_->chooseButton().click();
    auto* which = row_->findChild<QMenu*>();
    QVERIFY(which != nullptr && which->isVisible());
    QCOMPARE(which->actions().size(), 2);
    which->close();
  }

 private:
  bool accepts(const QMimeData& data) {
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(row_.get(), &enter);
    return enter.isAccepted();
  }

  std::unique_ptr<PathRow> row_;
};

TFM_TEST(TestPathRow)
#include "test_path_row.moc"
