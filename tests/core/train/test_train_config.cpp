// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "core/train/train_config.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::train;

class TestTrainConfig : public QObject {
  Q_OBJECT

 private slots:
  void survivesJson() {
    TrainConfig config;
    config.optimizer = {OptimizerKind::AdamW, 0.1, 0.8, 0.9, 1e-7, 0.03};
    config.schedule = notebookSchedule();
    config.schedule.total_steps = 123;
    config.clip_norm = 0.1;
    config.batch_size = 7;
    config.seed = std::numeric_limits<std::uint64_t>::max();
    config.evaluate_every = 3;
    config.evaluation_size = 11;
    config.stop = {1000, 1e-3, 1.0};
    QCOMPARE(trainConfigFromJson(toJson(config), "file"), config);
    QCOMPARE(trainConfigFromJson("{}", "file"), TrainConfig{});
    QVERIFY(config != TrainConfig{});
  }

  void namesFieldValueAndWhatIsAllowed_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* json, const char* message) {
      QTest::newRow(json) << QByteArray(json) << QByteArray(message);
    };
    row(R"({"batch_size": 0})", "batch_size is 0");
    row(R"({"batch_size": 0})", "a whole number from 1 to 1000000");
    row(R"({"learning_rate": -1})", "learning_rate is -1");
    row(R"({"learning_rate": "fast"})", "'learning_rate' is \"fast\"");
    row(R"({"momentum": 1})", "momentum is 1");
    row(R"({"optimizer": "adamm"})", "one of sgd, adam, adamw");
    row(R"({"schedule": 3})", "'schedule' is 3");
    row(R"({"seed": -1})", "'seed' is -1");
    row(R"({"seed": 1.5})", "'seed' is 1.5");
    row(R"({"decay_steps": 0})", "decay_steps is 0");
    row(R"({"stop_accuracy": 1.5})", "stop_accuracy is 1.5");
    row(R"({"lerning_rate": 1})", "there is no field 'lerning_rate'");
    row("[1]", "a JSON object");
    row("{", "file");
    row(R"({"stop_accuracy": 1})", "no error");
  }

  void namesFieldValueAndWhatIsAllowed() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    TFM_VERIFY_ERROR(trainConfigFromJson(json.toStdString(), "file"), message);
  }

  void refusesAChoiceBehindTheLast() {
    TrainConfig config;
    config.optimizer.kind = OptimizerKind(3);
    TFM_VERIFY_ERROR(validate(config), "optimizer is 3");
    config.optimizer.kind = OptimizerKind(-1);
    TFM_VERIFY_ERROR(validate(config), "optimizer is -1");
    config.optimizer.kind = OptimizerKind::AdamW;
    TFM_VERIFY_ERROR(validate(config), "no error");
  }

  void usualRatesAreThoseOfTheOptimizer() {
    const auto usual = [](OptimizerKind kind) {
      TrainConfig config;
      config.optimizer.kind = kind;
      config.optimizer.weight_decay = 0.5;
      tfm::ModelConfig model;
      model.hidden = 8;
      useDefaultRates(config, model);
      return config;
    };
    QCOMPARE(usual(OptimizerKind::Sgd).schedule.learning_rate, 0.5);
    QCOMPARE(usual(OptimizerKind::Sgd).clip_norm, 1.0);
    QCOMPARE(usual(OptimizerKind::Sgd).optimizer.weight_decay, 0.0);
    QCOMPARE(usual(OptimizerKind::Adam).optimizer.weight_decay, 0.0);
    QCOMPARE(usual(OptimizerKind::AdamW).optimizer.weight_decay, 0.01);
    QCOMPARE(usual(OptimizerKind::AdamW).schedule.learning_rate, 0.01);
  }

  /// Documents were saved before a hand-over had to be allowed.
  void handOversOfDocumentsAreAllowed() {
    const auto growth = [](const char* json) {
      return trainConfigFromJson(json, "file").growths.front().growth;
    };
    QVERIFY(growth(R"({"growths": [{"step": 5, "kind": "layers", "size": 3,
                       "layer_method": "hand_over"}]})")
                .allow_inexact);
    QVERIFY(!growth(R"({"growths": [{"step": 5, "kind": "layers", "size": 3,
                       "layer_method": "gate"}]})")
                 .allow_inexact);
  }

  void refusesWhatIsNotANumber() {
    TrainConfig config;
    config.clip_norm = std::nan("");
    TFM_VERIFY_ERROR(validate(config), "clip_norm is");
    config.clip_norm = std::numeric_limits<double>::infinity();
    TFM_VERIFY_ERROR(validate(config), "clip_norm is inf");
  }
};

TFM_TEST(TestTrainConfig)
#include "test_train_config.moc"
