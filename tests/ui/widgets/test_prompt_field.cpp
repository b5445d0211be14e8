// SPDX-License-Identifier: GPL-3.0-or-later
// A prompt of several lines.
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include "tests/test_program.h"
#include "ui/style/style.h"
#include "ui/widgets/prompt_field.h"

using namespace tfm::ui;

class TestPromptField : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qApp);
    window_ = std::make_unique<QWidget>();
    field_ = new PromptField("Say something");
    auto* column = new QVBoxLayout(window_.get());
    column->addWidget(field_);
    column->addStretch();
    window_->resize(300, 400);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  }

  void returnIsNoPartOfTheText() {
    const QSignalSpy entered(field_, &PromptField::returnPressed);
    QTest::keyClicks(field_, "one");
    QTest::keyClick(field_, Qt::Key_Return);
    QCOMPARE(entered.size(), 1);
    QTest::keyClick(field_, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClicks(field_, "two");
    QCOMPARE(field_->text(), QString("one\ntwo"));
    QCOMPARE(entered.size(), 1);
  }

  void itIsAsHighAsItsTextUpToALimit() {
    const int one = field_->height();
    QVERIFY(one >= field_->fontMetrics().lineSpacing());
    field_->setText("a\nb\nc");
    QTRY_COMPARE(field_->height(), one + 2 * field_->fontMetrics().lineSpacing());
    field_->setText(QString("word ").repeated(15));  // wraps
    QTRY_VERIFY(field_->height() > one);
    field_->setText(QString("a\n").repeated(100));
    QTRY_VERIFY(field_->height() <= one + 5 * field_->fontMetrics().lineSpacing());
    QVERIFY(field_->height() <= window_->height() / 2);
    field_->setText("a");
    QTRY_COMPARE(field_->height(), one);
  }

  void onlyTheUserEditsIt() {
    const QSignalSpy edited(field_, &PromptField::textEdited);
    field_->setText("given");
    QCOMPARE(edited.size(), 0);
    field_->moveCursor(QTextCursor::End);
    QTest::keyClicks(field_, "s");
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.back().front().toString(), QString("givens"));
    // The same text from elsewhere leaves the cursor where it is.
    field_->moveCursor(QTextCursor::Start);
    field_->setText("givens");
    QCOMPARE(field_->textCursor().position(), 0);
  }

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<QWidget> window_;
  PromptField* field_ = nullptr;
};

TFM_TEST(TestPromptField)
#include "test_prompt_field.moc"
