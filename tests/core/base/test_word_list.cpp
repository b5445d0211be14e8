// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/word_list.h"
#include "tests/test_program.h"

using namespace tfm;

class TestWordList : public QObject {
  Q_OBJECT

 private slots:
  void joinsWords() {
    const std::string words[] = {"a", "b", "c"};
    const auto first = [&](std::size_t count) { return std::span(words).first(count); };
    QCOMPARE(wordList(first(0), "and"), std::string());
    QCOMPARE(wordList(first(1), "and"), std::string("a"));
    QCOMPARE(wordList(first(2), "or"), std::string("a or b"));
    QCOMPARE(wordList(first(3), "and"), std::string("a, b and c"));
  }
};

TFM_TEST(TestWordList)
#include "test_word_list.moc"
