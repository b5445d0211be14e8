// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QTest>

#include "core/expand/grow.h"
#include "core/model/presets.h"
#include "tests/test_program.h"
#include "tests/ui/growth/sample_growths.h"
#include "ui/growth/growth_marks.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"

using namespace tfm::ui;
using tfm::expand::Entry;

class TestGrownCells : public QObject {
  Q_OBJECT

 private slots:

  void shapesAndCountsAreText() {
    QCOMPARE(feedForwardOut().shapeText(), QString("8 × 5 → 8 × 9"));
    QCOMPARE(feedForwardOut().countText(), QString("40 → 72"));
    QCOMPARE(feedForwardBias().shapeText(), QString("5 → 9"));
    QCOMPARE(feedForwardBias().rows(), 9);  // a vector is a column
    QCOMPARE(feedForwardBias().cols(), 1);
    QCOMPARE(feedForwardBias().rowAxis().before, 5);
    QCOMPARE(feedForwardBias().table().rows[8].mid(0, 2), (QStringList{"0", "8"}));
    QCOMPARE(unchanged().shapeText(), QString("6 × 8"));
    QCOMPARE(newLayer().shapeText(), QString("5 × 8"));
    QCOMPARE(newLayer().countText(), QString("0 → 40"));
  }

  void axesKnowTheirHeads() {
    const GrownCells cells = keys();
    QCOMPARE(cells.rowAxis().before, 35);
    QCOMPARE(cells.rowAxis().after, 56);
    QCOMPARE(cells.rowAxis().stripe_before, 5);
    QCOMPARE(cells.rowAxis().stripe_after, 8);
    QVERIFY(cells.rowAxis().name.contains(" × "));
    QCOMPARE(cells.colAxis().stripe_after, 0);
    QCOMPARE(cells.rowAxis().source[8], 5);   // the first key of the second head
    QCOMPARE(cells.rowAxis().source[5], -1);  // the first new one of the first head
  }

  void blocksCoverEveryCellOnceAndAgree() {
    for (const GrownCells& cells : sampleWall()) {
      std::vector<int> covered(static_cast<std::size_t>(cells.rows() * cells.cols()), 0);
      for (const CellBlock& block : cells.blocks())
        for (int row = block.row; row < block.row + block.rows; ++row)
          for (int col = block.col; col < block.col + block.cols; ++col) {
            ++covered[static_cast<std::size_t>(row * cells.cols() + col)];
            QVERIFY(cells.entry(row, col) == block.entry);
          }
      for (const int times : covered) QCOMPARE(times, 1);
    }
    QCOMPARE(feedForwardOut().blocks().size(), std::size_t{2});
    QCOMPARE(square(4, 2).blocks().size(), std::size_t{4});
  }

  void factorsAreText() {
    QCOMPARE(keys().factorText(), QString("× 1.2649"));
    QCOMPARE(duplicated().factorText(), QString("× 0.5"));
    QVERIFY(feedForwardIn().factorText().isEmpty());
  }

  void rangesOfFactorsAreText() {
    QCOMPARE(factorText(1.5, 1.5), QString("× 1.5"));
    QCOMPARE(factorText(0.25, 0.75), QString("× 0.25 … 0.75"));
    QCOMPARE(keys().factors().first, keys().factors().second);
  }

  void framesOfRescaledCellsAreVisibleOnEveryBackground() {
    for (const Theme theme : {Theme::Dark, Theme::Light, Theme::HighContrast}) {
      const Palette& palette = tfm::ui::palette(theme);
      for (const double value : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const QColor ground = signedColor(palette, value, 1.0);
        QImage image(40, 40, QImage::Format_RGB32);
        image.fill(ground);
        QPainter painter(&image);
        paintMark(painter, QRectF(0, 0, 40, 40), Entry::Scaled, ground, palette, 2.0);
        painter.end();
        const QColor frame = image.pixelColor(20, 2);
        QVERIFY2(contrast(frame, ground) >= 2.9 || difference(frame, ground) >= 0.24,
                 qPrintable(QString("%1 on %2").arg(frame.name(), ground.name())));
      }
    }
  }

  void valuesBeforeComeFromTheSource() {
    const GrownCells cells = keys();
    QCOMPARE(cells.after(8, 3), static_cast<float>(*cells.before(8, 3) * std::sqrt(8.0 / 5.0)));
    QVERIFY(!cells.before(5, 0));
    QVERIFY(!newLayer().before(0, 0));
    // Both copies of a component come from the same one.
    QCOMPARE(*duplicated().before(2, 3), *duplicated().before(2, 11));
    QVERIFY(duplicated().colAxis().is_new[11] && !duplicated().colAxis().is_new[3]);
  }

  void everyKindIsDescribed() {
    const QString zero = feedForwardOut().describe(2, 6);
    QVERIFY2(zero.startsWith("decoder.layers.0.feed_forward.out.weight[2, 6]: new, 0. "),
             qPrintable(zero));
    QVERIFY(zero.contains("Must be zero"));
    QVERIFY(feedForwardIn().describe(6, 0).contains("Free"));
    QVERIFY(feedForwardIn().describe(0, 0).contains("Copied"));
    QVERIFY(keys().describe(0, 0).contains("× 1.2649"));
    QVERIFY(keys().describe(0, 0).contains(" → "));
    QVERIFY(keys(1).describe(55, 0).contains("Padding"));
    QVERIFY(averaged().describe(0, 9).contains("Mean"));
    QVERIFY(centred().describe(0, 0).contains("Adjusted"));
    QVERIFY(feedForwardBias().describe(3, 0).contains("bias[3]"));
  }

  void brokenZerosAreFound() {
    QVERIFY(!feedForwardOut().violates(2, 6));
    const GrownCells broken = feedForwardOut(true);
    QVERIFY(broken.violates(2, 6));
    QVERIFY(!broken.violates(2, 2));
    QVERIFY(broken.isBroken() && !feedForwardOut().isBroken());
    QVERIFY(broken.describe(2, 6).contains("is not"));
    QVERIFY(!broken.describe(2, 6).contains(markReason(Entry::Zero)));
  }

  void onlyWhatChangesChanges() {
    QVERIFY(!unchanged().changes());
    QVERIFY(feedForwardIn().changes());
    QVERIFY(newLayer().changes());
    // The same shape, other values.
    const tfm::Shape shape{dimensionOf(tfm::Axis::Hidden, 3), dimensionOf(tfm::Axis::Hidden, 3)};
    QVERIFY(grown("w", shape, shape, longer(3, 0), longer(3, 0), 2.0).changes());
  }

  void theTableHasEveryCellInFull() {
    const DataTable table = keys().table();
    QCOMPARE(table.rows.size(), std::size_t{56 * 8});
    const QStringList& first = table.rows.front();
    QCOMPARE(first[2], QString("rescaled"));
    QCOMPARE(first[3].toDouble(), std::sqrt(8.0 / 5.0));
    QCOMPARE(first[4].toFloat(), *keys().before(0, 0));
    QCOMPARE(first[5].toFloat(), keys().after(0, 0));
    const QStringList& added = table.rows[5 * 8];
    QCOMPARE(added[2], QString("zero"));
    QVERIFY(added[3].isEmpty() && added[4].isEmpty());
    QCOMPARE(added[5], QString("0"));
  }

  /// Old keys that are not rescaled, on purpose: nothing else about them is wrong.
  void missingFactorsAreFound() {
    using enum tfm::expand::Break;
    for (const tfm::expand::Break broken : {None, NoKeyRescale, RandomInsteadOfZero}) {
      tfm::expand::Growth growth;
      growth.kind = tfm::expand::Kind::KeySize;
      growth.size = 9;
      growth.broken = broken;
      const auto before = std::make_shared<const tfm::ModelState>(
          tfm::initialState(tfm::presetNamed("rot13").config(), 1));
      const auto grown =
          std::make_shared<const tfm::expand::Grown>(tfm::expand::grow(*before, {growth}));
      for (const auto& matrix : tfm::expand::grownMatrices(before, grown)) {
        if (!QString::fromStdString(matrix.growth.after.name).endsWith(".key.weight")) continue;
        const GrownCells cells(matrix);
        QCOMPARE(cells.lacksFactor(), broken == NoKeyRescale);
        QCOMPARE(cells.isBroken(), broken == RandomInsteadOfZero);
        QCOMPARE(cells.describe(0, 0).contains("Should be rescaled but is not"),
                 broken == NoKeyRescale);
      }
    }
  }

  void numbersMustFitTheShape() {
    tfm::expand::GrownMatrix matrix;
    matrix.growth.after.shape = {dimensionOf(tfm::Axis::Hidden, 3)};
    matrix.growth.rows = longer(1, 0);
    matrix.growth.cols = longer(3, 0);
    matrix.after = std::vector<float>{1, 2};
    QVERIFY_THROWS_EXCEPTION(std::logic_error, GrownCells(std::move(matrix)));
  }
};

TFM_TEST(TestGrownCells)
#include "test_grown_cells.moc"
