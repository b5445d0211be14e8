// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>
#include <memory>

#include "tests/test_program.h"
#include "tests/ui/growth/sample_growths.h"
#include "tests/ui/heatmap/svg_of.h"
#include "ui/growth/logit_overlay.h"
#include "ui/style/style.h"

using namespace tfm::ui;

namespace {

std::vector<LogitPair> logitsThatDifferBy(double size, int count = 26) {
  SampleValues values;
  std::vector<LogitPair> logits;
  for (int i = 0; i < count; ++i) {
    const double before = values.next(3.0F);
    logits.push_back({QString("t%1").arg(i), before, before + (i % 2 == 0 ? size : -size / 3)});
  }
  return logits;
}

}  // namespace

class TestLogitOverlay : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<Style> style_;
  std::unique_ptr<LogitOverlay> overlay_;

  int pixelsOf(const QColor& color) const {
    overlay_->resize(overlay_->sizeHint());
    const QImage image = overlay_->grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb();
    return count;
  }

 private slots:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    overlay_ = std::make_unique<LogitOverlay>(*style_);
  }
  void cleanup() {
    overlay_.reset();
    style_.reset();
  }

  void roundingIsMagnifiedAndGood() {
    overlay_->setLogits(logitsThatDifferBy(4.2e-7), 1e-5);
    QCOMPARE(overlay_->magnifiedBy(), QString("× 10⁻⁷"));
    const QByteArray svg = svgOf(*overlay_);
    QVERIFY(svg.contains(">Difference × 10⁻⁷, largest 4.2 × 10⁻⁷<"));
    QVERIFY(svg.contains(">+5<"));
    // Bars that fill most of the lower plot, in the good colour.
    QVERIFY(pixelsOf(style_->palette().good) > 1000);
    QCOMPARE(pixelsOf(style_->palette().bad), 0);
  }

  void brokenGrowthIsSeen() {
    overlay_->setLogits(logitsThatDifferBy(1.5), 1e-5);
    QVERIFY(overlay_->magnifiedBy().isEmpty());
    QVERIFY(pixelsOf(style_->palette().bad) > 1000);
    QCOMPARE(pixelsOf(style_->palette().good), 0);
  }

  void noDifferenceIsShownAsNone() {
    overlay_->setLogits(logitsThatDifferBy(0.0), 0.0);
    QCOMPARE(overlay_->largestDifference(), 0.0);
    QVERIFY(svgOf(*overlay_).contains(">Difference: none<"));
    QCOMPARE(pixelsOf(style_->palette().bad), 0);
  }

  void nanIsShown() {
    auto logits = logitsThatDifferBy(0.0);
    logits[3].after = std::numeric_limits<double>::quiet_NaN();
    overlay_->setLogits(logits, 1e-5);
    QVERIFY(std::isnan(overlay_->largestDifference()));
    QVERIFY(svgOf(*overlay_).contains(">Difference: NaN<"));
  }

  void largeVocabulariesAreReduced() {
    auto logits = logitsThatDifferBy(1e-7, 5000);
    logits[4321].after += 0.5;
    overlay_->setLogits(logits, 1e-5);
    const QByteArray svg = svgOf(*overlay_);
    QVERIFY(svg.contains("(40 of 5000:"));
    QVERIFY(pixelsOf(style_->palette().bad) > 100);  // the wrong one is among them
    QCOMPARE(overlay_->figureData().rows.size(), std::size_t{5000});
    QVERIFY(overlay_->figureSize().width() < 1300);
  }

  /// Two classes use the width and have names; bars do not get too wide.
  void fewBarsAreSpreadAndNamed() {
    overlay_->setLogits(
        {{"unbalanced", 2.0, 2.0 + 1e-7}, {"perfectly balanced", -1.0, -1.0 - 1e-7}}, 1e-5);
    QVERIFY(svgOf(*overlay_).contains(">unbalanced<"));
    overlay_->resize(900, 320);
    const QImage image = overlay_->grab().toImage();
    std::vector<int> columns;  // that have something of a difference's bar
    for (int x = 0; x < image.width(); ++x)
      for (int y = 0; y < image.height(); ++y)
        if (image.pixel(x, y) == style_->palette().good.rgb()) {
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
    QVERIFY(overlay_->accessibleDescription().startsWith("'t0': before "));
    QVERIFY(overlay_->accessibleDescription().contains("difference 4.20e-07"));
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
