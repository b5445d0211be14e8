// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QImage>
#include <QToolTip>
#include <algorithm>

#include "tests/ui/ui_test.h"
#include "ui/widgets/elided_label.h"

using namespace tfm::ui;

namespace {

constexpr int kLines = 2;
constexpr int kWidth = 240;

/// Whether the label, at its preferred height, has text on this line.
bool hasInk(ElidedLabel& label, int line) {
  label.resize(kWidth, label.heightForWidth(kWidth));
  const QImage image = label.grab().toImage();
  const int high = label.fontMetrics().lineSpacing();
  const QRgb ground = image.pixel(image.width() - 1, image.height() - 1);
  for (int y = line * high; y < std::min(image.height(), (line + 1) * high); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) != ground) return true;
  return false;
}

/// The tooltip of the label.
QString tipOf(ElidedLabel& label) {
  QToolTip::hideText();
  QTest::qWait(400);  // a hidden tip keeps its text for a moment
  QHelpEvent help(QEvent::ToolTip, QPoint(5, 5), label.mapToGlobal(QPoint(5, 5)));
  QApplication::sendEvent(&label, &help);
  return QToolTip::isVisible() ? QToolTip::text() : QString();
}

}  // namespace

class TestElidedLabel : public UiTest {
  Q_OBJECT

 private:
  std::unique_ptr<ElidedLabel> label_;

 private slots:
  void init() { label_ = std::make_unique<ElidedLabel>("strong", kLines); }
  void cleanup() { label_.reset(); }

  void neitherWordsNorSentencesWidenIt_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("sentence") << QString("many short words ").repeated(40);
    QTest::newRow("word") << QString(400, 'm');
  }
  void neitherWordsNorSentencesWidenIt() {
    QFETCH(QString, text);
    label_->setText("short");
    const QSize least = label_->minimumSizeHint(), usual = label_->sizeHint();
    const int one = label_->heightForWidth(kWidth);
    label_->setText(text);
    QCOMPARE(label_->minimumSizeHint(), least);
    QCOMPARE(label_->sizeHint(), usual);
    QCOMPARE(label_->heightForWidth(kWidth), kLines * one);
    QVERIFY(hasInk(*label_, 0) && hasInk(*label_, 1));
    QVERIFY(label_->isElided());
  }

  void fittingTextIsNotElided() {
    label_->setText("short");
    QVERIFY(hasInk(*label_, 0) && !hasInk(*label_, 1));
    QVERIFY(!label_->isElided());
    label_->setText("Two lines\nin the text are one on the screen");
    label_->resize(2000, 100);
    QVERIFY(!label_->isElided());
    QCOMPARE(label_->heightForWidth(2000), label_->fontMetrics().lineSpacing());
  }

  void theTooltipHasTheFullText() {
    label_->show();
    label_->resize(kWidth, 60);
    label_->setText("<b> is no markup");
    QVERIFY(tipOf(*label_).isEmpty());
    label_->setText("<b> is no markup" + QString(" and words follow").repeated(30));
    QVERIFY2(tipOf(*label_).contains("&lt;b&gt; is no markup"), qPrintable(tipOf(*label_)));
  }

  void aLongLastWordIsElided() {
    label_->setText(QString("mmmm ").repeated(3) + QString(300, 'm') + " a " + QString(300, 'i'));
    label_->resize(kWidth, 60);
    QVERIFY(label_->isElided());
  }
};

TFM_TEST(TestElidedLabel)
#include "test_elided_label.moc"
