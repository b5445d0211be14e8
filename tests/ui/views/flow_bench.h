// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <string_view>

#include "tests/ui/views/test_document.h"
#include "tests/ui/views/view_bench.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/flow/flow_view.h"

namespace tfm::ui {

/// Flow and its inspector, showing rot13 before its first step on "there".
class FlowBench : protected ViewBench<FlowView> {
 protected:
  void setUpFlow() {
    const auto asked = [](ModelDocument& document) {
      startRot13(document);
      document.observing().setQuestion("there");
    };
    setUp(asked, {1100, 760});
    view_->inspector()->show();
    view_->activateWindow();  // the inspector is a window of its own here
    QVERIFY(QTest::qWaitForWindowActive(view_.get()));
    QVERIFY(isReady());
  }
  bool isReady() {
    return QTest::qWaitFor([&] { return view_->isReady(); }, 10000);
  }
  void showSide(FlowSide side) {
    FlowShown now = view_->state();
    now.choose(side == FlowSide::Gradients ? FlowShown::Numbers::Gradients
                                           : FlowShown::Numbers::Values);
    view_->setState(now);
  }
  void showLens(bool shown) {
    FlowShown now = view_->state();
    now.lens = shown;
    view_->setState(now);
  }
  void showOpen(const FlowOpen& open) {
    FlowShown now = view_->state();
    now.opened.open = open;
    view_->setState(now);
  }
  FlowRun& run() { return *view_->run(); }
  TensorId tensor(std::string_view name) { return run().program().find(name); }
  std::size_t node(const char* path) { return run().map().find(path); }
};

}  // namespace tfm::ui
