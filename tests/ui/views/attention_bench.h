// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/views/view_bench.h"
#include "ui/heatmap/heat_grid.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/views/attention/attention_forms.h"
#include "ui/views/attention/attention_view.h"
#include "ui/widgets/panel.h"

namespace tfm::ui {

/// The Attention screen of an untrained rot13 model with the question "there".
class AttentionBench : protected ViewBench<AttentionView> {
 protected:
  void setUp() {
    ViewBench::setUp(startRot13, {1000, 800});
    QVERIFY(ask("there"));
  }

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
  void pinA() {
    press(Qt::Key_P);
    QTRY_VERIFY(document_->moments().pinnedStep(Pin::A));
  }
  const train::Snapshot& snapshot() { return *document_->observing().snapshot(); }
  QString sentence() { return view_->findChild<Panel*>()->accessibleDescription(); }
};

}  // namespace tfm::ui
