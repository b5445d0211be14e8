// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "core/base/number_text.h"
#include "tests/test_program.h"

using namespace tfm;

class TestNumberText : public QObject {
  Q_OBJECT

 private slots:
  void readsWholeNumbers();
  void refusesWhatIsNoWholeNumber();
  void readsRealNumbers();
  void refusesWhatIsNoRealNumber();
  void readsWhatIsTooSmallAsZero();
};

void TestNumberText::readsWholeNumbers() {
  QCOMPARE(wholeNumberIn("12").value(), 12);
  QCOMPARE(wholeNumberIn("-3").value(), -3);
  QCOMPARE(wholeNumberIn("+07").value(), 7);
  QCOMPARE(wholeNumberIn("010").value(), 10);
  QCOMPARE(wholeNumberIn("-9223372036854775808").value(), std::numeric_limits<std::int64_t>::min());
  QCOMPARE(unsignedNumberIn("18446744073709551615").value(),
           std::numeric_limits<std::uint64_t>::max());
}

void TestNumberText::refusesWhatIsNoWholeNumber() {
  for (const char* text : {"", " ", "+", "-", "+-1", "-+1", "++1", "0x10", "1.0", "1e3", "1,000",
                           "1 000", " 1", "1 ", "0 21", "9223372036854775808", "1_000"})
    QVERIFY2(!wholeNumberIn(text), text);
  for (const char* text : {"", "-1", "-0x1", "18446744073709551616"})
    QVERIFY2(!unsignedNumberIn(text), text);
}

void TestNumberText::readsRealNumbers() {
  const std::pair<const char*, double> rows[] = {
      {"0.005", 0.005},
      {"+2.04092", 2.04092},
      {".5", 0.5},
      {"5.", 5.0},
      {"-.5e1", -5.0},
      {"1E-3", 1e-3},
      {"1e+3", 1e3},
      {"00012.5", 12.5},
      {"-0", -0.0},
      {"5e-324", 5e-324},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()}};
  for (const auto& [text, value] : rows) {
    QVERIFY2(realNumberIn(text), text);
    QVERIFY2(
        *realNumberIn(text) == value && std::signbit(*realNumberIn(text)) == std::signbit(value),
        text);
  }
}

void TestNumberText::refusesWhatIsNoRealNumber() {
  for (const char* text : {"",
                           " ",
                           ".",
                           "-",
                           "+",
                           "+-1",
                           "-+1",
                           "--1",
                           "0,005",
                           "1,000.5",
                           "1 000",
                           " 1",
                           "1 ",
                           "1e",
                           "1e+",
                           "e5",
                           ".e5",
                           "inf",
                           "-inf",
                           "+inf",
                           "infinity",
                           "nan",
                           "-nan",
                           "nan(1)",
                           "0x10",
                           "0x1p-3",
                           "1e400",
                           "-1e400",
                           "1e99999999999999999999",
                           "1.5.2",
                           "1e2.5",
                           "1f"})
    QVERIFY2(!realNumberIn(text), text);
}

void TestNumberText::readsWhatIsTooSmallAsZero() {
  const std::string zeros(400, '0');
  for (const std::string& text :
       {std::string("1e-400"), std::string("1e-99999999999999999999"), "0." + zeros + "1",
        "0." + zeros + "1e10", "1" + zeros + "e-900"}) {
    QVERIFY2(realNumberIn(text) == 0.0, text.c_str());
    QVERIFY2(std::signbit(*realNumberIn("-" + text)), text.c_str());
  }
  // The negative control: as many zeros, but a number that is too large.
  QVERIFY(!realNumberIn("1" + zeros + "e-10"));
  QVERIFY(!realNumberIn("0.1e1000"));
  QVERIFY(realNumberIn("1" + zeros + "e-400") == 1.0);
}

TFM_TEST(TestNumberText)
#include "test_number_text.moc"
