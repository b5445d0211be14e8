// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>

#include "tests/ui/ui_test.h"
#include "ui/widgets/field_form.h"

using namespace tfm::ui;

class TestFieldForm : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    steps_ = 100;
    form_ = std::make_unique<FieldForm>(
        *style_,
        std::vector<tfm::io::Field>{{"steps", "Steps", tfm::io::IntegerSlot{&steps_, 1, 1000}}},
        FieldForm::Commit::EachKey);
    form_->show();
  }
  void cleanup() { form_.reset(); }

  void whatIsRefusedReturnsToTheValueBeforeTheEdit() {
    type("7");
    QCOMPARE(steps_, 7);
    type("7x");
    QTest::keyClick(&line(), Qt::Key_Return);
    QCOMPARE(steps_, 100);
    QCOMPARE(line().text(), QString("100"));
  }

  /// The config may change under an edit that has not ended: by a preset or an undo.
  void whatIsRefusedReturnsToAReloadedValue() {
    type("7");
    QCOMPARE(steps_, 7);
    steps_ = 500;
    form_->reload();
    QCOMPARE(line().text(), QString("500"));
    type("x");
    QTest::keyClick(&line(), Qt::Key_Return);
    QCOMPARE(steps_, 500);
    QCOMPARE(line().text(), QString("500"));
  }

 private:
  QLineEdit& line() { return *qobject_cast<QLineEdit*>(form_->editor("steps")); }
  void type(const QString& text) {
    line().selectAll();
    QTest::keyClicks(&line(), text);
  }

  std::unique_ptr<Style> style_;
  std::int64_t steps_ = 0;
  std::unique_ptr<FieldForm> form_;
};

TFM_TEST(TestFieldForm)
#include "test_field_form.moc"
