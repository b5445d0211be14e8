// SPDX-License-Identifier: GPL-3.0-or-later
// Several texts in one padded batch: each has the numbers that it has alone.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ask/explained_run.h"
#include "core/ask/observer.h"
#include "core/ask/probe_batch.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr double kClose = 1e-4;  // other lengths are summed in another order

struct Asked {
  Trainer trainer;
  std::vector<ProbeInput> inputs;

  Asked(const QByteArray& preset, const QByteArray& task, const std::vector<std::string>& texts)
      : trainer(trainerOf(documentOf(preset.constData(), task.constData()))) {
    for (const std::string& text : texts)
      inputs.push_back(
          probeInput(trainer.state(), trainer.task(), trainer.framing(), text, trainer.backend()));
  }
  std::vector<ProbeInput> padded() const {
    std::vector<ProbeInput> all = inputs;
    padToLongest(all, trainer.task(), trainer.framing());
    return all;
  }
  observe::Observations run(const Batch& batch) const {
    observe::Probe probe(trainer.state().config, batch, trainer.backend());
    return probe.run(trainer.state().parameters, batch, "*");
  }
};

/// The largest difference of an attention's shares between a text alone and in a batch, and the
/// largest share that the batch gives to a pad.
struct Compared {
  double difference = 0.0, of_pads = 0.0;
};
Compared compared(const observe::AttentionSite& alone, const observe::Observations& of_alone,
                  const observe::AttentionSite& site, const observe::Observations& seen) {
  const auto& a = of_alone.at(alone.path + ".probabilities");
  const auto& b = seen.at(site.path + ".probabilities");
  Compared result;
  for (std::int64_t head = 0; head < alone.shape.heads; ++head)
    for (std::int64_t query = 0; query < alone.shape.queries; ++query)
      for (std::int64_t key = 0; key < site.shape.keys; ++key) {
        const double in_batch = b.at(head * site.shape.queries + query, key);
        if (key >= alone.shape.keys)
          result.of_pads = std::max(result.of_pads, std::abs(in_batch));
        else
          result.difference =
              std::max(result.difference,
                       std::abs(in_batch - a.at(head * alone.shape.queries + query, key)));
      }
  return result;
}

}  // namespace

class TestProbeBatch : public QObject {
  Q_OBJECT

 private slots:
  void eachTextIsAsItIsAlone_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::newRow("sequence to sequence")
        << QByteArray("rot13") << QByteArray("rot13") << QByteArray("hey") << QByteArray("there");
    QTest::newRow("labels") << QByteArray("tagger") << QByteArray("sort") << QByteArray("hey")
                            << QByteArray("there");
    QTest::newRow("next token") << QByteArray("characters") << QByteArray("addition")
                                << QByteArray("1+2") << QByteArray("12+34");
    QTest::newRow("next character") << QByteArray("characters") << QByteArray("text")
                                    << QByteArray("the ") << QByteArray("the other");
    QTest::newRow("classes") << QByteArray("classifier") << QByteArray("parentheses")
                             << QByteArray("()") << QByteArray("(())()");
  }

  void eachTextIsAsItIsAlone() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    const Asked asked(preset, task, {first.toStdString(), second.toStdString()});
    const std::vector<ProbeInput> padded = asked.padded();
    QVERIFY2(padded[0].source_pads + padded[0].decoder_pads > 0, "the first text is shorter");
    const Batch batch = joined(padded).batch;
    QCOMPARE(batch.size, 2);
    const observe::Observations all = asked.run(batch);
    const ModelConfig& config = asked.trainer.state().config;
    const Program alone =
        observe::probedProgram(config, {1, batch.source_length, batch.target_length});
    for (std::size_t text = 0; text < 2; ++text) {
      const Batch& unpadded = asked.inputs[text].batch;
      const Program before =
          observe::probedProgram(config, {1, unpadded.source_length, unpadded.target_length});
      const observe::Observations seen = observe::ofSequence(all, alone, std::int64_t(text));
      const observe::Observations of_alone = asked.run(unpadded);
      const auto sites = observe::attentionSites(alone);
      const auto sites_alone = observe::attentionSites(before);
      QVERIFY(!sites.empty() && sites.size() == sites_alone.size());
      for (std::size_t i = 0; i < sites.size(); ++i) {
        const Compared found = compared(sites_alone[i], of_alone, sites[i], seen);
        QVERIFY2(found.difference < kClose, sites[i].path.c_str());
        QCOMPARE(found.of_pads, 0.0);
      }
    }
  }

  /// A number of a batch is explained by those of its text, which has it alone as well.
  void aNumberOfABatchIsThatOfItsText() {
    const Asked asked("rot13", "rot13", {"hey", "there"});
    const std::vector<ProbeInput> padded = asked.padded();
    ExplainedRun<double> all(asked.trainer.state(), joined(padded));
    const auto place = [&](const Program& program, const std::string& name) {
      return observe::placeNamed(program, name);
    };
    for (std::size_t text = 0; text < 2; ++text) {
      ExplainedRun<double> alone(asked.trainer.state(), padded[text]);
      const std::string first = "[" + std::to_string(text) + ", ";
      const auto number = [&](const std::string& inside) {
        return all.explainer().explain(place(all.program(), "output" + first + inside));
      };
      for (const char* inside : {"0, 3]", "1, 20]"}) {
        const observe::ExplainedNumber mine = number(inside);
        const observe::ExplainedNumber its =
            alone.explainer().explain(place(alone.program(), std::string("output[") + inside));
        QCOMPARE(observe::nameOf(all.program(), mine.place), "output" + first + inside);
        QVERIFY(std::abs(mine.value - its.value) < 1e-12);
        QCOMPARE(mine.parts.front().terms.size(), its.parts.front().terms.size());
        for (std::size_t i = 0; i < its.parts.front().terms.size(); ++i)
          QVERIFY(std::abs(mine.parts.front().terms[i].amount - its.parts.front().terms[i].amount) <
                  1e-12);
      }
      // Its letters, and its tokens only: the other text is another one.
      for (const observe::NumberPlace& leaf :
           all.explainer().leaves(place(all.program(), "output" + first + "0, 3]")))
        if (all.program().tensors[std::size_t(leaf.tensor)].name == names::kSourceIds)
          QCOMPARE(observe::indicesOf(all.program(), leaf).front(), std::int64_t(text));
      QCOMPARE(all.token(place(all.program(), "source.ids" + first + "1]")),
               std::string(text == 0 ? "e" : "h"));
    }
    // Weights are those of all texts.
    QCOMPARE(place(all.program(), "output.weight[3, 2]").row, 3);
    QVERIFY_THROWS_EXCEPTION(Error, place(all.program(), "output[0, 3]"));
    QVERIFY_THROWS_EXCEPTION(Error, place(all.program(), "output[2, 0, 3]"));
  }

  /// The control: without its flags, a pad would be read.
  void padsAreReadWithoutTheirFlags() {
    const Asked asked("rot13", "rot13", {"hey", "there"});
    const std::vector<ProbeInput> padded = asked.padded();
    Batch batch = joined(padded).batch;
    QCOMPARE(std::ranges::count(batch.source_pad, 1), padded[0].source_pads);
    std::ranges::fill(batch.source_pad, std::uint8_t(0));
    const Program alone = observe::probedProgram(asked.trainer.state().config,
                                                 {1, batch.source_length, batch.target_length});
    const Batch& first = asked.inputs[0].batch;
    const Program before = observe::probedProgram(asked.trainer.state().config,
                                                  {1, first.source_length, first.target_length});
    const Compared found = compared(observe::attentionSites(before).front(), asked.run(first),
                                    observe::attentionSites(alone).front(),
                                    observe::ofSequence(asked.run(batch), alone, 0));
    QVERIFY(found.difference > kClose && found.of_pads > kClose);
  }

  void paddingKeepsLabels() {
    const Asked asked("rot13", "rot13", {"hey", "there"});
    const std::vector<ProbeInput> padded = asked.padded();
    QCOMPARE(padded[0].source_pads, 2);
    QCOMPARE(padded[1].source_pads, 0);
    QCOMPARE(padded[0].batch.source_length, padded[1].batch.source_length);
    QCOMPARE(padded[0].source_labels, (std::vector<std::string>{"h", "e", "y", "·", "·"}));
    QCOMPARE(std::ssize(padded[0].written_labels), padded[0].batch.target_length);
  }

  void anObserverReadsTheOtherTextsToo() {
    const Asked asked("rot13", "rot13", {"hey"});
    Looking looking;
    looking.question = "hey";
    looking.others = {"there", "a"};
    looking.pattern = "*";
    Observer observer(taskOf("rot13"));
    const Snapshot seen = *observer.look(looking, shared(asked.trainer.state()));
    QVERIFY2(seen.problem.empty(), seen.problem.c_str());
    QCOMPARE(seen.others.size(), std::size_t(2));
    QCOMPARE(seen.others[1].probe.question, std::string("a"));
    QCOMPARE(seen.others[1].probe.source_pads, 4);
    QCOMPARE(seen.probe.source_pads, 2);
    for (const SeenText& other : seen.others)
      for (const auto& [name, tensor] : seen.observed)
        QCOMPARE(other.observed.at(name).values.size(), tensor.values.size());
    const std::string path = seen.sites.front().path + ".probabilities";
    QVERIFY(seen.others[0].observed.at(path).values != seen.observed.at(path).values);
    // The order in the batch does not matter.
    looking.question = "there";
    looking.others = {"hey", "a"};
    const Snapshot swapped = *observer.look(looking, shared(asked.trainer.state()));
    const auto& one = seen.others[0].observed.at(path).values;
    const auto& other = swapped.observed.at(path).values;
    for (std::size_t i = 0; i < one.size(); ++i) QVERIFY(std::abs(one[i] - other[i]) < kClose);
    // Alone, nothing is padded.
    looking.question = "hey";
    looking.others.clear();
    QCOMPARE(observer.look(looking, shared(asked.trainer.state()))->probe.source_pads, 0);
  }
};

TFM_TEST(TestProbeBatch)
#include "test_probe_batch.moc"
