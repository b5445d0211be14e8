// SPDX-License-Identifier: GPL-3.0-or-later
// The source documents with our numbers beside theirs, computed in the
// background.
#include <qcustomplot.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <memory>

#include "tests/test_program.h"
#include "ui/document/screens.h"
#include "ui/study/claim_table.h"
#include "ui/study/drawing_plot.h"
#include "ui/study/source_figures.h"
#include "ui/study/sources_dialog.h"
#include "ui/study/study_controls.h"
#include "ui/style/style.h"
#include "ui/widgets/segmented.h"

using namespace tfm;
using namespace tfm::ui;

namespace {

int placeOf(const char* name) {
  for (std::size_t i = 0; i < reproduce::sources().size(); ++i)
    if (reproduce::sources()[i].name == name) return int(i);
  qFatal("no source document %s", name);
}

reproduce::Claim two() {
  return {.text = "two", .printed = {2}, .how = "counted", .where = "info", .ours = [] {
            return reproduce::Numbers{2};
          }};
}

}  // namespace

class TestSourcesDialog : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    dialog_ = std::make_unique<SourcesDialog>(*style_);
    dialog_->show();
  }
  void cleanup() { dialog_.reset(); }

  void everyNumberOfEveryDocumentIsComputed() {
    QCOMPARE(dialog_->sources().count(), int(reproduce::sources().size()));
    for (int i = 0; i < dialog_->sources().count(); ++i) {
      dialog_->choose(i);
      QTRY_VERIFY_WITH_TIMEOUT(isComputed(), kPatience);
      QVERIFY(!dialog_->study().problem());
      const auto& claims = dialog_->claims().claims();
      QCOMPARE(claims.size(), dialog_->source().claims().size());
      QCOMPARE(dialog_->claims().rowCount(), int(claims.size()));
      for (int row = 0; row < int(claims.size()); ++row) {
        const reproduce::Checked& one = claims[std::size_t(row)];
        const QString expected = one.claim.trains()        ? "not yet"
                                 : !one.claim.isComputed() ? "–"
                                 : one.claim.right.empty() ? "yes"
                                                           : "refuted, as expected";
        QVERIFY2(dialog_->claims().item(row, 4)->text() == expected, one.claim.text.c_str());
      }
    }
  }

  void aNumberThatDisagreesIsSaid() {
    ClaimTable table(*style_);
    reproduce::Claim claim = two();
    claim.printed = {3};
    table.setClaims("control", {reproduce::check(two()), reproduce::check(claim)});
    QCOMPARE(table.item(0, 4)->text(), QString("yes"));
    QCOMPARE(table.item(1, 4)->text(), QString("no"));
    claim.right = {2};
    table.setClaims("control", {reproduce::check(two()), reproduce::check(claim)});
    QCOMPARE(table.item(1, 4)->text(), QString("refuted, as expected"));
    claim.ours = nullptr;
    table.setClaims("control", {reproduce::check(claim)});
    QCOMPARE(table.item(0, 4)->text(), QString("–"));
  }

  void theCurrentClaimIsSaidInFull() {
    dialog_->choose(placeOf("annotated-transformer"));
    QTRY_VERIFY_WITH_TIMEOUT(isComputed(), kPatience);
    chooseClaim("A tiny encoder-decoder has over 140 thousand");
    QVERIFY(dialog_->details().text().contains("Printed: 140000"));
    QVERIFY(dialog_->details().text().contains("Ours: 31903"));
    QVERIFY(dialog_->wrong().isVisible());
    QVERIFY(dialog_->wrong().text().contains("heads of size 17"));
    chooseClaim("28 tokens");
    QVERIFY(!dialog_->wrong().isVisible());
    chooseClaim("hey, there, ma, dood");  // a list that the table cuts short
    QVERIFY(dialog_->claims().item(dialog_->claims().currentRow(), 1)->text().endsWith("…"));
    QVERIFY(dialog_->details().text().contains("14  14  3  27"));
  }

  void aClickLeadsToItsScreen() {
    int seen = -1;
    std::string_view name;
    std::string model;
    connect(dialog_.get(), &SourcesDialog::seeRequested, dialog_.get(),
            [&](const reproduce::Source& source, int screen, const std::string& preset) {
              seen = screen;
              name = source.name;
              model = preset;
            });
    dialog_->choose(placeOf("lightweight-notes"));
    chooseClaim("512 features in 4 groups");
    dialog_->seeButton().click();
    QCOMPARE(kScreens[std::size_t(seen)].name, std::string_view("Shape"));
    QCOMPARE(name, std::string_view("lightweight-notes"));
    QCOMPARE(model, std::string("delight-wmt14-en-de-256"));
    QVERIFY(dialog_->details().text().contains("Shape, Width, of delight-wmt14-en-de-256"));
    chooseClaim("Base: 12 layers");
    emit dialog_->claims().cellActivated(dialog_->claims().currentRow(),
                                         0);  // a double-click
    QCOMPARE(model, std::string("funnel-b4-4-4-h768"));
    chooseClaim("Small: 6 layers");  // nowhere
    QVERIFY(!dialog_->seeButton().isVisible());
    QVERIFY(!dialog_->figureButton().isVisible());
    emit dialog_->claims().cellActivated(dialog_->claims().currentRow(), 0);
    QCOMPARE(model, std::string("funnel-b4-4-4-h768"));  // the control
    dialog_->choose(placeOf("encoder-layer-notebook"));
    chooseClaim("(the definition's weights");
    dialog_->seeButton().click();
    QCOMPARE(model, std::string());  // its recipe
    reproduce::Claim claim = two();
    claim.where = "Grow, Prove; Train";
    QCOMPARE(screenOf(claim), std::optional(3));  // the first that is named
    claim.where = "train --preset rot13";
    QCOMPARE(screenOf(claim), std::optional<int>());
  }

  void aDoubleClickOpensADocument() {
    std::string_view opened;
    connect(dialog_.get(), &SourcesDialog::openRequested, dialog_.get(),
            [&](const reproduce::Source& source) { opened = source.name; });
    dialog_->choose(1);
    emit dialog_->sources().itemActivated(dialog_->sources().item(1));
    QCOMPARE(opened, reproduce::sources()[1].name);
  }

  void aClickLeadsToItsFigure() {
    dialog_->choose(placeOf("lightweight-notes"));
    chooseClaim("[x1 ... x4, y1 ... y4]");
    dialog_->figureButton().click();
    QCOMPARE(dialog_->pages().current(), 1);
    SourceFigures& figures = dialog_->figures();
    QCOMPARE(figures.picture().name, std::string("shuffle"));
    QTRY_COMPARE_WITH_TIMEOUT(figures.plot().drawing().series.size(), std::size_t(8), kPatience);
    QVERIFY(figures.plot().figureData().rows.size() >= 16);
    QVERIFY(figures.run().isHidden());  // it takes no training
    figures.choose("groups");
    QTRY_COMPARE_WITH_TIMEOUT(figures.plot().drawing().levels.size(), std::size_t(1), kPatience);
    QTRY_COMPARE(figures.plot().drawing().levels[0].y, 512.0 * 512.0);
    figures.choices().front()->setValue(128);
    QTRY_COMPARE_WITH_TIMEOUT(figures.plot().drawing().levels[0].y, 128.0 * 128.0, kPatience);
  }

  void everyFigureIsDrawn() {
    for (int i = 0; i < dialog_->sources().count(); ++i) {
      dialog_->choose(i);
      dialog_->pages().setCurrent(1);
      SourceFigures& figures = dialog_->figures();
      for (int figure = 0; figure < figures.names().count(); ++figure) {
        figures.names().setCurrentIndex(figure);
        QTRY_VERIFY_WITH_TIMEOUT(!figures.study().isRunning(), kPatience);
        QVERIFY(!figures.study().problem());
        QCOMPARE(figures.run().isVisibleTo(&figures), figures.picture().trains());
        QCOMPARE(figures.origin().text().startsWith("Stored"), figures.picture().trains());
        QTRY_VERIFY_WITH_TIMEOUT(!figures.plot().drawing().series.empty(), kPatience);
        QImage image(QSize(720, 380), QImage::Format_ARGB32);
        image.fill(Qt::white);
        const QImage empty = image;
        QPainter painter(&image);
        figures.plot().paintFigure(painter, image.rect(), paperPalette());
        painter.end();
        QVERIFY2(image != empty, figures.picture().name.c_str());
      }
    }
  }

  /// Also where an axis has no place for a value: its bar has no height, but is
  /// reached by keys.
  void barsStandSideBySideAndAreRead() {
    DrawingPlot plot(*style_);
    plot.setDrawing({.kind = reproduce::DrawingKind::Bars,
                     .series = {{.name = "one", .y = {100, 0}}, {.name = "other", .y = {10, 1}}},
                     .names = {"first", "second"},
                     .logarithmic = true});
    plot.resize(600, 300);
    plot.show();
    plot.canvas().replot();
    const auto pointAt = [&](double key, double value) {
      const QPointF place(plot.canvas().xAxis->coordToPixel(key),
                          plot.canvas().yAxis->coordToPixel(value));
      QMouseEvent move(QEvent::MouseMove, place, plot.mapToGlobal(place), Qt::NoButton, {}, {});
      QApplication::sendEvent(&plot.pointerArea(), &move);
      return plot.hoveredItem();
    };
    QCOMPARE(pointAt(-0.2, 50), 0);
    QCOMPARE(pointAt(0.2, 5), 2);
    QCOMPARE(pointAt(0.2, 50), -1);  // above it
    QTest::keyClick(&plot, Qt::Key_Home);
    QCOMPARE(plot.spokenText(), QString("one, first: 100"));
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.spokenText(), QString("one, second: 0"));
  }

  void aTrainedFigureCanBeTrainedAgainAndEnded() {
    dialog_->choose(placeOf("annotated-transformer"));
    dialog_->pages().setCurrent(1);
    SourceFigures& figures = dialog_->figures();
    figures.choose("schedules");
    QTRY_VERIFY_WITH_TIMEOUT(!figures.study().isRunning(), kPatience);
    figures.run().button()->click();
    QVERIFY(figures.study().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(figures.study().progress() > 0, kPatience);
    dialog_->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!figures.study().isRunning(), kPatience);
  }

  void closingEndsATraining() {
    dialog_->choose(placeOf("annotated-transformer"));
    QTRY_VERIFY_WITH_TIMEOUT(isComputed(), kPatience);
    dialog_->trainings().setChecked(true);
    dialog_->run().button()->click();
    QVERIFY(dialog_->study().isRunning() && !dialog_->trainings().isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(isLearning(), kPatience);
    dialog_->reject();
    QVERIFY(!dialog_->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!dialog_->study().isRunning(), kPatience);
    for (const reproduce::Checked& one : dialog_->claims().claims())
      QVERIFY(one.claim.trains() ? !one.ours : one.ours.has_value() == one.claim.isComputed());
    QVERIFY(dialog_->trainings().isEnabled());
  }

  void exportsHaveEveryNumber() {
    dialog_->choose(placeOf("encoder-layer-notebook"));
    QTRY_VERIFY_WITH_TIMEOUT(isComputed(), kPatience);
    const DataTable table = dialog_->claims().figureData();
    QCOMPARE(table.rows.size(), dialog_->claims().claims().size());
    for (const QStringList& row : table.rows) QCOMPARE(row.size(), table.columns.size());
    const auto longest = std::ranges::max_element(
        dialog_->claims().claims(), {},
        [](const reproduce::Checked& one) { return one.claim.printed.size(); });
    QCOMPARE(longest->claim.printed.size(), std::size_t(24));
    const auto row = qsizetype(longest - dialog_->claims().claims().begin());
    QCOMPARE(table.rows[row][table.columns.indexOf("printed")].count(' '), 23);
    QVERIFY(dialog_->claims().figureSize().width() > 100);
  }

 private:
  /// The chosen document's claims, as far as they need no training.
  bool isComputed() {
    if (dialog_->study().isRunning()) return false;
    for (const reproduce::Checked& one : dialog_->claims().claims())
      if (one.claim.ours && !one.ours) return false;
    return true;
  }
  /// Whether the study has come to the first claim that takes a training.
  bool isLearning() {
    const auto& claims = dialog_->claims().claims();
    for (std::size_t i = 0; i < claims.size(); ++i)
      if (claims[i].claim.trains())
        return dialog_->study().progress() > double(i) / double(claims.size());
    return false;
  }
  void chooseClaim(const QString& begin) {
    for (int row = 0; row < dialog_->claims().rowCount(); ++row)
      if (dialog_->claims().item(row, 0)->text().startsWith(begin))
        return dialog_->claims().setCurrentCell(row, 0);
    QFAIL(qPrintable(begin));
  }

  std::unique_ptr<Style> style_;
  std::unique_ptr<SourcesDialog> dialog_;
};

TFM_TEST(TestSourcesDialog)
#include "test_sources_dialog.moc"
