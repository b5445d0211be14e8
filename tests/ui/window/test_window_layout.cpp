// SPDX-License-Identifier: GPL-3.0-or-later
// Every screen at every size and in every theme, and the dialogs: no text lies over another one or
// under a line, and none is cut.
#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>
#include <map>

#include "tests/test_program.h"
#include "tests/ui/window/painted_text.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/figure.h"
#include "ui/style/palette.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/flow/flow_view.h"
#include "ui/widgets/message_bar.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

constexpr qint64 kSettled = 3000;  // milliseconds until what is measured has come in

/// What is wrong, and where it was seen first.
using Faults = std::map<QString, QString>;

struct SeenText {
  PaintedText painted;  ///< in pixels of the window
  const QWidget* widget;
};

/// Numbers change with the speed of the machine.
QString withoutDigits(QString text) {
  static const QRegularExpression number(QStringLiteral("[0-9][0-9.,]*"));
  return text.replace(number, QStringLiteral("#")).simplified();
}

/// The innermost class of ours around a widget.
QString nameOf(const QWidget& widget) {
  for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget()) {
    const QByteArray name = at->metaObject()->className();
    if (name.startsWith("tfm::ui::")) return QString::fromLatin1(name.mid(9));
  }
  return QStringLiteral("a window");
}

/// Its content may be larger than itself: it can be scrolled to.
bool scrolls(const QWidget& widget) {
  if (qobject_cast<const QLineEdit*>(&widget) != nullptr) return true;
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  return area != nullptr && area->viewport() == &widget;
}

/// Whether what is hidden of it at the left or right can be scrolled to.
bool scrollsAside(const QWidget& widget) {
  for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget()) {
    if (qobject_cast<const QLineEdit*>(at) != nullptr) return true;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(at);
    if (area != nullptr && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff &&
        area->horizontalScrollBar()->maximum() > 0)
      return true;
  }
  return false;
}

/// Whether so much of two texts lies over each other that they cannot be read.
bool collide(const QRectF& a, const QRectF& b) {
  const QRectF both = a & b;
  const auto area = [](const QRectF& one) { return one.width() * one.height(); };
  return both.width() > 2.0 && both.height() > 2.0 &&
         area(both) > 0.08 * std::min(area(a), area(b));
}

/// Whether a line crosses a text, rather than touching it or underlining it.
bool isCrossed(const QRectF& ink, const std::vector<QPointF>& pieces) {
  constexpr int kPieces = 2;
  const double margin = std::min(0.25 * ink.height(), 0.25 * ink.width());
  const QRectF core = ink.adjusted(margin, margin, -margin, -margin);
  return std::ranges::count_if(pieces, [&](const QPointF& at) { return core.contains(at); }) >=
         kPieces;
}

/// QCustomPlot paints into a picture that it keeps: a plot is painted once more, as it is exported.
bool isPlot(const QWidget& widget) {
  return dynamic_cast<const Figure*>(&widget) != nullptr &&
         std::ranges::any_of(widget.children(),
                             [](const QObject* child) { return child->inherits("QCustomPlot"); });
}

Painted paintedBy(QWidget& widget, const Palette& palette) {
  return paintedOn(widget.size(), [&](QPaintDevice& device) {
    if (!isPlot(widget)) return widget.render(&device, {}, {}, QWidget::RenderFlags());
    QPainter painter(&device);
    dynamic_cast<const Figure&>(widget).paintFigure(
        painter, QRectF(QPointF(), QSizeF(widget.size())), palette);
  });
}

/// Returns how many texts were looked at.
int findFaults(QWidget& window, const Palette& palette, const QString& where, Faults& faults) {
  std::vector<SeenText> seen;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    const QRegion visible = widget->visibleRegion();
    if (!widget->isVisibleTo(&window) || widget->isWindow() || visible.isEmpty()) continue;
    const QPointF corner = widget->mapTo(&window, QPoint());
    const QRectF own(QPointF(), QSizeF(widget->size()));
    const Painted painted = paintedBy(*widget, palette);
    for (const PaintedText& text : painted.texts) {
      const bool cut = text.clipped || !own.adjusted(-1, -1, 1, 1).contains(text.ink);
      if (cut && !scrolls(*widget))
        faults.emplace(
            QStringLiteral("\"%1\" is cut in %2").arg(withoutDigits(text.text), nameOf(*widget)),
            where);
      const QRectF shown = text.ink & QRectF(visible.boundingRect());
      const bool hidden =
          shown.height() > 2.0 && shown.width() > 2.0 && shown.width() < text.ink.width() - 2.0;
      if (hidden && !cut && !scrollsAside(*widget))
        faults.emplace(
            QStringLiteral("\"%1\" is hidden in %2").arg(withoutDigits(text.text), nameOf(*widget)),
            where);
      if (shown.width() < 2.0 || shown.height() < 2.0) continue;  // scrolled out of sight
      seen.push_back({{text.text, shown.translated(corner)}, widget});
      if (isCrossed(text.ink, painted.pieces))
        faults.emplace(QStringLiteral("a line through \"%1\" in %2")
                           .arg(withoutDigits(text.text), nameOf(*widget)),
                       where);
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!collide(seen[i].painted.ink, seen[j].painted.ink)) continue;
      QStringList both{withoutDigits(seen[i].painted.text), withoutDigits(seen[j].painted.text)};
      both.sort();
      faults.emplace(
          QStringLiteral("\"%1\" over \"%2\" in %3").arg(both[0], both[1], nameOf(*seen[i].widget)),
          where);
    }
  return int(seen.size());
}

/// The same, once what comes in late has its place.
int findSettled(QWidget& window, const Palette& palette, const QString& where, Faults& faults) {
  Faults here;
  int texts = 0;
  QElapsedTimer clock;
  for (clock.start(); clock.elapsed() < kSettled; QTest::qWait(50)) {
    here.clear();
    texts = findFaults(window, palette, where, here);
    if (here.empty()) break;
  }
  faults.merge(here);
  return texts;
}

/// Texts with a line through, below and behind them.
class Crossed : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.drawLine(0, 10, 200, 10);
    painter.drawText(QRectF(10, 0, 50, 20), Qt::AlignCenter, QStringLiteral("struck"));
    painter.fillRect(QRectF(80, 0, 100, 20), Qt::white);
    painter.drawText(QRectF(80, 0, 100, 20), Qt::AlignCenter, QStringLiteral("on a ground"));
    painter.drawText(QRectF(10, 30, 100, 20), Qt::AlignCenter, QStringLiteral("underlined"));
    painter.drawLine(10, 48, 110, 48);
  }
};

}  // namespace

class TestWindowLayout : public WindowTest {
  Q_OBJECT

 private:
  void lookAtAll(const QString& state, Faults& faults) {
    struct Room {
      QSize size;
      bool projector;
    };
    for (const Room& room : {Room{{1600, 1000}, false}, Room{{1280, 800}, false},
                             Room{{1280, 720}, false}, Room{{1280, 720}, true}}) {
      window().resize(room.size);
      if (room.projector) bench_->key(Qt::Key_F5);
      for (const int screen : screens()) {
        window().showScreen(Screen(screen));
        QTest::qWait(50);
        if (screen == kFlow)
          QVERIFY(QTest::qWaitFor([&] { return window().flow().isReady(); }, 10000));
        messages().hide();  // they lie over the screen for a while
        QApplication::processEvents();
        const QString where = QStringLiteral("%1, %2, %3 x %4%5")
                                  .arg(QLatin1String(screenName(screen)), state)
                                  .arg(room.size.width())
                                  .arg(room.size.height())
                                  .arg(QLatin1String(room.projector ? ", projector" : ""));
        findSettled(window(), bench_->style().palette(), where, faults);
      }
      if (room.projector) bench_->key(Qt::Key_F5);
    }
  }

 private slots:
  /// The check sees a text over another one, one that is cut, and nothing else.
  void faultsAreFound() {
    QWidget parent;
    parent.resize(300, 200);
    QLabel one(QStringLiteral("a long name"), &parent), other(QStringLiteral("another"), &parent),
        small(QStringLiteral("cut off here"), &parent), apart(QStringLiteral("apart"), &parent);
    one.setGeometry(10, 10, 150, 20);
    other.setGeometry(20, 12, 150, 20);
    small.setGeometry(10, 60, 30, 20);
    apart.setGeometry(10, 100, 150, 20);
    QScrollArea area(&parent);
    area.setGeometry(200, 60, 90, 40);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.setWidget(new QLabel(QStringLiteral("wider than its area")));
    Crossed crossed(&parent);
    crossed.setGeometry(10, 130, 200, 60);
    parent.show();
    QVERIFY(QTest::qWaitForWindowExposed(&parent));
    Faults faults;
    findFaults(parent, palette(Theme::Dark), QStringLiteral("here"), faults);
    const Faults expected{{"\"a long name\" over \"another\" in a window", "here"},
                          {"\"cut off here\" is cut in a window", "here"},
                          {"\"wider than its area\" is hidden in a window", "here"},
                          {"a line through \"struck\" in a window", "here"}};
    QCOMPARE(faults, expected);
  }

  /// Texts in pictures are seen, too.
  void picturesAreLookedAt() {
    for (const int screen : {kAttention, kFlow}) {
      window().showScreen(Screen(screen));
      QTRY_VERIFY(window().flow().isReady() || screen != kFlow);
      QApplication::processEvents();
      std::size_t texts = 0;
      for (QWidget* widget : window().findChildren<QWidget*>())
        if (!widget->visibleRegion().isEmpty() &&
            (nameOf(*widget) == "HeatMapView" || nameOf(*widget) == "FlowDiagram"))
          texts += paintedBy(*widget, bench_->style().palette()).texts.size();
      QVERIFY2(texts > 10, screenName(screen));
    }
  }

  void dialogsAreWhole() {
    Faults faults;
    for (const double scale : {1.0, 1.6}) {
      bench_->style().setScale(scale);
      for (const char* name :
           {"&New run...", "Pro&file of a step...", "&Compare models...", "&What if...",
            "&Importance of parts...", "Pa&tch one text into another...", "&Source documents...",
            "&Manual", "&Keyboard shortcuts", "&About Transformarium"}) {
        int texts = 0;
        const auto look = [&](QWidget& dialog) {
          texts = findSettled(dialog, bench_->style().palette(),
                              QStringLiteral("%1, %2").arg(QLatin1String(name)).arg(scale), faults);
          dialog.close();
        };
        withDialogsOf(window(), name, look);
        QVERIFY2(texts > 1, name);
      }
    }
    QStringList all;
    for (const auto& [fault, where] : faults) all << where + ": " + fault;
    QVERIFY2(all.isEmpty(), qPrintable(all.join('\n')));
  }

  void noTextIsCutOrCovered() {
    Faults faults;
    for (const Theme theme : {Theme::Light, Theme::HighContrast, Theme::Dark}) {
      bench_->style().setTheme(theme);
      lookAtAll(QStringLiteral("now"), faults);
    }
    window().elastic().parts().example->click();  // nested, from here on
    QCOMPARE(document().codec().name(), std::string("facts"));
    Moments& moments = document().moments();
    const std::int64_t step = document().training().step();
    moments.pin(Pin::B);
    document().training().stepOnce();
    QTRY_COMPARE(document().training().step(), step + 1);
    moments.pin(Pin::A);
    moments.show(step);
    lookAtAll(QStringLiteral("a moment"), faults);
    moments.compare(Comparison::Difference);
    lookAtAll(QStringLiteral("A - B"), faults);

    QStringList all;
    for (const auto& [fault, where] : faults) all << where + ": " + fault;
    QVERIFY2(all.isEmpty(), qPrintable(all.join('\n')));
  }
};

TFM_TEST(TestWindowLayout)
#include "test_window_layout.moc"
