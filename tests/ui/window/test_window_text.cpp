// SPDX-License-Identifier: GPL-3.0-or-later
// No text in the window is cut off, on any screen, at all supported sizes.
#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QStyleOptionComboBox>

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

QString textOf(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
  if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) return choice->currentText();
  return {};
}

constexpr int kRounding = 2;  // pixels that Qt rounds away between text, padding and arrow

/// Whether all items fit into a closed combo box.
bool isCutOff(const QComboBox& choice) {
  QStyleOptionComboBox option;
  option.initFrom(&choice);
  const int room =
      choice.style()
          ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &choice)
          .width();
  for (int i = 0; i < choice.count(); ++i)
    if (choice.fontMetrics().horizontalAdvance(choice.itemText(i)) > room + kRounding) return true;
  return false;
}

/// Whether a widget has less room than its text needs.
bool isCutOff(const QWidget& widget) {
  if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) return isCutOff(*choice);
  const auto* label = qobject_cast<const QLabel*>(&widget);
  if (label != nullptr && label->wordWrap())
    return label->heightForWidth(label->width()) > label->height() + 1;
  const QSize needed =
      widget.minimumSizeHint().expandedTo(label != nullptr ? label->sizeHint() : QSize());
  return needed.width() > widget.width() || needed.height() > widget.height() + 2;
}

/// Whether a part of the widget is outside the visible area of its ancestors and cannot be scrolled
/// to.
bool isOutside(const QWidget& widget) {
  for (const QWidget* around = widget.parentWidget(); around != nullptr;
       around = around->isWindow() ? nullptr : around->parentWidget()) {
    const QRect place(widget.mapTo(around, QPoint()), widget.size());
    const auto* area =
        around->parentWidget() ? qobject_cast<const QScrollArea*>(around->parentWidget()) : nullptr;
    if (area != nullptr && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff)
      return false;
    if (place.left() < 0 || place.right() > around->rect().right() + 1) return true;
    if (qobject_cast<const QScrollArea*>(around->parentWidget()) != nullptr) return false;
    if (place.top() < 0 || place.bottom() > around->rect().bottom() + 1) return true;
  }
  return false;
}

/// The visible texts that are cut off.
QStringList cutOff(const QWidget& window) {
  QStringList cut;
  int texts = 0;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || textOf(*widget).isEmpty()) continue;
    ++texts;
    if (isCutOff(*widget) || isOutside(*widget))
      cut += QString("%1 x %2: '%3' has %4 x %5, needs %6 x %7")
                 .arg(window.width())
                 .arg(window.height())
                 .arg(textOf(*widget))
                 .arg(widget->width())
                 .arg(widget->height())
                 .arg(widget->sizeHint().width())
                 .arg(widget->sizeHint().height());
  }
  if (texts <= 12) cut += QString("only %1 texts are seen").arg(texts);  // a small window folds
  return cut;
}

}  // namespace

class TestWindowText : public QObject {
  Q_OBJECT

 private slots:
  void noTextIsCutOff_data() {
    QTest::addColumn<int>("screen");
    QTest::addColumn<double>("scale");
    QTest::addColumn<bool>("writes");  // a model of texts, which Train lets write
    for (const int screen : screens()) {
      QTest::addRow("%s", screenName(screen)) << screen << 1.0 << false;
      QTest::addRow("%s at 200 %%", screenName(screen)) << screen << 2.0 << false;
    }
    QTest::newRow("a text on train") << int(kTrain) << 1.0 << true;
  }
  void noTextIsCutOff() {
    QFETCH(int, screen);
    QFETCH(double, scale);
    QFETCH(bool, writes);
    WindowBench bench;
    bench.style().setScale(scale);
    if (writes)
      bench.document().start(presetNamed("characters").config(), data::defaultTaskConfig("text"),
                             {});
    bench.window().showScreen(screen);
    if (screen == kElastic && scale == 1.0) bench.window().elastic().parts().example->click();
    bench.window().resize(1600, 1000);
    QVERIFY(bench.showActive());
    if (!writes) QTRY_VERIFY(bench.document().observing().snapshot());
    QTest::qWait(600);  // what is measured in the background comes in, too
    const QStringList cut = cutOff(bench.window());
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
    if (scale == 1.0)
      for (const QSize size : {QSize(1280, 800), {1024, 768}, {800, 500}, {640, 480}}) {
        bench.window().resize(size);
        QCOMPARE(bench.window().size(), size);
        QTRY_VERIFY2_WITH_TIMEOUT(cutOff(bench.window()).isEmpty(),
                                  qPrintable(cutOff(bench.window()).join("\n")), kPatience);
      }
  }

  void theCheckFindsWhatIsCutOff() {  // the control
    QWidget window;
    QLabel label("a text of some length", &window);
    label.setGeometry(0, 0, label.sizeHint().width(), label.sizeHint().height());
    window.resize(600, 200);
    QVERIFY(!isCutOff(label) && !isOutside(label));
    label.resize(label.width() - 8, label.height());
    QVERIFY(isCutOff(label));
    label.setGeometry(590, 0, label.sizeHint().width(), label.sizeHint().height());
    QVERIFY(isOutside(label));
  }
};

TFM_TEST(TestWindowText)
#include "test_window_text.moc"
#include "ui/views/elastic/elastic_view.h"
