// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QLabel>
#include <memory>

#include "tests/ui/views/test_document.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/style/style.h"
#include "ui/views/attention/attention_view.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {

/// The Attention screen of an untrained rot13 model with the question "there".
class AttentionBench {
 protected:
  void setUp() {
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    document_ = std::make_unique<ModelDocument>(1);
    startRot13(*document_);
    view_ = std::make_unique<AttentionView>(*style_, *document_);
    view_->resize(1000, 800);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    QVERIFY(ask("there"));
  }
  void tearDown() {
    view_.reset();
    document_.reset();
    style_.reset();
  }

  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<AttentionView> view_;

  HeatGrid& grid() { return *view_->findChild<HeatGrid*>(); }
  HeatMapView& cells() { return *view_->findChild<HeatMapView*>(); }
  void press(Qt::Key key) { QTest::keyClick(view_.get(), key); }
  bool ask(const QString& question) {
    document_->observing().setQuestion(question);
    return QTest::qWaitFor([&] {
      return document_->observing().snapshot() &&
             document_->observing().snapshot()->probe.question == question.toStdString();
    });
  }
  QPoint centre(int row, int col) { return cells().cellRect(row, col).center().toPoint(); }
  bool inspectorSays(const QString& text) {
    for (const QLabel* label : view_->inspector()->findChildren<QLabel*>())
      if (!label->isHidden() && label->text().contains(text)) return true;
    return false;
  }
  void pinA() {
    press(Qt::Key_P);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
  }
  const train::Snapshot& snapshot() { return *document_->observing().snapshot(); }
  QString sentence() { return view_->findChild<Panel*>()->accessibleDescription(); }
};

}  // namespace tfm::ui
