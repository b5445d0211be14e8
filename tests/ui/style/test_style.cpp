// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QDir>
#include <QLineEdit>
#include <QSlider>
#include <QSvgRenderer>
#include <QToolButton>
#include <QVBoxLayout>

#include "tests/ui/ui_test.h"
#include "tests/ui/widgets/on_paper.h"
#include "ui/style/control_images.h"
#include "ui/style/icon_engine.h"
#include "ui/style/style_sheet.h"

using namespace tfm::ui;

namespace {

QImage drawn(const QIcon& icon, QIcon::Mode mode = QIcon::Normal, QIcon::State state = QIcon::Off) {
  return icon.pixmap(QSize(40, 40), 1.0, mode, state).toImage();
}

}  // namespace

class TestStyle : public QObject {
  Q_OBJECT

 private slots:
  void init() { style_ = std::make_unique<Style>(*qApp); }
  void cleanup() { style_.reset(); }

  void themeChangesColoursOnce() {
    QSignalSpy changed(style_.get(), &Style::changed);
    style_->setTheme(Theme::Light);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(qApp->palette().color(QPalette::Window), palette(Theme::Light).ground);
    QCOMPARE(&style_->palette(), &palette(Theme::Light));
    style_->setTheme(Theme::Light);
    QCOMPARE(changed.count(), 1);
  }

  void scaleIsClampedAndScalesAllSizes() {
    QCOMPARE(style_->px(7), 7);
    QCOMPARE(style_->textFont(13).pixelSize(), 13);
    style_->setScale(1.6);
    QCOMPARE(style_->px(10), 16);
    QCOMPARE(style_->px(0.1), 1);
    QCOMPARE(style_->px(0), 0);
    QCOMPARE(style_->textFont(15).pixelSize(), 24);
    QCOMPARE(style_->numberFont(15).pixelSize(), 24);
    QCOMPARE(qApp->font().pixelSize(), 21);
    QCOMPARE(Style::textFace(15).pixelSize(), 15);
    style_->setScale(0.1);
    QCOMPARE(style_->scale(), 0.8);
    style_->setScale(100);
    QCOMPARE(style_->scale(), 2.5);
  }

  void digitsHaveEqualWidths() {
    const QFontMetricsF metrics(style_->numberFont());
    QCOMPARE(metrics.horizontalAdvance("1111"), metrics.horizontalAdvance("8888"));
  }

  void motionReachesWidgets() {
    QSignalSpy changed(style_.get(), &Style::changed);
    style_->setMotion(false);
    style_->setMotion(false);
    QCOMPARE(changed.count(), 1);
    QVERIFY(!style_->motion());
  }

  void sheetHasNoOpenNames() {
    const ControlImages images;
    for (const Theme theme : {Theme::Dark, Theme::Light, Theme::HighContrast}) {
      style_->setTheme(theme);
      const QString sheet = styleSheet(*style_, images);
      QVERIFY(!sheet.contains('@'));
      QVERIFY(!sheet.contains(QRegularExpression("\\d+u\\b")));
      QVERIFY(sheet.contains(style_->palette().accent.name()));
    }
  }

  void controlImagesTakeTheColour() {
    const ControlImages images;
    QFile file(images.path("check", "#123456"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    QVERIFY(svg.contains("#123456"));
    QVERIFY(!svg.contains("currentColor"));
    QVERIFY(images.path("check", "#123456") != images.path("check", "#654321"));
  }

  void everyIconDraws() {
    const QStringList files = QDir(":/icons").entryList({"*.svg"});
    QVERIFY(files.size() >= 30);
    for (const QString& file : files) {
      QVERIFY2(QSvgRenderer(":/icons/" + file).isValid(), qPrintable(file));
      const QImage image = drawn(style_->icon(QFileInfo(file).completeBaseName()));
      QVERIFY2(pixelsOf(image, style_->palette().text) > 20, qPrintable(file));
    }
    QVERIFY_EXCEPTION_THROWN(drawn(style_->icon("no-such-icon")), std::logic_error);
  }

  void iconsFollowThemeAndState() {
    const QIcon icon = style_->icon("stop");
    QVERIFY(pixelsOf(drawn(icon), palette(Theme::Dark).text) > 100);
    style_->setTheme(Theme::Light);
    QVERIFY(pixelsOf(drawn(icon), palette(Theme::Light).text) > 100);
    QCOMPARE(pixelsOf(drawn(icon), palette(Theme::Dark).text), 0);
    // The selected screen, on its raised tab.
    QVERIFY(pixelsOf(drawn(icon, QIcon::Normal, QIcon::On), palette(Theme::Light).text) > 100);
    QVERIFY(pixelsOf(drawn(icon, QIcon::Disabled), disabledText(style_->palette())) > 100);
    const QIcon gold = style_->icon("stop", "#aabbcc");
    QVERIFY(pixelsOf(drawn(gold), "#aabbcc") > 100);
  }

  void iconsOutliveTheStyle() {
    const QIcon icon = style_->icon("stop");
    style_.reset();
    QCOMPARE(pixelsOf(drawn(icon), palette(Theme::Dark).text), 0);
  }

  void rolesChangeTheLookAtOnce() {
    QLabel label("words");
    label.ensurePolished();
    const int before = QFontInfo(label.font()).pixelSize();
    setRole(label, "title");
    QCOMPARE(QFontInfo(label.font()).pixelSize(), 18);
    QVERIFY(before < 18);
    setRole(label, "muted");
    QCOMPARE(label.palette().color(QPalette::WindowText), style_->palette().muted);
  }

  void focusIsSeen() {
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* field = new QLineEdit;
    auto* button = new QPushButton("Run");
    auto* tool = new QToolButton;
    for (QWidget* widget : std::initializer_list<QWidget*>{field, button, tool})
      layout->addWidget(widget);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    for (QWidget* widget : std::initializer_list<QWidget*>{field, button, tool}) {
      window.setFocus();
      const int without = pixelsOf(widget->grab().toImage(), style_->palette().accent);
      const QSize size = widget->size();
      widget->setFocus(Qt::TabFocusReason);
      QCoreApplication::processEvents();
      const int with = pixelsOf(widget->grab().toImage(), style_->palette().accent);
      // Two pixels along most of the outline.
      QVERIFY2(with - without > 2 * (size.width() + size.height()),
               widget->metaObject()->className());
      QCOMPARE(widget->size(), size);
    }
  }

  void focusIsSeenOnce() {
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    const std::vector<QWidget*> controls{new QPushButton("Run"), new QToolButton,
                                         new QCheckBox("From 0"), new QSlider(Qt::Horizontal)};
    for (QWidget* control : controls) layout->addWidget(control);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    for (QWidget* control : controls) {
      control->setFocus();
      // Tab and click show the same frame, and no other inside it.
      window.setAttribute(Qt::WA_KeyboardFocusChange, false);
      const QImage clicked = control->grab().toImage();
      window.setAttribute(Qt::WA_KeyboardFocusChange, true);
      QVERIFY2(control->grab().toImage() == clicked, control->metaObject()->className());
    }
  }

 private:
  std::unique_ptr<Style> style_;
};

TFM_TEST(TestStyle)
#include "test_style.moc"
