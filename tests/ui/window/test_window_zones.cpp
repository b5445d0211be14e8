// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the window, however small: folding sides, bars without overlap, and an explanation
// beside what it explains.
#include <QApplication>
#include <QLabel>
#include <QMenuBar>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/explanation_pane.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/token_line.h"
#include "ui/window/rail.h"
#include "ui/window/top_bar.h"
#include "ui/window/zones.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowZones : public WindowTest {
  Q_OBJECT

 private slots:
  /// Good news never hangs over the picture, however long it is; what is cut is in the tooltip.
  void goodNewsStaysInTheBar() {
    const QString what = QStringList(5, "A small DeLighT encoder-decoder").join(": ");
    for (const QSize size : {QSize(1600, 1000), QSize(1280, 800), QSize(1280, 720)}) {
      window().resize(size);
      for (const bool projector : {false, true}) {
        if (projector) bench_->key(Qt::Key_F5);
        window().say({MessageKind::Good, what, {}, "Untrained. Press Space to train it. " + what});
        QTRY_VERIFY(messages().isVisible());
        const auto& bar = *window().findChild<TopBar*>();
        const int below = messages().mapTo(&window(), messages().rect().bottomLeft()).y();
        QVERIFY2(below <= bar.mapTo(&window(), bar.rect().bottomLeft()).y(),
                 qPrintable(QString("%1, %2: %3, from %4")
                                .arg(size.width())
                                .arg(projector)
                                .arg(below)
                                .arg(messages().y())));
        const auto labels = messages().findChildren<ElidedLabel*>();
        QTRY_VERIFY(std::ranges::any_of(labels, &ElidedLabel::isElided));
        if (projector) bench_->key(Qt::Key_F5);
      }
    }
    window().say({MessageKind::Error, what, {}, what});  // the control: shown in full
    for (auto* label : messages().findChildren<ElidedLabel*>()) QVERIFY(!label->isVisible());
  }

  /// The central rectangle, with the rail closed and the inspector open.
  void thePictureHasItsShareOfTheWindow_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<Theme>("theme");
    QTest::addColumn<bool>("projector");
    for (const QSize size : {QSize(1280, 800), QSize(1280, 720), QSize(1600, 1000)})
      for (const auto& [name, theme] : {std::pair("dark", Theme::Dark),
                                        {"light", Theme::Light},
                                        {"high contrast", Theme::HighContrast}})
        for (const bool projector : {false, true})
          QTest::addRow("%d x %d, %s%s", size.width(), size.height(), name,
                        projector ? ", projector" : "")
              << size << theme << projector;
  }
  void thePictureHasItsShareOfTheWindow() {
    QFETCH(QSize, size);
    QFETCH(Theme, theme);
    QFETCH(bool, projector);
    window().resize(size);
    if (projector) bench_->key(Qt::Key_F5);
    bench_->style().setTheme(theme);
    messages().hide();
    for (const bool pinned : {false, true}) {
      if (pinned) {
        document().moments().pin(Pin::A, 0);
        document().moments().pin(Pin::B, 600);
      }
      for (const int screen : screens()) {
        window().showScreen(screen);
        // Train keeps its experiment where there is room for it.
        const bool experiment = screen == kTrain && !projector;
        QTRY_COMPARE(zones().isShown(Zones::kLeft), experiment);
        QVERIFY(zones().isShown(Zones::kRight));
        QCOMPARE(window().size(), size);
        const QSize picture = zones().screen(screen)->visibleRegion().boundingRect().size();
        const double share =
            double(picture.width()) * picture.height() / (double(size.width()) * size.height());
        QVERIFY2(share >= (experiment ? 0.45 : 0.6), qPrintable(QString("%1: %2 x %3, %4 %")
                                                                    .arg(screenName(screen))
                                                                    .arg(picture.width())
                                                                    .arg(picture.height())
                                                                    .arg(100 * share)));
      }
    }
    if (projector) bench_->key(Qt::Key_F5);
  }

  void onAProjectorMenusAreBehindAButton() {
    bench_->key(Qt::Key_F5);
    QVERIFY(!window().menuBar()->isVisible());
    window().showScreen(kTrain);
    bench_->key(Qt::Key_2);  // a shortcut of the menu bar
    QCOMPARE(window().screen(), int(kAttention));
    bench_->key(Qt::Key_F5);
    QVERIFY(window().menuBar()->isVisible());
  }

  /// What the left side of Flow has is above the diagram while that is folded.
  void theProjectorKeepsTheNumbersOfFlow() {
    window().resize(1280, 800);
    bench_->key(Qt::Key_F5);
    window().showScreen(kFlow);
    QTRY_VERIFY(zones().isShown(Zones::kRight));
    QVERIFY(!zones().isShown(Zones::kLeft));
    FlowView& flow = window().flow();
    QTRY_VERIFY(flow.isReady());
    const auto* answer = flow.findChild<TokenLine*>();  // of the view, not of its left side
    QVERIFY(answer != nullptr && answer->isVisible());
    flow.askWhy(1);
    flow.traceToInput();
    const QString way = flow.findChild<QLabel*>("flow-way")->text();
    QVERIFY2(way.startsWith("<a href=\"0\">u</a> ← ") && way.contains("looks at h (") &&
                 way.endsWith(">h</a>"),
             qPrintable(way));
    bench_->key(Qt::Key_F8);
    QVERIFY(!zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F7);
    QTRY_VERIFY(zones().isShown(Zones::kLeft));
    QVERIFY(flow.findChild<TokenLine*>() == nullptr);
  }

  void aNarrowWindowFoldsItsSides() {
    window().showScreen(kTrain);
    window().resize(1600, 900);
    QTRY_VERIFY(zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
    window().resize(900, 700);
    QTRY_VERIFY(!zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F7);
    QVERIFY(zones().isShown(Zones::kLeft) && !zones().isShown(Zones::kRight));
    QVERIFY(window().rect().contains(placeOf(*zones().side(Zones::kLeft))));
    bench_->key(Qt::Key_F8);
    QVERIFY(!zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
    QVERIFY(window().rect().contains(placeOf(*zones().side(Zones::kRight))));
    window().resize(640, 480);
    QCOMPARE(window().size(), QSize(640, 480));
    QVERIFY(window().rect().contains(placeOf(*zones().side(Zones::kRight))));
  }

  /// The left panel opens by itself where the picture keeps its share, and stays as one asks for it
  /// on each screen.
  void theRailUnfoldsAndRemembers() {
    window().resize(1280, 800);
    auto* rail = window().findChild<Rail*>();
    window().showScreen(kTrain);
    QCOMPARE(rail->text(), QString("Experiment"));
    QTRY_VERIFY(zones().isShown(Zones::kLeft));
    window().showScreen(kGrow);
    QCOMPARE(rail->text(), QString("What grows"));
    QTRY_VERIFY(!zones().isShown(Zones::kLeft));
    rail->click();
    QVERIFY(zones().isShown(Zones::kLeft));
    window().showScreen(kAttention);
    QVERIFY(!zones().isShown(Zones::kLeft));
    window().showScreen(kGrow);
    QVERIFY(zones().isShown(Zones::kLeft));
    const QByteArray state = zones().state();
    rail->click();
    zones().restore("something else");
    QVERIFY(!zones().isShown(Zones::kLeft));
    zones().restore(state);
    QVERIFY(zones().isShown(Zones::kLeft));
  }

  void nothingInTheBarsOverlaps_data() {
    QTest::addColumn<double>("scale");
    QTest::newRow("desk") << 1.0;
    QTest::newRow("projector") << 1.6;
  }
  void nothingInTheBarsOverlaps() {
    QFETCH(double, scale);
    bench_->style().setScale(scale);
    train::TrainConfig config = document().training().config();
    for (const std::int64_t end : {std::int64_t(0), std::int64_t(12'345'678)}) {
      config.stop.steps = end;
      document().training().setConfig(config);
      for (int width = int(640 * scale); width < 1700; width += 131) {
        window().resize(width, 700);
        QApplication::processEvents();
        for (QWidget* bar : {static_cast<QWidget*>(window().findChild<TopBar*>()),
                             static_cast<QWidget*>(window().findChild<TransportBar*>())}) {
          QList<QRect> taken;
          for (QWidget* child :
               bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!child->isVisible()) continue;
            const QRect place = child->geometry();
            QVERIFY2(child->minimumSizeHint().width() <= place.width(),
                     qPrintable(QString("%1: %2 is squeezed")
                                    .arg(width)
                                    .arg(child->metaObject()->className())));
            QVERIFY(bar->rect().contains(place));
            for (const QRect& other : taken) QVERIFY(!other.intersects(place));
            taken << place;
          }
        }
      }
    }
  }

  void f1ExplainsBesideTheScreenWhereverTheFocusIs() {
    messages().hide();
    window().resize(1600, 900);
    ExplanationPane& pane = zones().explanation();
    for (const int screen : {kTrain, kAttention, kMatrices, kGrow, kElastic}) {
      window().showScreen(screen);
      window().setFocus();
      bench_->key(Qt::Key_F1);
      QVERIFY2(pane.isVisible(), qPrintable(QString::number(screen)));
      QApplication::processEvents();
      QWidget* view = zones().screen(screen);
      QVERIFY(!placeOf(pane).intersects(placeOf(*view)));
      QVERIFY(window().rect().contains(placeOf(pane)));
      const auto* marks = window().findChild<PartMarks*>();
      QVERIFY(marks != nullptr);
      QVERIFY2(
          std::ranges::count_if(marks->marks(), [](const QRect& m) { return !m.isEmpty(); }) > 1,
          qPrintable(QString::number(screen)));
      bench_->key(Qt::Key_F1);
      QVERIFY(!pane.isVisible());
    }
    window().showScreen(kTrain);
    bench_->key(Qt::Key_F1);
    QVERIFY(pane.text().contains("nat: The unit"));
    window().showScreen(kAttention);
    QVERIFY(pane.isVisible());
    QVERIFY(pane.text().contains("All heads"));  // it follows
  }

 private:
  Zones& zones() { return *window().findChild<Zones*>(); }
  QRect placeOf(const QWidget& widget) {
    return {widget.mapTo(&window(), QPoint()), widget.size()};
  }
  /// Whether the middle is too small for the screen.
  bool scrolls() {
    const auto* area = zones().findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
    return area->verticalScrollBar()->maximum() > 0 || area->horizontalScrollBar()->maximum() > 0;
  }
};

TFM_TEST(TestWindowZones)
#include "test_window_zones.moc"
