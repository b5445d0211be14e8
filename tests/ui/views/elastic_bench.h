// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

#include "tests/test_program.h"
#include "tests/ui/views/view_bench.h"
#include "ui/document/submodel_explorer.h"
#include "ui/views/elastic/elastic_inspector.h"
#include "ui/views/elastic/elastic_pictures.h"
#include "ui/views/elastic/elastic_setup.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/elastic/nesting_form.h"

namespace tfm::ui {

/// A small encoder-decoder, not nested, on a visible Elastic screen.
class ElasticBench : protected ViewBench<ElasticView> {
 protected:
  static ModelConfig smallModel() {
    ModelConfig model = presetNamed("rot13").config();
    setUniform(model, 1, 1, {2, 4, 4, 16, 1e-6});
    return model;
  }
  static train::TrainConfig smallTraining() {
    train::TrainConfig train;
    train.evaluate_every = 10;
    train.evaluation_size = 20;
    train.batch_size = 16;
    return train;
  }
  static train::TrainConfig nestedTraining() {
    train::TrainConfig train = smallTraining();
    train.nesting = matformer::defaultNesting(smallModel());
    return train;
  }

  void setUp() {
    const auto start = [](ModelDocument& document) {
      document.start(smallModel(), data::defaultTaskConfig("rot13"), smallTraining());
    };
    ViewBench::setUp(start, {900, 800}, false);
    waitForAll();
  }

  SubmodelExplorer& explorer() { return view_->explorer(); }
  /// Waits until everything shown has been measured.
  void waitForAll() {
    QTRY_VERIFY_WITH_TIMEOUT(
        explorer().state() && explorer().left() == 0 && explorer().wholeScore(), kPatience);
  }
  void nest() {
    explorer().train(view_->parts().setup->form().nesting());  // the button would train as well
    QVERIFY(explorer().isNested());
    waitForAll();
  }
};

}  // namespace tfm::ui
