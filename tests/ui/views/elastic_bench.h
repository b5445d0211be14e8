// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QPushButton>
#include <QTest>
#include <memory>

#include "tests/ui/views/test_document.h"
#include "ui/document/submodel_explorer.h"
#include "ui/style/style.h"
#include "ui/views/elastic/elastic_view.h"
#include "ui/views/elastic/nesting_form.h"

namespace tfm::ui {

/// A small encoder-decoder, trained plainly so far, on a screen that shows it.
class ElasticBench {
 protected:
  static constexpr int kPatience = 30000;

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
    style_ = std::make_unique<Style>(*qobject_cast<QApplication*>(qApp));
    style_->setMotion(false);
    document_ = std::make_unique<ModelDocument>(1);
    document_->start(smallModel(), data::defaultTaskConfig("rot13"), smallTraining());
    view_ = std::make_unique<ElasticView>(*style_, *document_);
    view_->resize(900, 800);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    waitForAll();
  }
  void tearDown() {
    view_.reset();
    document_.reset();
    style_.reset();
  }

  SubmodelExplorer& explorer() { return view_->explorer(); }
  /// Until everything that is shown is measured.
  void waitForAll() {
    QTRY_VERIFY_WITH_TIMEOUT(
        explorer().state() && explorer().left() == 0 && explorer().wholeScore(), kPatience);
  }
  void nest() {
    explorer().train(view_->form().nesting());  // the button would train as well
    QVERIFY(explorer().isNested());
    waitForAll();
  }

  std::unique_ptr<Style> style_;
  std::unique_ptr<ModelDocument> document_;
  std::unique_ptr<ElasticView> view_;
};

}  // namespace tfm::ui
