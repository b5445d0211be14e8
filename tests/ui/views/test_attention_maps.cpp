// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/test_program.h"
#include "tests/ui/views/test_document.h"
#include "ui/views/attention/attention_cell.h"
#include "ui/views/attention/attention_maps.h"
#include "ui/views/attention/attention_words.h"

using namespace tfm;
using namespace tfm::ui;
using observe::AttentionKind;

namespace {

/// The snapshot of a question for a view that wants attention.
AttentionMaps look(ModelDocument& document, const QString& question) {
  const QObject view;
  document.observing().setQuestion(question);
  document.observing().setNeed(&view, {.pattern = AttentionMaps::kWanted});
  const auto ready = [&] {
    const auto& snapshot = document.observing().snapshot();
    return snapshot && snapshot->probe.question == question.toStdString();
  };
  if (!QTest::qWaitFor(ready, 10000)) return {};
  AttentionMaps maps(document.observing().snapshot());
  document.observing().setNeed(&view, {});
  return maps;
}

void start(ModelDocument& document, const char* preset, const char* task) {
  document.start(presetNamed(preset).config(), data::defaultTaskConfig(task), {});
}

std::vector<double> rowSums(const AttentionGroup& group, const std::vector<float>& values) {
  std::vector<double> sums(std::size_t(group.rows), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i / std::size_t(group.cols)] += values[i];
  return sums;
}

}  // namespace

class TestAttentionMaps : public QObject {
  Q_OBJECT

 private slots:
  void groupsOfAnEncoderDecoder() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps maps = look(document, "there");
    QCOMPARE(maps.groups().size(), 3U);
    QCOMPARE(maps.groups()[0].kind, AttentionKind::EncoderSelf);
    QCOMPARE(maps.groups()[1].kind, AttentionKind::DecoderSelf);
    QCOMPARE(maps.groups()[2].kind, AttentionKind::Cross);
    QCOMPARE(maps.groups()[0].row_labels.join(""), "there");
    QCOMPARE(maps.groups()[2].col_labels.join(""), "there");
    QVERIFY(maps.groups()[0].masked.empty());
    QVERIFY(!maps.groups()[1].masked.empty());
    QVERIFY(maps.groups()[0].hasRollout());
    QVERIFY(!maps.groups()[2].hasRollout());
  }

  /// The answers of a model that learns have other lengths; the maps keep their size.
  void roomIsLeftForTheLongestAnswerSoFar() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps untrained = look(document, "there");
    QVERIFY(trainTo(document, 3));
    AttentionMaps later = look(document, "there");
    AttentionMaps shorter = later;
    shorter.leaveRoomLike(untrained);
    for (std::size_t i = 0; i < 3; ++i) {
      const AttentionGroup &now = shorter.groups()[i], &before = untrained.groups()[i];
      QCOMPARE(now.most_rows, std::max(now.rows, before.rows));
      QCOMPARE(now.most_cols, std::max(now.cols, before.cols));
      QCOMPARE(now.rows, later.groups()[i].rows);  // only the room is different
    }
    AttentionMaps other = look(document, "hey");
    other.leaveRoomLike(untrained);
    QCOMPARE(other.groups()[2].most_rows, 0);
  }

  void valuesAreTheEngines() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps maps = look(document, "hey");
    const AttentionGroup& cross = maps.groups()[2];
    const auto& probabilities = maps.tensor(cross.layers[0], "probabilities");
    const std::vector<float> values = maps.values({{2, 0, 3}});
    for (int row = 0; row < cross.rows; ++row)
      for (int col = 0; col < cross.cols; ++col)
        QCOMPARE(values[std::size_t(row * cross.cols + col)],
                 probabilities.at(3 * cross.rows + row, col));
    QVERIFY(values != maps.values({{2, 0, 2}}));  // another head is another map
  }

  void rowsSumToOneOnlyAfterSoftmax() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps maps = look(document, "there");
    for (int group = 0; group < 3; ++group) {
      for (const double sum :
           rowSums(maps.groups()[std::size_t(group)], maps.values({{group, 0, 0}})))
        QVERIFY(std::abs(sum - 1.0) < 1e-5);
      const auto scores = maps.values({{group, 0, 0}, AttentionStage::Scaled});
      QVERIFY(std::abs(rowSums(maps.groups()[std::size_t(group)], scores)[0] - 1.0) > 1e-3);
    }
    for (const double sum :
         rowSums(maps.groups()[1], maps.values({{1, 0, 0}, AttentionStage::Softmax, true})))
      QVERIFY(std::abs(sum - 1.0) < 1e-5);
  }

  void stagesFollowFromEachOther() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps maps = look(document, "there");
    const AttentionGroup& group = maps.groups()[1];
    const MapId id{1, 0, 5};
    const auto scaled = maps.values({id, AttentionStage::Scaled});
    const auto scores = maps.values({id, AttentionStage::Score});
    const auto masked = maps.values({id, AttentionStage::Masked});
    const auto softmax = maps.values({id, AttentionStage::Softmax});
    const auto& engine = maps.tensor(group.layers[0], "masked_scores");
    for (int row = 0; row < group.rows; ++row) {
      double total = 0.0;
      for (int col = 0; col < group.cols; ++col) {
        const auto i = std::size_t(row * group.cols + col);
        QVERIFY(std::abs(scaled[i] - scores[i] / std::sqrt(5.0)) < 1e-5);
        // The mask that is drawn is the engine's.
        QCOMPARE(bool(group.masked[i]), std::isinf(engine.at(5 * group.rows + row, col)));
        if (group.masked[i]) continue;
        QCOMPARE(masked[i], scaled[i]);
        total += std::exp(double(masked[i]));
      }
      for (int col = 0; col < group.cols; ++col) {
        const auto i = std::size_t(row * group.cols + col);
        const double share = group.masked[i] ? 0.0 : std::exp(double(masked[i])) / total;
        QVERIFY(std::abs(share - softmax[i]) < 1e-5);
      }
    }
  }

  void productsSumToTheScore() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps maps = look(document, "there");
    for (const MapId id : {MapId{0, 0, 6}, MapId{1, 0, 2}, MapId{2, 0, 4}}) {
      const AttentionGroup& group = maps.group(id);
      const auto scores = maps.values({id, AttentionStage::Score});
      for (int row = 0; row < group.rows; ++row)
        for (int col = 0; col < group.cols; ++col) {
          const AttentionCell cell = attentionCell(maps, id, {row, col});
          QCOMPARE(cell.terms.size(), 5U);
          double size = 1.0;
          for (const double term : cell.terms) size += std::abs(term);
          const double stored = scores[std::size_t(row * group.cols + col)];
          QVERIFY(std::abs(cell.sum - stored) < 1e-6 * size);
          QCOMPARE(cell.is_masked, id.group == 1 && col > row);
        }
      // Another head's score does not match: the comparison above can fail.
      const auto other = maps.values({{id.group, 0, 0}, AttentionStage::Score});
      QVERIFY(std::abs(attentionCell(maps, id, {0, 0}).sum - other[0]) > 1e-6);
    }
  }

  void relativeAttentionAddsToTheProducts() {
    ModelDocument document(1);
    document.start(presetNamed("funnel-tagger").config(), data::defaultTaskConfig("sort"), {});
    QVERIFY(trainTo(document, 20));  // its biases begin at 0
    const AttentionMaps maps = look(document, "funnels");
    const AttentionGroup& group = maps.groups().front();
    const auto scores = maps.values({{0, 0, 1}, AttentionStage::Score});
    double most = 0.0;
    for (int row = 0; row < group.rows; ++row)
      for (int col = 0; col < group.cols; ++col) {
        const AttentionCell cell = attentionCell(maps, {0, 0, 1}, {row, col});
        const double score = scores[std::size_t(row * group.cols + col)];
        QVERIFY(std::abs(cell.sum + cell.relative - score) < 1e-3 * (1.0 + std::abs(score)));
        most = std::max(most, std::abs(cell.relative));
      }
    QVERIFY(most > 1e-2);
  }

  void meansCountEveryHeadTheSame() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps maps = look(document, "ma");
    const auto mean = maps.values({{2, -1, -1}});
    std::vector<double> expected(mean.size(), 0.0);
    for (int head = 0; head < 7; ++head) {
      const auto one = maps.values({{2, 0, head}});
      for (std::size_t i = 0; i < one.size(); ++i) expected[i] += one[i] / 7.0;
    }
    for (std::size_t i = 0; i < mean.size(); ++i) QVERIFY(std::abs(mean[i] - expected[i]) < 1e-6);
    QCOMPARE(maps.shownAs({2, 0, -1}), (MapId{2, -1, -1}));
    QCOMPARE(maps.shownAs({2, -1, 3}), (MapId{2, 0, 3}));
  }

  void decoderOnlyAndEncoderOnly() {
    ModelDocument document(1);
    data::TaskConfig text = data::defaultTaskConfig("text");
    text.text = "to be or not to be, that is the question: whether it is nobler. ";
    for (int i = 0; i < 4; ++i) text.text += text.text;
    document.start(presetNamed("characters").config(), text, {});
    const AttentionMaps decoder = look(document, "to be or not");
    QCOMPARE(decoder.groups().size(), 1U);
    QCOMPARE(decoder.groups()[0].kind, AttentionKind::DecoderSelf);
    QVERIFY(!decoder.groups()[0].masked.empty());

    start(document, "tagger", "sort");
    const AttentionMaps encoder = look(document, "zyx");
    QCOMPARE(encoder.groups().size(), 1U);
    QCOMPARE(encoder.groups()[0].kind, AttentionKind::EncoderSelf);
    QVERIFY(encoder.groups()[0].masked.empty());
    QVERIFY(!encoder.sameLayout(decoder));
    QVERIFY(encoder.sameLayout(encoder));
  }

  /// Layers of a stack that pools: whole length, pooled rows that read whole columns, pooled.
  void pooledLayersAreGroupsOfTheirOwn() {
    const auto each = [](std::initializer_list<std::vector<std::int64_t>> held) {
      return std::make_shared<const observe::Held>(held);
    };
    const auto whole = each({{0}, {1}, {2}, {3}}), pooled = each({{0}, {1, 2}});
    train::Snapshot snapshot;
    snapshot.probe.source_labels = {"[CLS]", "the", "film", "was"};
    const auto add = [&](const auto& queries, const auto& keys) {
      const auto layer = std::int64_t(snapshot.sites.size());
      const auto rows = std::int64_t(queries->size()), cols = std::int64_t(keys->size());
      const std::string path = "encoder.layers." + std::to_string(layer) + ".self_attention";
      observe::AttentionSite site{path, AttentionKind::EncoderSelf, layer, {}, queries, keys};
      site.shape = {.batch = 1, .queries = rows, .keys = cols, .heads = 2, .key_size = 3};
      for (const char* name : {"scores", "masked_scores", "probabilities"})
        snapshot.observed[path + "." + name] = {
            2 * rows, cols, std::vector<float>(std::size_t(2 * rows * cols), 1.0F / float(cols))};
      for (const char* name : {"query", "key"}) snapshot.observed[path + "." + name] = {};
      snapshot.sites.push_back(site);
    };
    add(whole, whole);
    add(pooled, whole);
    add(pooled, pooled);
    const AttentionMaps maps(std::make_shared<const train::Snapshot>(snapshot));
    QCOMPARE(maps.groups().size(), 3U);
    QCOMPARE(maps.groups()[1].rows, 2);
    QCOMPARE(maps.groups()[1].cols, 4);
    QCOMPARE(maps.groups()[1].row_labels, (QStringList{"[CLS]", "(the, film)"}));
    QCOMPARE(maps.groups()[1].col_labels, (QStringList{"[CLS]", "the", "film", "was"}));
    QCOMPARE(maps.groups()[2].col_labels, (QStringList{"[CLS]", "(the, film)"}));
    QVERIFY(maps.groups()[0].hasRollout());
    QVERIFY(!maps.groups()[1].hasRollout());
    QCOMPARE(AttentionWords::groupName(maps.groups()[1], true),
             QString("encoder self · layer 2 · 2 × 4"));
    QVERIFY(AttentionWords::title(maps.groups()[2], {{2, 0, 1}}).contains("layer 3, head 2"));
    // The same lengths are one group as long as they hold the same.
    add(pooled, pooled);
    add(each({{0}, {1}}), each({{0}, {1}}));
    const AttentionMaps more(std::make_shared<const train::Snapshot>(snapshot));
    QCOMPARE(more.groups().size(), 4U);
    QCOMPARE(more.groups()[2].layers.size(), 2U);
    QCOMPARE(more.groups()[3].layerNumber(0), 5);
  }

  void otherLabelsCannotBeSubtracted() {
    ModelDocument document(1);
    startRot13(document);
    const AttentionMaps first = look(document, "abc");
    const AttentionMaps second = look(document, "abd");
    QVERIFY(first.groups()[0].comparable(first.groups()[0]));
    QVERIFY(!first.groups()[0].comparable(second.groups()[0]));
    QVERIFY(AttentionWords::notComparable(first).contains("other rows, columns"));
  }

  void textsMatchTheNumbers() {
    AttentionGroup group;
    group.kind = AttentionKind::Cross;
    group.rows = group.cols = 3;
    group.row_labels = QStringList{"x", "y", "z"};
    group.col_labels = QStringList{"a", "b", "c"};
    observe::AttentionSite site{"cross_attention", AttentionKind::Cross, 0, {}};
    site.shape.heads = 2;
    group.layers = {site};
    const AttentionChoice choice{{0, 0, 1}};
    const std::vector<float> diagonal{.9F, .1F, 0, .1F, .8F, .1F, 0, .3F, .7F};
    const QString own = AttentionWords::explain(group, choice, diagonal, {1, 0});
    QVERIFY2(own.contains("“y” reads mostly “b” (0.80)"), qPrintable(own));
    QVERIFY(own.contains("3 of 3 rows"));
    const std::vector<float> spread{.4F, .3F, .3F, .4F, .2F, .4F, .4F, .3F, .3F};
    const QString none = AttentionWords::explain(group, choice, spread, {0, 0});
    QVERIFY2(none.contains("spreads"), qPrintable(none));
    QVERIFY(!none.contains("own position"));
  }
};

TFM_TEST(TestAttentionMaps)
#include "test_attention_maps.moc"
