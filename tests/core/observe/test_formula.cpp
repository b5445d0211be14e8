// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "core/backend/cpu/cpu_backend.h"
#include "core/observe/formula.h"
#include "core/observe/op_words.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

/// A run of a program that has every op.
struct ToldRun {
  std::shared_ptr<const Program> program = std::make_shared<const Program>(test::everyOp(sizes()));
  std::unique_ptr<Backend<double>> backend = makeCpuBackend<double>();
  Executor<double> executor{program, *backend, true};
  AlignedVector<double> parameters, gradients;

  static test::EveryOpSizes sizes() {
    test::EveryOpSizes sizes;
    sizes.dropout = 0.3;
    sizes.scores = true;
    return sizes;
  }
  ToldRun() {
    initialize(program->parameters, 9, parameters);
    gradients.assign(parameters.size(), 0.0);
    test::setDrawnInputs(executor, sizes(), 0);
    executor.forward(parameters.data(), {3, 5, 0});
    executor.backward(parameters.data(), gradients.data(), {program->find("loss")}, {3, 5, 0});
  }
  Explainer<double> explainer() { return {executor, parameters, {3, 5, 0}, program->find("loss")}; }
};

ValueOf valueIn(Explainer<double>& explainer) {
  return [&](const NumberPlace& place) { return explainer.value(place); };
}

/// The first numbers of all outputs, and of the gradients of what the steps read.
std::vector<ExplainedNumber> someNumbers(const Program& program, Explainer<double>& explainer) {
  std::vector<ExplainedNumber> numbers;
  for (const Step& step : program.steps) {
    for (const TensorId id : step.outputs)
      if (id != kNoTensor)
        numbers.push_back(explainer.explain({id, 1 % program.tensors[std::size_t(id)].rows, 0}));
    for (const TensorId id : step.inputs) {
      if (id == kNoTensor) continue;
      const TensorInfo& t = program.tensors[std::size_t(id)];
      const bool has =
          (t.role == Role::Activation || t.role == Role::Parameter) && t.window_of == kNoTensor;
      if (has) numbers.push_back(explainer.explain({id, 0, t.cols - 1, true}));
    }
  }
  return numbers;
}

}  // namespace

class TestFormula : public QObject {
  Q_OBJECT

 private slots:
  void everyOpHasSymbols() {
    for (const Op* op : ops::kAll) QVERIFY2(!symbolsOf(*op).empty(), op->name.data());
    for (const Op* op : {&ops::kSgd, &ops::kAdam}) QVERIFY(!symbolsOf(*op).empty());
    QVERIFY(symbolsOf(Op{}).empty());  // the control: an op that no row tells of
  }

  void everyStepHasASentence() {
    const ToldRun run;
    for (const Step& step : run.program->steps) {
      const std::string sentence = sentenceOf(*run.program, step);
      QVERIFY2(sentence.size() > 20 && sentence.back() == '.', step.path.c_str());
      QVERIFY2(std::isupper(sentence.front()) != 0 || std::isdigit(sentence.front()) != 0,
               sentence.c_str());
    }
    const Step& logits = *std::ranges::find(run.program->steps, "logits", &Step::path);
    QCOMPARE(backwardSentenceOf(*run.program, logits),
             std::string("The gradient of logits is handed on to pooled and logits.weight."));
    const Step& pads = *std::ranges::find(run.program->steps, "shorter_pad", &Step::path);
    QCOMPARE(backwardSentenceOf(*run.program, pads), std::string());
    const Op unknown{};
    QCOMPARE(sentenceOf(*run.program, {&unknown, "", {}, {}, {}}), std::string());
  }

  void symbolsStandForTensors() {
    ToldRun run;
    Explainer<double> explainer = run.explainer();
    const ExplainedNumber logit = explainer.explain(placeNamed(*run.program, "logits[0, 0, 1]"));
    QCOMPARE(
        namedFormula(*run.program, logit, logit.parts.front()),
        std::string("logits[0, 0, 1] = sum_j pooled[0, 0, j] logits.weight[1, j], j = 0 ... 5"));
    const auto symbols = symbolsIn(*run.program, logit, logit.parts.front());
    QCOMPARE(symbols.size(), std::size_t(3));
    QCOMPARE(symbols[0].symbol, std::string("y"));
    QCOMPARE(symbols[2].tensor, run.program->find("logits.weight"));
    const ExplainedNumber weight =
        explainer.explain({run.program->find("logits.weight"), 1, 2, true});
    QCOMPARE(namedFormula(*run.program, weight, weight.parts.front()),
             std::string("d logits.weight[1, 2] = sum_r d logits[*, 0, 1] pooled[*, 0, 2]"));
  }

  void everyNumberHasTexts() {
    ToldRun run;
    const Program& program = *run.program;
    Explainer<double> explainer = run.explainer();
    const ValueOf valueOf = valueIn(explainer);
    const auto numbers = someNumbers(program, explainer);
    QVERIFY(numbers.size() > 80);
    for (const ExplainedNumber& number : numbers) {
      const std::string name = nameOf(program, number.place);
      for (const StepPart& part : number.parts) {
        const std::string formula = namedFormula(program, number, part);
        QVERIFY2(formula.starts_with(name) && formula.size() > name.size() + 3, formula.c_str());
        QVERIFY2(std::ranges::count(formula, '[') == std::ranges::count(formula, ']'),
                 formula.c_str());
        const auto symbols = symbolsIn(program, number, part);
        QVERIFY2(!symbols.empty(), formula.c_str());
        QVERIFY(withNumbers(part, valueOf, 3).find(" = ") != std::string::npos);
      }
      const std::string latex = latexOf(program, number, valueOf, 3);
      QVERIFY2(std::ranges::count(latex, '{') == std::ranges::count(latex, '}'), latex.c_str());
      QCOMPARE(latex.find("align*") != std::string::npos, !number.parts.empty());
    }
  }

  void numbersAddUpInTheText() {
    const std::map<NumberPlace, double> values{
        {{0, 0, 0}, 0.5}, {{0, 0, 1}, -2.0}, {{1, 0, 0}, 0.25}, {{1, 0, 1}, 3.0}};
    const ValueOf valueOf = [&](const NumberPlace& place) { return values.at(place); };
    StepPart part{nullptr, {}, {{-6.0, {{0, 0, 1}, {1, 0, 1}}}, {0.125, {{0, 0, 0}, {1, 0, 0}}}}};
    part.explanation.terms = {{0.125, {}}, {-6.0, {}}};
    QCOMPARE(withNumbers(part, valueOf, 9), std::string("-5.875 = -2 * 3 + 0.5 * 0.25"));
    QCOMPARE(withNumbers(part, valueOf, 1), std::string("-5.875 = -2 * 3 + (1 more: 0.125)"));
    part.explanation.constant = 1.0;
    QCOMPARE(withNumbers(part, valueOf, 9), std::string("-4.875 = 1 + (-2) * 3 + 0.5 * 0.25"));
    part.explanation = {
        .formula = "", .terms = {{1.0, {}}, {3.0, {}}}, .rule = Explanation::Rule::Share};
    part.terms = {{3.0, {{1, 0, 1}}}, {1.0, {{0, 0, 0}}}};
    QCOMPARE(withNumbers(part, valueOf, 9), std::string("0.25 = 1 / (3 + 1)"));
  }

  void tablesHaveEveryTerm() {
    ToldRun run;
    Explainer<double> explainer = run.explainer();
    const ExplainedNumber logit = explainer.explain(placeNamed(*run.program, "logits[0, 0, 1]"));
    const QString csv = QString::fromStdString(csvOf(*run.program, logit, valueIn(explainer)));
    const QStringList lines = csv.trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 2 * qsizetype(logit.parts.front().terms.size()));
    QCOMPARE(lines.front(), QString("step,op,term,amount,source,value"));
    double sum = 0.0;
    for (qsizetype i = 1; i < lines.size(); i += 2) sum += lines[i].split(',')[3].toDouble();
    QVERIFY(std::abs(sum - logit.value) < 1e-12);
    QVERIFY(std::abs(sum - lines[1].split(',')[3].toDouble() - logit.value) > 1e-9);  // one missing
  }
};

TFM_TEST(TestFormula)
#include "test_formula.moc"
