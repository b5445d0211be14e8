// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "tests/ui/heatmap/svg_of.h"
#include "tests/ui/plots/plot_test.h"
#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/plots/logit_overlay.h"

using namespace tfm::ui;

namespace {

std::vector<LogitPair> logitsThatDifferBy(double size, int count = 26) {
  std::vector<LogitPair> logits;
  for (int i = 0; i < count; ++i) {
    const double before = 3 * std::sin(i * 12.9898);
    logits.push_back({QString("t%1").arg(i), before, before + (i % 2 == 0 ? size : -size / 3)});
  }
  return logits;
}

}  // namespace

class TestLogitOverlay : public PlotTest {
  Q_OBJECT
  std::unique_ptr<LogitOverlay> overlay_;

  int pixelsOf(const QColor& color) const { return tfm::ui::pixelsOf(onPaper(*overlay_), color); }

 private slots:
  void init() { overlay_ = std::make_unique<LogitOverlay>(style_); }
  void cleanup() { overlay_.reset(); }

  void roundingIsMagnifiedAndGood() {
    overlay_->setLogits(logitsThatDifferBy(4.2e-7), 1e-5);
    QVERIFY(svgOf(*overlay_).contains("Difference, largest 4.2 × 10⁻⁷"));
    // Bars that fill most of the lower plot, in the colour of what is well.
    QVERIFY(pixelsOf(paperPalette().good) > 1000);
    QCOMPARE(pixelsOf(paperPalette().bad), 0);
  }

  void brokenGrowthIsSeen() {
    overlay_->setLogits(logitsThatDifferBy(1.5), 1e-5);
    QVERIFY(pixelsOf(paperPalette().bad) > 1000);
    QCOMPARE(pixelsOf(paperPalette().good), 0);
  }

  void noDifferenceIsShownAsNone() {
    overlay_->setLogits(logitsThatDifferBy(0.0), 0.0);
    QVERIFY(svgOf(*overlay_).contains("Difference: exactly zero"));
    QCOMPARE(pixelsOf(paperPalette().bad), 0);
  }

  void nanIsShown() {
    auto logits = logitsThatDifferBy(0.0);
    logits[3].after = std::numeric_limits<double>::quiet_NaN();
    overlay_->setLogits(logits, 1e-5);
    QVERIFY(svgOf(*overlay_).contains("Difference: not a number"));
  }

  void largeVocabulariesAreReduced() {
    auto logits = logitsThatDifferBy(1e-7, 5000);
    logits[4321].after += 0.5;
    overlay_->setLogits(logits, 1e-5);
    const QByteArray svg = svgOf(*overlay_);
    QVERIFY(svg.contains("(40 of 5000:"));
    QVERIFY(pixelsOf(paperPalette().bad) > 100);  // the one that is wrong is among them
    QCOMPARE(overlay_->figureData().rows.size(), std::size_t{5000});
    QVERIFY(overlay_->figureSize().width() < 1300);
  }

  /// Two classes use the width and have their names; neither bar becomes a wall.
  void fewBarsAreSpreadAndNamed() {
    overlay_->setLogits(
        {{"unbalanced", 2.0, 2.0 + 1e-7}, {"perfectly balanced", -1.0, -1.0 - 1e-7}}, 1e-5);
    QVERIFY(svgOf(*overlay_).contains("unbalanced"));
    QImage image(900, 320, QImage::Format_RGB32);
    QPainter painter(&image);
    overlay_->paintFigure(painter, image.rect(), paperPalette());
    std::vector<int> columns;  // that have something of a difference's bar
    for (int x = 0; x < image.width(); ++x)
      for (int y = 0; y < image.height(); ++y)
        if (image.pixel(x, y) == paperPalette().good.rgb()) {
          columns.push_back(x);
          break;
        }
    QVERIFY(!columns.empty());
    QVERIFY2(columns.front() > 150 && columns.front() < 400, "the first, in the left half");
    QVERIFY2(columns.back() > 600, "the second, in the right half");
    QVERIFY2(columns.size() > 60 && columns.size() < 160,
             qPrintable(QString::number(columns.size())));
  }

  void barsAreReachedByKeysAndSpoken() {
    overlay_->setLogits(logitsThatDifferBy(4.2e-7), 1e-5);
    QTest::keyClick(overlay_.get(), Qt::Key_Right);
    QVERIFY(overlay_->spokenText().startsWith("'t0': before "));
    QVERIFY(overlay_->spokenText().contains("difference 4.20e-07"));
  }

  void theTableHasFullPrecision() {
    const auto logits = logitsThatDifferBy(4.2e-7);
    overlay_->setLogits(logits, 1e-5);
    const QStringList row = overlay_->figureData().rows[1];
    QCOMPARE(row[1].toDouble(), logits[1].before);
    QCOMPARE(row[3].toDouble(), logits[1].after - logits[1].before);
  }
};

TFM_TEST(TestLogitOverlay)
#include "test_logit_overlay.moc"
