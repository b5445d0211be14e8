// SPDX-License-Identifier: GPL-3.0-or-later
// The texts that excite a part most, against the same values read off one text at a time.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/ask/observer.h"
#include "core/ask/top_texts.h"
#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/document/document.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::train;

class TestTopTexts : public QObject {
  Q_OBJECT

 private:
  Document document_ = openDocument(std::filesystem::path(TFM_TEST_DATA).parent_path() /
                                    "resources/documents/rot13.safetensors");
  std::shared_ptr<const data::Task> task_ = makeTask(document_);
  std::shared_ptr<const ModelState> state_ = std::make_shared<const ModelState>(document_.state);

  observe::Observations seenIn(const std::string& text) {
    Looking looking;
    looking.state = state_;
    looking.question = text;
    looking.read = ReadAnswer::Right;
    looking.pattern = "*.activation,*.mixed";
    return Observer(task_).look(looking, state_)->observed;
  }

 private slots:
  /// Every held-out text is judged by hand; the best are those that were found, in order.
  void theBestAreFound() {
    constexpr std::int64_t kExamples = 60;
    for (const std::string target :
         {"encoder.layers.0.feed_forward.neuron.3", "decoder.layers.0.feed_forward.neuron.0"}) {
      const std::string tensor = target.substr(0, target.rfind(".neuron")) + ".activation";
      const std::int64_t column = target.back() - '0';
      std::vector<std::pair<double, std::string>> all;
      std::set<std::string> texts;
      double sum = 0.0;
      std::int64_t positions = 0;
      for (std::uint64_t i = 0; i < kExamples; ++i) {
        const std::string text =
            task_->questionText(data::Split::Evaluation, data::kEvaluationSeed, i);
        if (!texts.insert(text).second) continue;
        const observe::Observed seen = seenIn(text).at(tensor);
        double most = -1e30;
        for (std::int64_t row = 0; row < seen.rows; ++row) {
          most = std::max(most, double(seen.at(row, column)));
          sum += double(seen.at(row, column));
          ++positions;
        }
        all.emplace_back(most, text);
      }
      std::ranges::stable_sort(all, std::greater(), &std::pair<double, std::string>::first);
      const auto top = topTexts(task_, state_, target, {kExamples, 5});
      QVERIFY(top.has_value());
      QCOMPARE(top->texts.size(), std::size_t(5));
      QCOMPARE(top->examples, std::int64_t(texts.size()));
      QVERIFY(std::abs(top->mean - sum / double(positions)) < 1e-6);
      for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(top->texts[i].text, all[i].second);
        QVERIFY(std::abs(top->texts[i].most() - all[i].first) < 1e-6);
        QCOMPARE(top->texts[i].tokens.size(), top->texts[i].values.size());
      }
    }
  }

  /// A head's value is the length of its own columns of the mixed values, and of no other's.
  void aHeadHasItsOwnColumns() {
    const auto top = topTexts(task_, state_, "decoder.layers.0.cross_attention.head.2", {20, 3});
    for (const TopText& text : top->texts) {
      const observe::Observed mixed =
          seenIn(text.text).at("decoder.layers.0.cross_attention.mixed");
      QCOMPARE(mixed.cols, std::int64_t(35));  // seven heads of five
      const std::int64_t row = text.position;
      double squares = 0.0;
      for (std::int64_t col = 10; col < 15; ++col)
        squares += double(mixed.at(row, col)) * double(mixed.at(row, col));
      QVERIFY(std::abs(text.most() - std::sqrt(squares)) < 1e-5);
    }
    const auto other = topTexts(task_, state_, "decoder.layers.0.cross_attention.head.3", {20, 3});
    QVERIFY(std::abs(other->texts[0].most() - top->texts[0].most()) > 1e-4);
  }

  void otherTargetsAreRefusedAndWorkCanBeCancelled() {
    for (const char* bad :
         {"decoder.layers.0", "encoder.layers.0.feed_forward.neuron.5", "", "x"}) {
      const auto problem = problemOf([&] { topTexts(task_, state_, bad); });
      QVERIFY(problem && !hasTopTexts(state_->config, bad));
      QVERIFY2(QString::fromStdString(problem->hint()).contains("neuron"), problem->hint().c_str());
    }
    QVERIFY(hasTopTexts(state_->config, "encoder.layers.0.feed_forward.neuron.4"));
    int calls = 0;
    const auto cancelled = topTexts(task_, state_, "decoder.layers.0.cross_attention.head.2",
                                    {50, 3}, [&](double) { return ++calls < 4; });
    QVERIFY(!cancelled);
    QCOMPARE(calls, 4);
  }
};

TFM_TEST(TestTopTexts)
#include "test_top_texts.moc"
