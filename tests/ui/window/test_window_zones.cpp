// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the window, however small: folding sides, bars without overlap, and an explanation
// beside what it explains.
#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

#include "tests/test_program.h"
#include "tests/ui/window/window_bench.h"
#include "ui/figure/explanation_pane.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/transport/transport_bar.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/token_line.h"
#include "ui/window/top_bar.h"
#include "ui/window/zones.h"

using namespace tfm;
using namespace tfm::ui;

class TestWindowZones : public WindowTest {
  Q_OBJECT

 private slots:
  void theProjectorFitsASmallScreen() {
    messages().hide();
    window().resize(1280, 800);
    bench_->key(Qt::Key_F5);
    QCOMPARE(bench_->style().scale(), 1.6);
    // Elastic has more: its answers are visible, the draft row scrolls.
    for (const int screen : {kTrain, kAttention, kMatrices}) {
      window().showScreen(screen);
      QTest::qWait(50);
      QCOMPARE(window().size(), QSize(1280, 800));
      QVERIFY2(!scrolls(), qPrintable(QString::number(screen)));
    }
  }

  /// Half of Flow is its inspector; what the left side has is above the diagram then.
  void theProjectorKeepsTheNumbersOfFlow() {
    window().resize(1280, 800);
    bench_->key(Qt::Key_F5);
    window().showScreen(kAttention);
    QVERIFY(!zones().isShown(Zones::kRight));
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
    bench_->key(Qt::Key_F5);
    QTRY_VERIFY(zones().isShown(Zones::kLeft));
    QVERIFY(flow.findChild<TokenLine*>() == nullptr);
  }

  void aNarrowWindowFoldsItsSides() {
    window().resize(1600, 900);
    QVERIFY(zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
    window().resize(900, 700);
    QTRY_VERIFY(zones().isShown(Zones::kLeft) && !zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F8);
    QVERIFY(!zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
    QVERIFY(window().rect().contains(placeOf(*zones().side(Zones::kRight))));
    bench_->key(Qt::Key_F7);
    QVERIFY(zones().isShown(Zones::kLeft) && !zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F7);
    QVERIFY(!zones().isShown(Zones::kLeft));
    window().resize(640, 480);
    QCOMPARE(window().size(), QSize(640, 480));
    bench_->key(Qt::Key_F8);
    QVERIFY(zones().isShown(Zones::kRight));
    QVERIFY(window().rect().contains(placeOf(*zones().side(Zones::kRight))));
    bench_->key(Qt::Key_F8);
    bench_->key(Qt::Key_F7);
    window().resize(1600, 900);
    QTRY_VERIFY(zones().isShown(Zones::kLeft) && !zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F8);
    QVERIFY(zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
  }

  void onAProjectorASideIsShownOnRequest() {
    window().resize(1600, 900);
    bench_->key(Qt::Key_F5);
    QVERIFY(!zones().isShown(Zones::kLeft) && !zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F8);
    QVERIFY(zones().isShown(Zones::kRight));
    bench_->key(Qt::Key_F5);
    QTRY_VERIFY(zones().isShown(Zones::kLeft) && zones().isShown(Zones::kRight));
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
