// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/data/joint_vocabulary.h"
#include "core/data/vocabulary.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using tfm::data::charactersOf;
using tfm::data::Ids;
using tfm::data::JointVocabulary;
using tfm::data::Vocabulary;

class TestVocabulary : public QObject {
  Q_OBJECT

 private slots:
  void annotatedIsAsInTheNotebook() {
    const Vocabulary vocabulary = Vocabulary::annotated();
    QCOMPARE(vocabulary.size(), 28);
    QCOMPARE(vocabulary.find("a"), 0);
    QCOMPARE(vocabulary.find("z"), 25);
    QCOMPARE(vocabulary.start(), 26);
    QCOMPARE(vocabulary.pad(), 27);
    QCOMPARE(vocabulary.find("<start>"), 26);
    QCOMPARE(vocabulary.find("A"), -1);
  }

  void encodesCodePoints() {
    const std::vector<std::string> texts{"é a", "日\n"};
    const Vocabulary vocabulary(charactersOf(texts), {});
    QCOMPARE(vocabulary.tokens(), (std::vector<std::string>{"\n", " ", "a", "é", "日"}));
    QCOMPARE(vocabulary.encode("日é a\n"), (Ids{4, 3, 1, 2, 0}));
    QCOMPARE(vocabulary.decode(Ids{4, 3, 1, 2, 0}), std::string("日é a\n"));
    QCOMPARE(vocabulary.encode(""), Ids{});
  }

  void decodesUpToTheFirstPad() {
    const Vocabulary vocabulary = Vocabulary::annotated();
    QCOMPARE(vocabulary.decode(Ids{26, 20, 17, 11, 27, 0, 27}), std::string("url"));
    QVERIFY_EXCEPTION_THROWN(vocabulary.decode(Ids{28}), std::logic_error);
  }

  void namesUnknownCharacters() {
    const Vocabulary vocabulary = Vocabulary::annotated();
    TFM_VERIFY_ERROR(vocabulary.encode("caf\xC3\xA9!"), "'é' (character 4)");
    TFM_VERIFY_ERROR(vocabulary.encode("a b"), "'␣' (character 2)");
    TFM_VERIFY_ERROR(vocabulary.encode("\x01"), "'U+0001'");
    TFM_VERIFY_ERROR(vocabulary.encode("A"), "The vocabulary has a-z.");
    TFM_VERIFY_ERROR(vocabulary.encode("a"), "no error");
    TFM_VERIFY_ERROR(vocabulary.encode("a\xFF"), "UTF-8");
  }

  void specialTokensCannotBeTyped() {
    const Vocabulary oneCharacterPad({"a", "_"}, {.pad = 1});
    TFM_VERIFY_ERROR(oneCharacterPad.encode("a_"), "'_' (character 2)");
    TFM_VERIFY_ERROR(Vocabulary::annotated().encode("<start>"), "'<' (character 1)");
  }

  void encodeKnownReportsPositions() {
    const auto encoding = Vocabulary::annotated().encodeKnown("aéb-");
    QCOMPARE(encoding.ids, (Ids{0, 1}));
    QCOMPARE(encoding.unknown, (std::vector<std::int64_t>{1, 3}));
  }

  void labelsArePrintable() {
    const Vocabulary vocabulary({" ", "\n", "\t", "\x7F", "x", "<start>", "<pad>"},
                                {.start = 5, .pad = 6});
    QCOMPARE(vocabulary.label(0), std::string("␣"));
    QCOMPARE(vocabulary.label(1), std::string("⏎"));
    QCOMPARE(vocabulary.label(2), std::string("⇥"));
    QCOMPARE(vocabulary.label(3), std::string("U+007F"));
    QCOMPARE(vocabulary.label(4), std::string("x"));
    QCOMPARE(vocabulary.label(5), std::string("<start>"));
    QCOMPARE(vocabulary.label(6), std::string("·"));
  }

  void describesRangesAndStopsInTime() {
    QCOMPARE(Vocabulary({"b", ".", "a", "d", "-", "5", ",", "c", "y", "z"}, {}).describe(),
             std::string(", - . 5 a-d y z"));
    std::vector<std::string> every_other;
    for (char16_t c = 0x4E00; c < 0x4E00 + 200; c += 2)
      every_other.push_back(QString(QChar(c)).toStdString());
    const std::string text = Vocabulary(every_other, {}).describe();
    QVERIFY(text.ends_with(" and 60 more characters"));
  }

  void survivesJson() {
    const std::vector<std::string> texts{"\"\\ é\n"};
    for (const Vocabulary& vocabulary :
         {Vocabulary::annotated(), Vocabulary(charactersOf(texts), {}),
          Vocabulary({"<pad>", "<unknown>", "word"}, {.pad = 0, .unknown = 1})})
      QCOMPARE(Vocabulary::fromJson(vocabulary.toJson()), vocabulary);
  }

  void anUnknownTokenIsSpecial() {
    const Vocabulary vocabulary({"_", "?", "a"}, {.pad = 0, .unknown = 1});
    QCOMPARE(vocabulary.unknown(), 1);
    QVERIFY(vocabulary.isSpecial(1));
    QVERIFY(!vocabulary.isSpecial(2));
    TFM_VERIFY_ERROR(vocabulary.encode("a?"), "'?' (character 2)");
    QCOMPARE(vocabulary.decode(Ids{2, 1, 0, 2}), std::string("a?"));
  }

  void readsVocabulariesWithoutAnUnknownToken() {
    const Vocabulary old = Vocabulary::fromJson(R"({"tokens": ["a", "_"], "pad": 1})");
    QCOMPARE(old.unknown(), -1);
    QCOMPARE(old, Vocabulary({"a", "_"}, {.pad = 1}));
    QVERIFY(!QByteArray::fromStdString(old.toJson()).contains("unknown"));
  }

  void refusesHostileJson() {
    TFM_VERIFY_ERROR(Vocabulary::fromJson("[]"), "no list of tokens");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": 3})"), "no list of tokens");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": []})"), "no tokens");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a", 1]})"), "token 1 is not a text");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a", "a"]})"), "twice");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a", ""]})"), "empty");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "pad": 1})"), "special id 1");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "pad": -2})"), "pad is -2");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "pad": 1e30})"), "pad is 1e");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "pad": 18446744073709551615})"),
                     "pad is 18");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "start": 0, "unknown": 0})"), "same");
    QCOMPARE(Vocabulary::fromJson(R"({"tokens": ["a"], "start": 0, "pad": 0})").start(), 0);
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "unknown": 1})"), "special id 1");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "pad": 0, "unknown": 0})"), "same");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "unknown": "a"})"), "unknown is");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(std::string(100000, '[')), "deep");
    TFM_VERIFY_ERROR(Vocabulary::fromJson(R"({"tokens": ["a"], "pad": 0})"), "no error");
  }

  void jointHoldsBothSides() {
    const Vocabulary source = Vocabulary::withStartAndPad({"b", "a"});
    const Vocabulary target = Vocabulary::withStartAndPad({"a", "é"});
    const JointVocabulary joint(source, target);
    QCOMPARE(joint.vocabulary().tokens(),
             (std::vector<std::string>{"a", "b", "é", "<start>", "<pad>"}));
    QCOMPARE(joint.fromSource(source.encode("ba")), joint.vocabulary().encode("ba"));
    QCOMPARE(joint.fromTarget(target.encode("éa")), joint.vocabulary().encode("éa"));
    QCOMPARE(joint.fromTarget(Ids{target.start(), target.pad()}), (Ids{3, 4}));
  }

  void jointKeepsWhatIsUnknown() {
    const Vocabulary source({"[PAD]", "[UNK]", "film"}, {.pad = 0, .unknown = 1});
    const Vocabulary target({"bad", "<start>", "?", "."}, {.start = 1, .pad = 3, .unknown = 2});
    const JointVocabulary joint(source, target);
    QCOMPARE(joint.vocabulary().tokens(),
             (std::vector<std::string>{"bad", "film", "<start>", "<pad>", "<unknown>"}));
    QCOMPARE(joint.vocabulary().unknown(), 4);
    QCOMPARE(joint.fromSource(Ids{0, 1, 2}), (Ids{3, 4, 1}));
    QCOMPARE(joint.fromTarget(Ids{0, 1, 2, 3}), (Ids{0, 2, 4, 3}));
    const Vocabulary letters = Vocabulary::withStartAndPad({"a"});
    QCOMPARE(JointVocabulary(source, letters).vocabulary().unknown(), 4);
    QCOMPARE(JointVocabulary(letters, Vocabulary::annotated()).vocabulary().unknown(), -1);
  }

  void jointOfEqualSidesIsTheSame() {
    const Vocabulary vocabulary = Vocabulary::withStartAndPad({"b", "a"});
    QCOMPARE(JointVocabulary(vocabulary, vocabulary).vocabulary(), vocabulary);
  }
};

TFM_TEST(TestVocabulary)
#include "test_vocabulary.moc"
