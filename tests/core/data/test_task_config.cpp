// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/data/task_table.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

class TestTaskConfig : public QObject {
  Q_OBJECT

 private slots:
  void survivesJson() {
    TaskConfig config;
    config.kind = "classes";
    config.max_length = 20;
    config.alphabet_size = 5;
    config.digits = 3;
    config.fixed_digits = true;
    config.context_length = 11;
    config.label_first = true;
    config.held_out = 0.25;
    config.loss_positions = LossPositions::FirstPad;
    config.path = "/a b/\"é\".tsv";
    config.text = "x\ty\nz\tw\n";
    config.test_path = "/held/out.csv";
    config.test_text = "v\tw\n";
    config.tokenizer = "wordpiece";
    config.vocabulary_size = 99;
    config.vocabulary_path = "/vocab.txt";
    config.vocabulary = "<pad>\n<unknown>\n";
    config.clean = true;
    config.encoder_path = "/encoders/bert";
    config.encoder_content = "0123456789abcdef";
    QCOMPARE(taskConfigFromJson(toJson(config)), config);
    QVERIFY(taskConfigFromJson(toJson(config)) != TaskConfig{});
  }

  void missingFieldsHaveTheKindsUsualValues() {
    QCOMPARE(taskConfigFromJson("{}"), TaskConfig{});
    QCOMPARE(taskConfigFromJson(R"({"kind": "parentheses"})"), defaultTaskConfig("parentheses"));
    QCOMPARE(defaultTaskConfig("parentheses").max_length, 24);
    QCOMPARE(defaultTaskConfig("rot13").max_length, 15);
  }

  void namesFieldValueAndWhatIsAllowed_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* json, const char* message) {
      QTest::newRow(json) << QByteArray(json) << QByteArray(message);
    };
    row(R"({"max_length": 1})", "max_length is 1; allowed are 2 to 65536");
    row(R"({"alphabet_size": 27})", "alphabet_size is 27; allowed are 2 to 26");
    row(R"({"digits": 0})", "digits is 0; allowed are 1 to 9");
    row(R"({"context_length": -4})", "context_length is -4; allowed are 1 to 65536");
    row(R"({"held_out": 0.9})", "held_out is 0.9; allowed are 0.01 to 0.5");
    row(R"({"held_out": "half"})", "held_out is \"half\"; expected a number");
    row(R"({"digits": 2.5})", "digits is 2.5; expected a whole number");
    row(R"({"digits": 18446744073709551615})", "expected a whole number");
    row(R"({"fixed_digits": 1})", "fixed_digits is 1; expected true or false");
    row(R"({"path": 1})", "path is 1; expected a text");
    row(R"({"loss_positions": "some"})",
        R"(loss_positions is "some"; expected "all" or "first_pad")");
    row(R"({"kind": "rot14"})", R"(there is no task "rot14")");
    row(R"({"kind": null})", "kind is null; expected a text");
    row(R"({"lenght": 3})", R"(there is no field "lenght")");
    row(R"({"kind": "pairs"})", "needs a file");
    row("[1]", "not a JSON object");
    row("{", "task");
    row(R"({"digits": 3})", "no error");
  }

  void namesFieldValueAndWhatIsAllowed() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    TFM_VERIFY_ERROR(taskConfigFromJson(json.toStdString()), message);
  }

  void refusesNotANumber() {
    TaskConfig config;
    config.held_out = std::nan("");
    TFM_VERIFY_ERROR(validate(config), "held_out is");
  }

  void listsTheTasks() {
    TFM_VERIFY_ERROR(findTask("x"),
                     "rot13, copy, reverse, sort, addition, parentheses, sentiment, facts, text, "
                     "masked, pairs, classes, regression");
  }

  void everyRowMakesItsTask() {
    for (const TaskRow& row : taskTable()) {
      TaskConfig config = defaultTaskConfig(row.name);
      if (row.file == TaskFile::Needed) config.text = "one\tun\ntwo\tdeux\nthree\ttrois\n";
      const std::unique_ptr<Task> task = makeTask(config);
      QCOMPARE(task->name(), std::string(row.name));
      QCOMPARE(task->form(), row.form);
      QCOMPARE(task->description(), row.description);
      QCOMPARE(task->config(), config);
      const Sample sample = task->sample(0);
      QVERIFY(!sample.source.empty() && !sample.target.empty());
      QVERIFY(task->sample(0) == sample);
    }
  }

  void inputIsChecked() {
    const auto task = makeTask(TaskConfig{});
    QCOMPARE(task->encodeInput("hey"), (Ids{7, 4, 24}));
    TFM_VERIFY_ERROR(task->encodeInput(""), "nothing to answer");
    TFM_VERIFY_ERROR(task->encodeInput("abcdefghijklmno"), "15 characters, at most 14");
    TFM_VERIFY_ERROR(task->encodeInput("he y"), "'␣' (character 3)");
    TFM_VERIFY_ERROR(task->encodeInput("abcdefghijklmn"), "no error");
  }
};

TFM_TEST(TestTaskConfig)
#include "test_task_config.moc"
