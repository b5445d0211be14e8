// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/explainer.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

constexpr RunPosition kPosition{3, 5, 0};
constexpr std::int64_t kMaxCells = 25;  // of a tensor

/// A program that has run forward and backward in double precision.
struct Run {
  std::shared_ptr<const Program> program;
  std::unique_ptr<Backend<double>> backend = makeCpuBackend<double>();
  Executor<double> executor;
  AlignedVector<double> parameters, gradients;

  explicit Run(Program p)
      : program(std::make_shared<const Program>(std::move(p))), executor(program, *backend, true) {
    initialize(program->parameters, 9, parameters);
    gradients.assign(parameters.size(), 0.0);
  }
  void forward() { executor.forward(parameters.data(), kPosition); }
  Explainer<double> explainer(const char* loss) {
    forward();
    executor.backward(parameters.data(), gradients.data(), {program->find(loss)}, kPosition);
    return {executor, parameters, kPosition, program->find(loss)};
  }
};

std::unique_ptr<Run> everyOpRun() {
  test::EveryOpSizes sizes;
  sizes.dropout = 0.3;
  auto run = std::make_unique<Run>(test::everyOp(sizes));
  test::setDrawnInputs(run->executor, sizes, 0);
  return run;
}

/// A small language model that reads these tokens.
std::unique_ptr<Run> writerRun(const std::vector<std::int32_t>& tokens) {
  const ModelConfig config = presetNamed("characters").config();
  auto run = std::make_unique<Run>(
      buildProgram(config, {1, 0, std::int64_t(tokens.size())}, {.scores = true}));
  run->executor.upload(run->program->find(names::kTargetIds), tokens);
  run->executor.upload(run->program->find(names::kTargetPad),
                       std::vector<std::int32_t>(tokens.size(), 0));
  return run;
}

std::vector<std::pair<std::int64_t, std::int64_t>> someCells(const TensorInfo& t) {
  const std::int64_t cols = t.role == Role::Ids ? 1 : t.cols, count = t.rows * cols;
  std::vector<std::pair<std::int64_t, std::int64_t>> cells;
  for (std::int64_t i = 0; i < count; i += 1 + count / kMaxCells)
    cells.emplace_back(i / cols, i % cols);
  return cells;
}

double sumOf(const ExplainedNumber& number) {
  double sum = 0.0;
  for (const StepPart& part : number.parts) sum += part.explanation.value();
  return sum;
}

bool agrees(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

}  // namespace

class TestExplainer : public QObject {
  Q_OBJECT

 private slots:
  void whatIsNotKeptIsNoSource() {
    const auto run = everyOpRun();
    const Step& attention = *std::ranges::find(run->program->steps, "attention", &Step::path);
    QVERIFY(std::ranges::find(attention.outputs, kNoTensor) != attention.outputs.end());
    Explainer<double> explainer = run->explainer("loss");
    const ExplainedNumber number = explainer.explain({attention.inputs.front(), 0, 0, true});
    QVERIFY(!number.parts.empty());
    for (const PlacedTerm& term : number.parts.front().terms)
      for (const NumberPlace& source : term.sources) QVERIFY(source.tensor != kNoTensor);
  }

  void everyNumberIsTheSumOfItsTerms_data() {
    QTest::addColumn<QString>("loss");
    QTest::newRow("cross-entropy") << "loss";
    QTest::newRow("squared error") << "error";
  }
  void everyNumberIsTheSumOfItsTerms() {
    QFETCH(const QString, loss);
    const auto run = everyOpRun();
    Explainer<double> explainer = run->explainer(loss.toUtf8().constData());
    int computed = 0;
    for (std::size_t i = 0; i < run->program->tensors.size(); ++i) {
      const TensorInfo& t = run->program->tensors[i];
      for (const auto& [row, col] : someCells(t)) {
        const ExplainedNumber number = explainer.explain({TensorId(i), row, col});
        if (number.parts.empty()) continue;
        QVERIFY2(agrees(sumOf(number), number.value), t.name.c_str());
        ++computed;
      }
    }
    QVERIFY(computed > 500);
  }

  void everyGradientIsTheSumOverItsReaders() {
    const auto run = everyOpRun();
    Explainer<double> explainer = run->explainer("loss");
    for (std::size_t i = 0; i < run->program->tensors.size(); ++i) {
      const TensorInfo& t = run->program->tensors[i];
      const bool parameter = t.role == Role::Parameter;
      if ((!parameter && t.role != Role::Activation) || t.window_of != kNoTensor) continue;
      for (const auto& [row, col] : someCells(t)) {
        const ExplainedNumber number = explainer.explain({TensorId(i), row, col, true});
        const double stored =
            parameter ? run->gradients[std::size_t(t.offset + row * t.stride + col)] : number.value;
        if (TensorId(i) != run->program->find("loss"))
          QVERIFY2(agrees(sumOf(number), stored), t.name.c_str());
      }
    }
    // The control: another loss has other gradients.
    const TensorInfo& gain = run->program->tensor("last_norm.gain");
    const NumberPlace place{run->program->find("last_norm.gain"), 0, 0, true};
    const double explained = sumOf(explainer.explain(place));
    run->executor.backward(run->parameters.data(), run->gradients.data(),
                           {run->program->find("error")}, kPosition);
    QVERIFY(!agrees(explained, run->gradients[std::size_t(gain.offset)]));
  }

  void aLogitLeadsToTheTokensItDependsOnAndNoOther() {
    std::vector<std::int32_t> tokens{5, 3, 9, 1, 7, 2};
    const auto run = writerRun(tokens);
    run->forward();
    Explainer<double> explainer(run->executor, run->parameters, kPosition);
    const TensorId output = run->program->find(names::kOutput);
    const TensorId ids = run->program->find(names::kTargetIds);
    for (const std::int64_t at : {0, 2, 5}) {
      std::set<std::int64_t> reached, needed;
      for (const NumberPlace& leaf : explainer.leaves({output, at, 4}))
        if (leaf.tensor == ids) reached.insert(leaf.row);
      const double logit = run->executor.values(output).at(at, 4);
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::vector<std::int32_t> others = tokens;
        others[i] = 11;
        const auto changed = writerRun(others);
        changed->forward();
        if (changed->executor.values(output).at(at, 4) != logit) needed.insert(std::int64_t(i));
      }
      QVERIFY(reached == needed);
      QCOMPARE(std::int64_t(reached.size()), at + 1);  // the mask is causal
    }
  }

  void aWeightHasNoPartsAndItsReadersAreNamed() {
    const auto run = everyOpRun();
    Explainer<double> explainer = run->explainer("loss");
    const NumberPlace place = placeNamed(*run->program, "logits.weight[1, 2]");
    QVERIFY(explainer.explain(place).parts.empty());
    QCOMPARE(explainer.readers(place).size(), std::size_t(1));
    QCOMPARE(explainer.readers(place).front()->path, std::string("logits"));
  }

  void termsComeBySize() {
    const auto run = everyOpRun();
    Explainer<double> explainer = run->explainer("loss");
    const ExplainedNumber number = explainer.explain(placeNamed(*run->program, "logits[0, 0, 1]"));
    const auto& terms = number.parts.front().terms;
    for (std::size_t i = 1; i < terms.size(); ++i)
      QVERIFY(std::abs(terms[i - 1].amount) >= std::abs(terms[i].amount));
  }

  void namesAreReadBack() {
    const auto run = everyOpRun();
    const Program& program = *run->program;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
      if (program.tensors[i].window_of != kNoTensor) continue;
      for (const auto& [row, col] : someCells(program.tensors[i])) {
        const NumberPlace place{TensorId(i), row, col};
        QVERIFY(placeNamed(program, nameOf(program, place)) == place);
      }
    }
  }

  void whatIsMisspeltIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"logits", "logit[0, 0, 0]", "logits[0, 0]", "logits[0, 0, 99]", "logits[-1, 0, 0]",
          "logits[a, 0, 0]", "logits[0, 0, 0, 0]", "logits[4, 0, 0]", "logits[]", "logits[0,",
          "logits[0, 0, 0 1]", "logits[0, 0, .]", "logits[0, 0, 0] ", "logits [0, 0, 0]", "[0, 0]",
          ""})
      QTest::newRow(text) << text;
  }
  void whatIsMisspeltIsRefused() {
    QFETCH(const QString, text);
    const auto run = everyOpRun();
    QVERIFY_THROWS_EXCEPTION(Error, placeNamed(*run->program, text.toStdString()));
  }

  void whatHasNoGradientIsRefused() {
    const auto run = everyOpRun();
    Explainer<double> with = run->explainer("loss");
    Explainer<double> without(run->executor, run->parameters, kPosition);
    const NumberPlace logit{run->program->find("logits"), 0, 0, true};
    with.explain(logit);
    QVERIFY_THROWS_EXCEPTION(Error, without.explain(logit));
    QVERIFY_THROWS_EXCEPTION(Error, with.explain({run->program->find("ids"), 0, 0, true}));
    QVERIFY_THROWS_EXCEPTION(Error, with.explain({run->program->find("logits"), 0, 99}));
  }
};

TFM_TEST(TestExplainer)
#include "test_explainer.moc"
