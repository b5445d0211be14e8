// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "core/backend/cpu/cpu_backend.h"
#include "core/observe/formula.h"
#include "core/observe/op_words.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/observe/equation.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::observe;

namespace {

/// A run of a program that has every op.
struct ToldRun {
  std::shared_ptr<const Program> program;
  std::unique_ptr<Backend<double>> backend = makeCpuBackend<double>();
  Executor<double> executor{program, *backend, true};
  AlignedVector<double> parameters, gradients;

  static test::EveryOpSizes sizes(bool scores) {
    test::EveryOpSizes sizes;
    sizes.dropout = 0.3;
    sizes.scores = scores;
    return sizes;
  }
  explicit ToldRun(bool scores = true)
      : program(std::make_shared<const Program>(test::everyOp(sizes(scores)))) {
    initialize(program->parameters, 9, parameters);
    gradients.assign(parameters.size(), 0.0);
    test::setDrawnInputs(executor, sizes(scores), 0);
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

/// More of them: cells all over every tensor, and their gradients.
std::vector<ExplainedNumber> manyNumbers(const Program& program, Explainer<double>& explainer) {
  constexpr std::int64_t kCells = 15;
  std::vector<ExplainedNumber> numbers;
  for (std::size_t i = 0; i < program.tensors.size(); ++i) {
    const TensorInfo& t = program.tensors[i];
    const std::int64_t cols = t.role == Role::Ids ? 1 : t.cols, count = t.rows * cols;
    for (std::int64_t at = 0; at < count; at += 1 + count / kCells) {
      NumberPlace place{TensorId(i), at / cols, at % cols};
      numbers.push_back(explainer.explain(place));
      place.gradient = true;
      const bool has =
          (t.role == Role::Activation || t.role == Role::Parameter) && t.window_of == kNoTensor;
      if (has) numbers.push_back(explainer.explain(place));
    }
  }
  return numbers;
}

test::Functions functionsOf(const StepPart& part) {
  const Explanation& e = part.explanation;
  if (e.function.empty()) return {};
  return {{std::string(e.function), e.apply}};
}

/// The equation of the numbers in LaTeX, as plain text: "VALUE = NUMBERS".
std::string plainOf(const std::string& latex) {
  QString text = QString::fromStdString(latex);
  text.replace(QRegularExpression(R"( \\cdot 10\^\{(-?\d+)\})"), R"(e\1)");
  text.replace(" \\cdot ", " * ").replace("\\infty", "inf");
  text.replace(QRegularExpression(R"(\\text\{([^}]*)\})"), R"(\1)");
  const QStringList lines = text.split("&= ");
  return (lines[3].section('\n', 0, 0) + " = " + lines[2].section(" \\\\\n", 0, 0)).toStdString();
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
    StepPart part{
        nullptr,
        {},
        {{-6.0, {{0, 0, 1}, {1, 0, 1}}, 2, 1.0}, {0.125, {{0, 0, 0}, {1, 0, 0}}, 2, 1.0}}};
    part.explanation.terms = {{0.125, {}}, {-6.0, {}}};
    QCOMPARE(withNumbers(part, valueOf, 9), std::string("-5.875 = -2 * 3 + 0.5 * 0.25"));
    QCOMPARE(withNumbers(part, valueOf, 1), std::string("-5.875 = -2 * 3 + (1 more: 0.125)"));
    part.explanation.constant = 1.0;
    QCOMPARE(withNumbers(part, valueOf, 9), std::string("-4.875 = 1 + (-2) * 3 + 0.5 * 0.25"));
    part.explanation = {
        .formula = "", .terms = {{1.0, {}}, {3.0, {}}}, .rule = Explanation::Rule::Share};
    part.terms = {{3.0, {{1, 0, 1}}}, {.amount = 1.0, .sources = {{0, 0, 0}}, .numerator = true}};
    QCOMPARE(withNumbers(part, valueOf, 9), std::string("0.25 = 1 / (3 + 1)"));
  }

  /// Every line with numbers, read as what it says, of all ops, backwards too, with the scores of
  /// attention kept and not.
  void everyEquationIsTrue_data() {
    QTest::addColumn<bool>("scores");
    QTest::newRow("scores kept") << true;
    QTest::newRow("scores not kept") << false;
  }
  void everyEquationIsTrue() {
    QFETCH(const bool, scores);
    ToldRun run(scores);
    const Program& program = *run.program;
    Explainer<double> explainer = run.explainer();
    const ValueOf valueOf = valueIn(explainer);
    int read = 0, indices = 0, caught = 0;
    for (const ExplainedNumber& number : manyNumbers(program, explainer))
      for (const StepPart& part : number.parts) {
        const test::Functions functions = functionsOf(part);
        for (const std::size_t most : {std::size_t(2), part.terms.size()}) {
          const std::string text = withNumbers(part, valueOf, most);
          QVERIFY2(test::isTrue(text, functions),
                   (namedFormula(program, number, part) + "\n" + text).c_str());
        }
        QVERIFY2(test::isTrue(plainOf(latexOf(program, {number.place, number.value, {part}},
                                              valueOf, part.terms.size())),
                              functions),
                 latexOf(program, number, valueOf, part.terms.size()).c_str());
        ++read;
        // The control: what is only read is no factor.
        StepPart wrong = part;
        for (PlacedTerm& term : wrong.terms)
          if (term.factors > 0 && term.factors < term.sources.size())
            term.factors = term.sources.size();
        bool changes = false;
        for (std::size_t i = 0; i < part.terms.size(); ++i)
          if (wrong.terms[i].factors != part.terms[i].factors) {
            double by = 1.0;
            for (std::size_t s = part.terms[i].factors; s < wrong.terms[i].factors; ++s)
              by *= valueOf(part.terms[i].sources[s]);
            changes = changes || std::abs((by - 1.0) * part.terms[i].amount) >
                                     0.01 * (std::abs(part.explanation.value()) + 0.01);
          }
        if (!changes) continue;
        ++indices;
        caught += test::isTrue(withNumbers(wrong, valueOf, part.terms.size()), functions) ? 0 : 1;
      }
    QVERIFY(read > 600);
    QVERIFY(indices > 50);
    QVERIFY2(caught * 10 > indices * 9, qPrintable(QString::number(caught)));
  }

  void tablesMultiplyToTheirAmounts() {
    ToldRun run;
    Explainer<double> explainer = run.explainer();
    int terms = 0, read_only = 0;
    for (const ExplainedNumber& number : manyNumbers(*run.program, explainer)) {
      const TermTable table = termTable(*run.program, number, valueIn(explainer));
      for (std::size_t i = 1; i < table.size();) {
        const auto& first = table[i];
        double product = first[6].empty() ? 0.0 : std::stod(first[6]);
        const bool multiplied = !first[6].empty();
        for (; i < table.size() && table[i][0] == first[0] && table[i][4] == first[4]; ++i) {
          QCOMPARE(table[i].size(), table[0].size());
          read_only += table[i][9] == "no" ? 1 : 0;
          if (table[i][9] == "yes") product *= std::stod(table[i][8]);
        }
        if (!multiplied) continue;
        const double amount = std::stod(first[5]);
        ++terms;
        if (std::abs(product - amount) > 1e-9 * std::abs(amount) + 1e-300)
          QFAIL((first[2] + " " + first[4] + " of " + nameOf(*run.program, number.place)).c_str());
      }
    }
    QVERIFY(terms > 1000);
    QVERIFY(read_only > 100);
  }

  void theNumeratorOfAShareIsMarked() {
    ToldRun run;
    Explainer<double> explainer = run.explainer();
    const ExplainedNumber number =
        explainer.explain({run.program->find("loss.probabilities"), 1, 2});
    const StepPart& part = number.parts.front();
    double sum = 0.0;
    for (const PlacedTerm& term : part.terms) {
      sum += term.amount;
      QCOMPARE(term.numerator, (term.sources.front().col == 2));
    }
    QVERIFY(std::abs(numeratorOf(part) / sum - number.value) < 1e-12);
    QVERIFY(!part.terms.front().numerator);  // sorting has moved it
    const std::string csv = csvOf(*run.program, number, valueIn(explainer));
    QCOMPARE(QString::fromStdString(csv).count("share, numerator"), 1);
  }

  void labelsCountFromOne() {
    ToldRun run;
    Explainer<double> explainer = run.explainer();
    const ExplainedNumber logit = explainer.explain(placeNamed(*run.program, "logits[0, 0, 1]"));
    const TensorNamer label = [&](TensorId id) {
      return "the " + run.program->tensors[std::size_t(id)].name;
    };
    const auto formula = [&](const ExplainedNumber& number) {
      return labelledFormula(*run.program, number, number.parts.front(), label);
    };
    QCOMPARE(formula(logit), std::string("the logits[1, 1, 2] = sum_j the pooled[1, 1, j] · the "
                                         "logits.weight[2, j], j = 1 ... 6"));
    const NumberPlace slope{run.program->find("logits"), 2, 1, true};
    QVERIFY2(formula(explainer.explain(slope)).ends_with(" d the loss"),
             formula(explainer.explain(slope)).c_str());
    // Two rows become one: "x[2t], x[2t + 1]".
    const ExplainedNumber pooled = explainer.explain({run.program->find("shorter_pad"), 1, 0});
    const std::string named = namedFormula(*run.program, pooled, pooled.parts.front());
    QVERIFY2(named.find(" * ") == std::string::npos, named.c_str());
    const std::string labelled = formula(pooled);
    const auto indexIn = [](const std::string& text, std::size_t from) {
      return std::stoi(text.substr(text.find_first_of("0123456789", text.find('[', from))));
    };
    QCOMPARE(indexIn(labelled, labelled.find(" = ")), indexIn(named, named.find(" = ")) + 1);
  }

  void tablesHaveEveryTerm() {
    ToldRun run;
    Explainer<double> explainer = run.explainer();
    const ExplainedNumber logit = explainer.explain(placeNamed(*run.program, "logits[0, 0, 1]"));
    const QString csv = QString::fromStdString(csvOf(*run.program, logit, valueIn(explainer)));
    const QStringList lines = csv.trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 2 * qsizetype(logit.parts.front().terms.size()));
    QCOMPARE(lines.front(),
             QString("step,op,rule,function,term,amount,factor,source,value,multiplied"));
    double sum = 0.0;
    for (qsizetype i = 1; i < lines.size(); i += 2) sum += lines[i].split(',')[5].toDouble();
    QVERIFY(std::abs(sum - logit.value) < 1e-12);
    QVERIFY(std::abs(sum - lines[1].split(',')[5].toDouble() - logit.value) > 1e-9);  // one missing
  }
};

TFM_TEST(TestFormula)
#include "test_formula.moc"
