// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLineEdit>

#include "tests/ui/ui_test.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/field_text.h"

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

  void aZeroThatMeansNoneSaysSo() {
    std::int64_t stop = 0;
    FieldForm form(*style_, {{"stop_steps", "Steps", tfm::io::IntegerSlot{&stop, 0, 1000}}},
                   FieldForm::Commit::WhenDone);
    auto& field = *qobject_cast<QLineEdit*>(form.editor("stop_steps"));
    form.show();
    QCOMPARE(field.text(), QString("no limit"));
    QTest::keyClick(&field, Qt::Key_Return);  // unchanged, so no edit
    QCOMPARE(stop, 0);
    field.selectAll();
    QTest::keyClicks(&field, "20");
    QTest::keyClick(&field, Qt::Key_Return);
    QCOMPARE(stop, 20);
    field.selectAll();
    QTest::keyClicks(&field, "0");
    QTest::keyClick(&field, Qt::Key_Return);
    QCOMPARE(stop, 0);
    QCOMPARE(field.text(), QString("no limit"));
  }

  void messagesNameFieldsAsTheFormDoes() {
    std::int64_t length = 1;
    const std::vector<tfm::io::Field> fields{
        {"context_length", "", tfm::io::IntegerSlot{&length, 1, 9}},
        {"hidden", "", tfm::io::IntegerSlot{&length, 1, 9}}};
    QCOMPARE(withFieldWords("a hidden context_length, not context_lengths", fields),
             QString("a hidden “Context length”, not context_lengths"));
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
