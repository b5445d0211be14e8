// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <utility>

#include "core/model/presets.h"
#include "tests/ui/ui_test.h"
#include "ui/elastic/nested_frames.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

ModelState smallModel() {
  ModelConfig config = presetNamed("small-sequence").config();
  setUniform(config, 1, 1, {2, 4, 4, 16, 1e-5});
  config.hidden = 6;
  config.embedding_scale = 1.0;
  return initialState(config, 7);
}

const std::vector<WidthTick> kFrameTicks{{"S", 2}, {"M", 4}, {"L", 8}, {"XL", 16}};

}  // namespace

class TestNestedFrames : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<NestedFrames> frames_;

  QImage picture() const { return frames_->grab().toImage(); }
  /// The distance between two colours.
  static int apart(QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) +
           std::abs(qBlue(a) - qBlue(b));
  }

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    frames_ = std::make_unique<NestedFrames>(*style_);
    frames_->setLayer(nestedLayer(smallModel(), 1));
    frames_->setTicks(kFrameTicks);
    frames_->setWidth(4);
    frames_->resize(420, 400);
    frames_->show();
    QVERIFY(QTest::qWaitForWindowExposed(frames_.get()));
  }
  void cleanup() {
    frames_.reset();
    style_.reset();
  }

  void theNumbersAreTheModelsOwn() {
    const ModelState state = smallModel();
    const NestedLayer& layer = frames_->layer();
    QCOMPARE(layer.name, QString("decoder layer 1"));
    const ParameterInfo* first = state.layout.find("decoder.layers.0.feed_forward.linear1.weight");
    const ParameterInfo* second = state.layout.find("decoder.layers.0.feed_forward.linear2.weight");
    QVERIFY(first && second);
    for (int unit : {0, 3, 15})
      for (int hidden : {0, 5}) {
        const auto at = std::size_t(hidden * layer.units + unit);
        QCOMPARE(layer.reads[at],
                 state.parameters[std::size_t(first->offset + unit * layer.hidden + hidden)]);
        QCOMPARE(layer.writes[at],
                 state.parameters[std::size_t(second->offset + hidden * layer.units + unit)]);
      }
    // The control: another layer has other numbers.
    QVERIFY(nestedLayer(state, 0).reads != layer.reads);
  }

  void framesLieInsideEachOtherAndEndAtTheirWidths() {
    const NestedFramesLayout& layout = frames_->layoutShown();
    QCOMPARE(layout.frames.size(), kFrameTicks.size());
    for (std::size_t i = 0; i < kFrameTicks.size(); ++i) {
      if (i > 0) QVERIFY(layout.frames[i].contains(layout.frames[i - 1]));
      const int width = kFrameTicks[i].width;
      QVERIFY(layout.frames[i].right() > layout.edge(width));
      if (width < 16) QVERIFY(layout.frames[i].right() < layout.edge(width + 1));
      QVERIFY2(!layout.labels[i].isEmpty(), "every frame has its name where there is room");
    }
  }

  void theOutsideFades() {
    const QImage image = picture();
    const QRgb ground = style_->palette().ground.rgb();
    double inside = 0.0, outside = 0.0;
    for (int row = 0; row < 12; ++row)
      for (int col = 0; col < 16; ++col) {
        const int distance =
            apart(image.pixel(frames_->cellRect(row, col).center().toPoint()), ground);
        (col < 4 ? inside : outside) += distance / (col < 4 ? 48.0 : 144.0);
      }
    QVERIFY2(outside < 0.4 * inside, qPrintable(QString("%1 %2").arg(outside).arg(inside)));
    // The control: nothing of the whole fades.
    frames_->setWidth(16);
    const QImage whole = picture();
    const QPoint last = frames_->cellRect(3, 14).center().toPoint();
    QVERIFY(image.pixel(last) != whole.pixel(last));
    const QPoint first = frames_->cellRect(3, 1).center().toPoint();
    QCOMPARE(image.pixel(first), whole.pixel(first));
  }

  void cellsAreRecolouredOnlyWhereTheyDiffer() {
    const QImage before = picture();
    const auto key = [this] {
      picture();
      return frames_->pictureShown().cacheKey();
    };
    const qint64 first = key();
    QCOMPARE(key(), first);
    frames_->setWidth(8);
    frames_->showLock(Cell{2, 3});
    QCOMPARE(key(), first);
    QVERIFY(picture() != before);
    // The controls: other numbers, size, theme or zoom.
    qint64 last = first;
    const auto colouredAnew = [&] {
      const qint64 before = std::exchange(last, key());
      return last != before;
    };
    QVERIFY(!colouredAnew());
    frames_->setLayer(nestedLayer(smallModel(), 0));
    QVERIFY(colouredAnew());
    frames_->resize(430, 400);
    QVERIFY(colouredAnew());
    style_->setTheme(Theme::Light);
    QVERIFY(colouredAnew());
    style_->setScale(1.6);
    QVERIFY(colouredAnew());
    QVERIFY(!colouredAnew());
  }

  void aCellIsDescribed() {
    const QString reads = frames_->itemText(5 * frames_->layer().units + 3);
    QVERIFY(reads.contains("unit 4 reads hidden 6"));
    QVERIFY(reads.contains("linear1, row 4, column 6"));
    QVERIFY(reads.contains("In M, L, XL; inside"));
    const QString writes = frames_->itemText(6 * frames_->layer().units + 9);
    QVERIFY(writes.contains("unit 10 writes into hidden 1"));
    QVERIFY(writes.contains("linear2, row 1, column 10"));
    QVERIFY(writes.contains("In XL; outside"));
  }

  void cellsOfBothMatricesAreHovered() {
    const QSignalSpy hovered(frames_.get(), &CellGrid::hovered);
    QTest::mouseMove(frames_->viewport(), frames_->cellRect(2, 9).center().toPoint());
    QTRY_VERIFY(!hovered.isEmpty());
    QCOMPARE(hovered.back()[0].toInt(), 2 * 16 + 9);
    QTest::mouseMove(frames_->viewport(), frames_->cellRect(8, 3).center().toPoint());
    QCOMPARE(hovered.back()[0].toInt(), 8 * 16 + 3);
  }

  void theEdgeIsDraggedAndStaysAtFrames() {
    const QSignalSpy dragged(frames_.get(), &NestedFrames::widthDragged);
    const NestedFramesLayout layout = frames_->layoutShown();
    const double y = frames_->edgeRect().center().y();
    const auto at = [&](double x) { return QPoint(int(std::lround(x)), int(y)); };
    QTest::mousePress(frames_->viewport(), Qt::LeftButton, {}, at(layout.edge(4)));
    QTest::mouseMove(frames_->viewport(), at(layout.edge(11)));
    QCOMPARE(frames_->chosenWidth(), 11);
    QTest::mouseMove(frames_->viewport(), at(layout.edge(8) + 3));
    QCOMPARE(frames_->chosenWidth(), 8);
    QTest::mouseMove(frames_->viewport(), at(-50));
    QCOMPARE(frames_->chosenWidth(), 1);
    QTest::mouseMove(frames_->viewport(), at(5000));
    QCOMPARE(frames_->chosenWidth(), 16);
    QTest::mouseRelease(frames_->viewport(), Qt::LeftButton, {}, at(5000));
    QCOMPARE(dragged.size(), 4);
    // The control: beside the edge nothing is dragged, and setting a width emits nothing.
    frames_->setWidth(4);
    QTest::mousePress(frames_->viewport(), Qt::LeftButton, {}, at(layout.edge(9)));
    QTest::mouseMove(frames_->viewport(), at(layout.edge(12)));
    QTest::mouseRelease(frames_->viewport(), Qt::LeftButton, {}, at(layout.edge(12)));
    QCOMPARE(frames_->chosenWidth(), 4);
    QCOMPARE(dragged.size(), 4);
  }

  void newNumbersKeepTheLockOtherLayersClearIt() {
    frames_->showLock(Cell{11, 15});
    frames_->setLayer(nestedLayer(smallModel(), 1));
    QVERIFY(frames_->lockedCell().has_value());
    NestedLayer small{"small", 2, 2, {1, 2, 3, 4}, {1, 2, 3, 4}};
    frames_->setLayer(small);
    QVERIFY(!frames_->lockedCell().has_value());
    QCOMPARE(frames_->chosenWidth(), 2);
  }

  void theTableHasEveryNumberOnce() {
    const DataTable table = frames_->figureData();
    QCOMPARE(table.rows.size(), std::size_t(2 * 6 * 16));
    QCOMPARE(table.rows.front().size(), table.columns.size());
    int inside = 0;
    for (const QStringList& row : table.rows) inside += row.back() == "1" ? 1 : 0;
    QCOMPARE(inside, 2 * 6 * 4);
  }

  void paperShowsWhatTheScreenShows() {
    QImage paper(420, 400, QImage::Format_RGB32);
    paper.fill(style_->palette().ground);
    QPainter painter(&paper);
    frames_->paintFigure(painter, QRectF(0, 0, 420, 400), style_->palette());
    painter.end();
    const QPoint cell = frames_->cellRect(2, 2).center().toPoint();
    QCOMPARE(paper.pixel(cell), picture().pixel(cell));
  }
};

TFM_TEST(TestNestedFrames)
#include "test_nested_frames.moc"
