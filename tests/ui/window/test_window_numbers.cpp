// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the window, with a decimal point or comma as the system's locale has it: CTest runs
// this file in both.
#include <QAbstractSpinBox>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <clocale>
#include <string>

#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/typed_number.h"
#include "ui/scene/matrix_wall.h"
#include "ui/views/experiment/experiment_dock.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/training_form.h"
#include "ui/views/matrices/matrices_view.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/value_line.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowNumbers : public WindowTest {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const char* wanted = qgetenv("LC_ALL").startsWith("de") ? "," : ".";
    QCOMPARE(systemDecimalMark(), QString(wanted));
  }
  void init() {
    setUp();
    QTRY_VERIFY(document().observing().snapshot());
  }

  void aLearningRateIsWhatWasTyped_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("german");  // 0: refused
    QTest::addColumn<double>("english");
    QTest::newRow("point") << "0.005" << 0.005 << 0.005;
    QTest::newRow("comma") << "0,005" << 0.005 << 0.0;
    QTest::newRow("two digits") << "0,02" << 0.02 << 0.0;
    QTest::newRow("thousands") << "1,000" << 1.0 << 0.0;
    QTest::newRow("both") << "1.000,5" << 0.0 << 0.0;
    QTest::newRow("word") << "abc" << 0.0 << 0.0;
  }
  void aLearningRateIsWhatWasTyped() {
    QFETCH(QString, typed);
    QFETCH(double, german);
    QFETCH(double, english);
    window().showScreen(kTrain);
    const auto rate = [&] { return document().training().config().schedule.learning_rate; };
    const double before = rate(), wanted = hasComma() ? german : english;
    FieldForm& form = window().findChild<TrainingForm*>()->form();
    auto* line = qobject_cast<QLineEdit*>(form.editor("learning_rate"));
    const QString shown = line->text();
    line->setFocus();
    line->selectAll();
    bench_->type(typed);
    bench_->key(Qt::Key_Return);
    QCOMPARE(rate(), wanted > 0 ? wanted : before);
    QCOMPARE(line->text(), wanted > 0 ? QString::number(wanted, 'g', 6) : shown);
    const bool refused = says(form, typed);
    QCOMPARE(refused, wanted == 0);
    // The same when the field only loses the focus.
    line->setFocus();
    line->selectAll();
    bench_->type("x1");
    bench_->key(Qt::Key_Tab);
    QVERIFY(!line->hasFocus());
    QCOMPARE(rate(), wanted > 0 ? wanted : before);
    QCOMPARE(line->text().toDouble(), rate());
    QVERIFY(says(form, "x1"));
  }

  void aWeightIsWhatWasTyped() {
    window().resize(1600, 1000);
    window().showScreen(kMatrices);
    MatricesView& view = window().matrices();
    view.wall().setPickedCell(CellRef{0, 1, 2});
    const QWidget& inspector = *view.inspector();
    auto* line = inspector.findChild<ValueLine*>();
    QVERIFY(line != nullptr);
    QTRY_VERIFY(line->isVisible());
    const auto changes = [this] { return document().interventions().list(); };
    const auto enter = [&](const char* typed) {
      line->setFocus();
      line->selectAll();
      bench_->type(typed);
      bench_->key(Qt::Key_Return);
    };
    const QString shown = line->text();
    enter("1,000.5");
    QVERIFY(changes().empty());
    QCOMPARE(line->text(), shown);
    QVERIFY(says(inspector, "1,000.5"));
    enter("0.125");
    QCOMPARE(changes().size(), std::size_t(1));
    QCOMPARE(changes()[0].what.number, 0.125);
    enter("0,375");
    QCOMPARE(changes().back().what.number, hasComma() ? 0.375 : 0.125);
    // What was typed and not confirmed is not shown either.
    line->setFocus();
    line->selectAll();
    bench_->type("7");
    bench_->key(Qt::Key_Tab);
    QVERIFY(line->text() != "7");
  }

  void aSeedIsWhatWasTyped() {
    bench_->key(Qt::Key_N, Qt::ControlModifier);
    auto* dialog = window().findChild<NewRunDialog*>();
    QVERIFY(dialog != nullptr);
    QTRY_VERIFY(dialog->startButton().isEnabled());
    const auto named = [&](const char* name) -> QLineEdit* {
      for (auto* line : dialog->findChildren<ValueLine*>())
        if (line->accessibleName() == name && line->isVisible()) return line;
      return nullptr;
    };
    QLineEdit *seed = named("Seed"), *rate = named("Learning rate");
    QVERIFY(seed != nullptr && rate != nullptr);
    const QString before = seed->text();
    seed->setFocus();
    seed->selectAll();
    QTest::keyClicks(seed, "1.000");
    QVERIFY(!dialog->startButton().isEnabled());
    QTest::keyClick(seed, Qt::Key_Return);  // refuses; it does not start
    QVERIFY(dialog->isVisible());
    QCOMPARE(seed->text(), before);
    QVERIFY(says(*dialog, "1.000"));
    const QString shown = rate->text();
    rate->setFocus();
    rate->selectAll();
    QTest::keyClicks(rate, "1.000,5");
    QVERIFY(!dialog->startButton().isEnabled());
    QTest::keyClick(rate, Qt::Key_Return);
    QVERIFY(dialog->isVisible());
    QCOMPARE(rate->text(), shown);  // not its beginning, 1
    QVERIFY(says(*dialog, "1.000,5"));
    QVERIFY(dialog->startButton().isEnabled());
    dialog->reject();
  }

  void noScreenHasADecimalComma() {
    QCOMPARE(std::string(std::localeconv()->decimal_point), std::string("."));
    static const QRegularExpression comma(QStringLiteral("\\d,\\d"));
    QStringList found;
    int numbers = 0;
    for (const int screen : screens()) {
      window().showScreen(screen);
      QTest::qWait(100);
      QStringList texts;
      for (const auto* label : window().findChildren<QLabel*>())
        if (label->isVisible()) texts << label->text();
      for (const auto* line : window().findChildren<QLineEdit*>())
        if (line->isVisible()) texts << line->text();
      for (const QString& text : texts) {
        numbers += text.contains(QRegularExpression(QStringLiteral("\\d\\.\\d")));
        if (comma.match(text).hasMatch()) found << screenName(screen) + (": " + text);
      }
    }
    QVERIFY(numbers > 10);
    QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
  }

 private:
  static bool hasComma() { return systemDecimalMark() == ","; }
  static bool says(const QWidget& widget, const QString& text) {
    for (const auto* label : widget.findChildren<QLabel*>())
      if (!label->isHidden() && label->text().contains(text)) return true;
    return false;
  }
};

TFM_TEST(TestWindowNumbers)
#include "test_window_numbers.moc"
