// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as somebody types them: the point and the locale's decimal mark, never separators.
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <clocale>
#include <cstdio>
#include <string>

#include "tests/ui/ui_test.h"
#include "ui/figure/number_box.h"
#include "ui/figure/number_text.h"
#include "ui/figure/typed_number.h"
#include "ui/style/decimal_point.h"

using namespace tfm::ui;

class TestTypedNumber : public UiTest {
  Q_OBJECT

 private slots:
  void aNumberHasAPointOrTheLocalesMark_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("german");
    const auto row = [](const char* text, const char* english, const char* german) {
      QTest::newRow(text) << QString::fromUtf8(text) << english << german;
    };
    row("0.005", "0.005", "0.005");
    row("0,005", "", "0.005");  // not 5
    row("0,01", "", "0.01");
    row("0.125", "0.125", "0.125");  // not 125
    row("1,000", "", "1");
    row("1.000", "1", "1");
    row("1,000,000", "", "");
    row("1.000.000", "", "");
    row("1.000,5", "", "");
    row("1,000.5", "", "");
    row("1'000", "", "");
    row("1’000", "", "");
    row("1 000", "", "");
    row("1\u00a0000", "", "");
    row("1\u202f000", "", "");
    row(" -2e-3 ", "-0.002", "-0.002");
    row("+,5", "", "0.5");
    row("1e1,5", "", "");
    row("", "", "");
    row("abc", "", "");
    row("nan", "", "");
    row("inf", "", "");
    row("0x10", "", "");
    row("1e999", "", "");
    row("12", "12", "12");
  }
  void aNumberHasAPointOrTheLocalesMark() {
    QFETCH(QString, text);
    const auto written = [](const std::optional<double>& number) {
      return number ? QString::number(*number, 'g', 9) : QString();
    };
    QTEST(written(typedReal(text, ".")), "english");
    QTEST(written(typedReal(text, ",")), "german");
    QTEST(written(listedReal(text.trimmed())), "english");  // a comma is between two of them
  }

  void wholeNumbersHaveNoMark() {
    QCOMPARE(typedWhole(" 010 ").value(), std::int64_t(10));
    for (const char* text : {"1,000", "1.000", "1 000", "1.0", "", "1e3", "9223372036854775808"})
      QVERIFY2(!typedWhole(text), text);
    QCOMPARE(typedUnsigned("18446744073709551615").value(), ~std::uint64_t{0});
    QVERIFY(!typedUnsigned("-1"));
  }

  void whatIsWrongIsSaid() {
    QVERIFY(notANumber("0,5").contains("0,5") && notANumber("0,5").contains("point"));
    QVERIFY(notANumber("abc").contains("abc") && !notANumber("abc").contains("point"));
    QVERIFY(!notANumber("").isEmpty());
  }

  /// QSpinBox alone reads "1,5" as 15 and "2,000" as 2000.
  void aBoxTakesNoSeparators() {
    NumberBox box;
    box.setRange(0, 100000);
    box.setValue(7);
    show(box);
    for (const char* wrong : {"1,5", "2,000", "2.000", "2 000", "1e3", "-3", "100001", "x"}) {
      paste(box, wrong);
      QVERIFY2(box.value() == 7 && box.text() == "7", wrong);
    }
    paste(box, "010");
    QCOMPARE(box.value(), 10);
    box.setValue(12345);
    QCOMPARE(box.text(), QString("12345"));
    box.setSpecialValueText("all");
    box.setValue(0);
    QCOMPARE(box.text(), QString("all"));
    QVERIFY(box.hasAcceptableInput());
    QCOMPARE(box.value(), 0);
  }

  void aBoxWithDecimalsKnowsTheMark() {
    RealBox box;
    box.setRange(-16, 16);
    box.setValue(1.5);
    QCOMPARE(box.text(), QString("1.50"));
    show(box);
    paste(box, "0.25");
    QCOMPARE(box.value(), 0.25);
    paste(box, "0,75");
    const bool german = systemDecimalMark() == ",";
    QCOMPARE(box.value(), german ? 0.75 : 0.25);
    QCOMPARE(box.text(), german ? QString("0.75") : QString("0.25"));
    const double before = box.value();
    for (const char* wrong : {"1,000.5", "0.125", "1e1", "17", "-17", "1..5"}) {
      paste(box, wrong);
      QVERIFY2(box.value() == before, wrong);
    }
    paste(box, "-.5");
    QCOMPARE(box.value(), -0.5);
  }

  /// What is not finished gives way to the value that holds, and Return presses no button then.
  void anUnfinishedNumberIsNotUsed() {
    QDialog dialog;
    auto* box = new NumberBox(&dialog);
    box->setRange(10, 99);
    box->setValue(50);
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    box->setFocus();
    box->selectAll();
    QTest::keyClick(box, Qt::Key_5);  // more digits might follow
    QKeyEvent first(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
    QApplication::sendEvent(box, &first);
    QVERIFY(first.isAccepted());
    QCOMPARE(box->text(), QString("50"));
    QKeyEvent second(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
    second.ignore();
    QCOMPARE(box->value(), 50);
    QVERIFY(box->hasAcceptableInput());
  }

  /// A style comes after the application, which follows the system's locale.
  void everyNumberHasAPoint() {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    bool installed = false;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "sv_SE.UTF-8"})
      installed = installed || std::setlocale(LC_NUMERIC, name) != nullptr;
    const Style style(*qApp);
    QCOMPARE(QLocale().toString(1234.5), QString("1234.5"));
    QCOMPARE(QStringLiteral("%L1").arg(1234567), QString("1234567"));
    QCOMPARE(shortNumber(0.5), QString("0.500"));
    QCOMPARE(stepNumber(12840), QString("12840"));
    QCOMPARE(std::string(std::localeconv()->decimal_point), std::string("."));
    char text[16];
    std::snprintf(text, sizeof text, "%.2f", 1.5);
    QCOMPARE(std::string(text), std::string("1.50"));
    if (!installed) QSKIP("no locale with a decimal comma is installed: printf() was not tried");
  }

 private:
  static void show(QWidget& box) {
    box.show();
    box.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&box));
    box.setFocus();
  }
  /// At once, then ends editing.
  static void paste(QAbstractSpinBox& box, const QString& text) {
    auto* line = box.findChild<QLineEdit*>();
    line->selectAll();
    line->insert(text);
    QTest::keyClick(&box, Qt::Key_Return);
  }
};

TFM_TEST(TestTypedNumber)
#include "test_typed_number.moc"
