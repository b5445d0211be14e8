// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/train/refused_file.h"

#include <QTest>

#include "core/document/document.h"
#include "tests/core/io/error_of.h"

namespace tfm::test {

void addRefusalColumns() {
  QTest::addColumn<FileChange>("change");
  QTest::addColumn<QByteArray>("name");
  QTest::addColumn<QByteArray>("expected");
}

void addRefusal(const char* title, const FileChange& change, const char* name,
                const char* expected) {
  QTest::newRow(title) << change << QByteArray(name) << QByteArray(expected);
}

QByteArray checkRefusal(const io::TensorFile& valid) {
  QByteArray message;
  [&] {
    QFETCH(FileChange, change);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    io::TensorFile file = valid;
    change(file);
    message = errorOf([&] { train::fromTensorFile(file, "some.safetensors"); });
    QVERIFY2(message.contains(name), message.constData());
    QVERIFY2(message.contains(expected), message.constData());
  }();
  return message;
}

void replaceIn(io::TensorFile& file, const char* key, const std::string& from,
               const std::string& to) {
  std::string& json = file.metadata.at(key);
  const std::size_t at = json.find(from);
  QVERIFY2(at != json.npos, json.c_str());
  json.replace(at, from.size(), to);
}

}  // namespace tfm::test
