// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <nlohmann/json.hpp>

#include "core/io/json_guard.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::io;

namespace {

std::string nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

}  // namespace

class TestJsonGuard : public QObject {
  Q_OBJECT

 private slots:
  void parsesWhatIsValid();
  void limitsTheDepth();
  void refusesDuplicateKeys();
  void namesLineAndColumn();
  void refusesWhatIsNotJson_data();
  void refusesWhatIsNotJson();
};

void TestJsonGuard::parsesWhatIsValid() {
  const auto value = parseJson(R"( {"a": [1, -2, 0.5, null, true], "b": {"a": "é\u00e9"}} )", "x");
  QCOMPARE(value["a"][1].get<int>(), -2);
  QCOMPARE(value["b"]["a"].get<std::string>(), std::string("éé"));
  QVERIFY(parseJson(R"([{"a":1},{"a":2}])", "x").size() == 2);  // same key, different objects
}

void TestJsonGuard::limitsTheDepth() {
  QVERIFY(parseJson(nested(kMaxJsonDepth), "x").is_array());
  TFM_VERIFY_ERROR(parseJson(nested(kMaxJsonDepth + 1), "x"), "deeper than 64 levels");
  TFM_VERIFY_ERROR(parseJson(std::string(5'000'000, '['), "x"), "deeper than 64 levels");
  QVERIFY(parseJson(R"({"a":[1]})", "x", 2).is_object());
  TFM_VERIFY_ERROR(parseJson(R"({"a":[1]})", "x", 1), "deeper than 1 levels");
}

void TestJsonGuard::refusesDuplicateKeys() {
  TFM_VERIFY_ERROR(parseJson(R"({"a":1,"b":2,"a":3})", "x"), "\"a\" appears twice");
  TFM_VERIFY_ERROR(parseJson(R"([{"a":{"k":1,"\u006b":2}}])", "x"), "\"k\" appears twice");
}

void TestJsonGuard::namesLineAndColumn() {
  TFM_VERIFY_ERROR(parseJson("{\n  \"é\": x\n}", "c.json"), "c.json, line 2, column 8: not valid");
}

void TestJsonGuard::refusesWhatIsNotJson_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("part");
  QTest::newRow("empty") << QByteArray() << QByteArray("line 1, column 1");
  QTest::newRow("cut") << QByteArray("{\"a\":") << QByteArray("unexpected end of input");
  QTest::newRow("two values") << QByteArray("{} {}") << QByteArray("column 4");
  QTest::newRow("not UTF-8") << QByteArray("{\"\xE9\":1}") << QByteArray("offset 2");
  QTest::newRow("lone surrogate") << QByteArray(R"(["\ud800"])") << QByteArray("surrogate");
  QTest::newRow("huge number") << QByteArray("[1e999]") << QByteArray("1e999");
  QTest::newRow("NaN") << QByteArray("[NaN]") << QByteArray("invalid literal");
  QTest::newRow("trailing comma") << QByteArray("[1,]") << QByteArray("column 4");
}

void TestJsonGuard::refusesWhatIsNotJson() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, part);
  TFM_VERIFY_ERROR(parseJson(text.toStdString(), "c.json"), part);
  TFM_VERIFY_ERROR(parseJson(text.toStdString(), "c.json"), "c.json");
}

TFM_TEST(TestJsonGuard)
#include "test_json_guard.moc"
