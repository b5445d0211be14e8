// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/observe/indexed_name.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

class TestIndexedName : public QObject {
  Q_OBJECT

 private slots:
  void namesAreReadAndWritten_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char* text, const char* written) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(written);
    };
    row("a.weight", "a.weight");
    row("a[12]", "a[12]");
    row("a[1,2, 3]", "a[1, 2, 3]");
    row("a[ 1 ,\t2 ]", "a[1, 2]");
    row("a[010]", "a[10]");
    row("a[2, .]", "a[2, .]");
    row("a[2,:]", "a[2, .]");
    row("a[1, 'u']", "a[1, 'u']");
    row("a['u' ]", "a['u']");
    row("a[1, ' ']", "a[1, ' ']");
    row("a[1, ''']", "a[1, ''']");
    row("a[1, ',']", "a[1, ',']");
    row("a[1, '[']", "a[1, '[']");
    row("a[1, ']']", "a[1, ']']");
    row("a[1, 'it's, 3']", "a[1, 'it's, 3']");
  }
  void namesAreReadAndWritten() {
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, written);
    const IndexedName name = indexedNameIn(text.toStdString(), "here");
    QCOMPARE(QByteArray::fromStdString(textOf(name)), written);
    QVERIFY(indexedNameIn(written.toStdString(), "here") == name);
  }

  void partsAreTold() {
    const IndexedName name = indexedNameIn("a.b[3, ., 'u']", "here");
    QCOMPARE(name.name, std::string("a.b"));
    QVERIFY(name.indexed);
    QVERIFY(name.at == (std::vector<std::int64_t>{3, kAllIndices}));
    QVERIFY(name.token == "u");
    QVERIFY(!indexedNameIn("a.b", "here").indexed);
  }

  void whatIsMisspeltIsRefused_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"a[]", "a[1,]", "a[,1]", "a[1", "a[1]b", "a[1] ", "a[0 21]",
                             "a[1, 0 21]", "a[-1]", "a[0x1]", "a[1.0]", "a[x]", "a[1][2]", "a['']",
                             "a[']", "a['u', 1]", "a[99999999999999999999]"})
      QTest::newRow(text) << QByteArray(text);
  }
  void whatIsMisspeltIsRefused() {
    QFETCH(const QByteArray, text);
    try {
      indexedNameIn(text.toStdString(), "here");
      QFAIL("no error");
    } catch (const Error& error) {
      QCOMPARE(error.where(), std::string("here"));
    }
  }
};

TFM_TEST(TestIndexedName)
#include "test_indexed_name.moc"
