// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/style/style.h"
#include "ui/views/train/profile_dialog.h"
#include "ui/widgets/bar_list.h"

using namespace tfm;
using namespace tfm::ui;

class TestProfileDialog : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    dialog_ = std::make_unique<ProfileDialog>(*style_, document_->training());
    dialog_->show();
  }
  void cleanup() {
    dialog_.reset();
    document_.reset();
  }

  void opsAreMeasuredAsLongAsItIsThere() {
    QVERIFY(!dialog_->bars().isVisible());
    QVERIFY(dialog_->sentence().text().startsWith("Run a training step"));
    dialog_->playButton().click();
    QTRY_VERIFY(dialog_->bars().isVisible());
    QVERIFY(dialog_->sentence().text().startsWith("A step takes "));
    dialog_->playButton().click();
    QTRY_VERIFY(!document_->training().isRunning());

    QSignalSpy changed(&document_->training(), &Training::profileChanged);
    document_->training().stepOnce();
    QTRY_COMPARE(changed.size(), 1);
    dialog_.reset();
    QVERIFY(!document_->training().profile());
    const std::int64_t step = document_->training().step();
    document_->training().stepOnce();
    QTRY_COMPARE(document_->training().step(), step + 1);
    QTest::qWait(50);
    QCOMPARE(changed.size(), 1);
  }

  void barsAreSharesAndTheFileHasEveryNumber() {
    document_->training().stepOnce();
    QTRY_VERIFY(document_->training().profile() != nullptr);
    const train::Profile& profile = *document_->training().profile();
    QCOMPARE(profile.steps, 1);
    const DataTable table = dialog_->bars().figureData();
    QCOMPARE(table.rows.size(), profile.ops.size());
    for (std::size_t i = 0; i < profile.ops.size(); ++i) {
      QCOMPARE(table.rows[i].size(), table.columns.size());
      QCOMPARE(table.rows[i][table.columns.indexOf("seconds")].toDouble(), profile.ops[i].seconds);
      QCOMPARE(table.rows[i][table.columns.indexOf("bytes")].toLongLong(), profile.ops[i].bytes);
    }
    double shares = 0;
    int ops = 0;
    QTest::keyClick(&dialog_->bars(), Qt::Key_Home);
    for (QString last; dialog_->bars().spokenText() != last; ++ops) {
      last = dialog_->bars().spokenText();
      shares += last.section(": % ", 1).section(',', 0, 0).toDouble();
      QTest::keyClick(&dialog_->bars(), Qt::Key_Down);
    }
    QVERIFY2(std::abs(shares - 100) < 0.05 * ops + 1e-9, qPrintable(QString::number(shares)));
    QVERIFY2(ops < int(profile.ops.size()), "both directions of an op are one row");
  }

  void anotherRunIsMeasuredToo() {
    document_->training().stepOnce();
    QTRY_VERIFY(dialog_->bars().isVisible());
    startRot13(*document_);
    QVERIFY2(!dialog_->bars().isVisible(), "that was another model");
    document_->training().stepOnce();
    QTRY_VERIFY(dialog_->bars().isVisible());
  }

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<ProfileDialog> dialog_;
};

TFM_TEST(TestProfileDialog)
#include "test_profile_dialog.moc"
