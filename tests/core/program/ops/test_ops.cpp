// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <any>
#include <functional>

#include "core/backend/backend_decorator.h"
#include "core/backend/registry.h"
#include "core/program/ops/ops.h"
#include "tests/core/program/ops/op_checker.h"
#include "tests/named_rows.h"
#include "tests/test_program.h"

using tfm::MatrixView;
using tfm::OpCall;
using tfm::test::OpCase;

namespace {

constexpr std::int64_t kGaps[] = {0, 3};

/// The usual backend, with one direction replaced.
class Altered final : public tfm::BackendDecorator<double> {
 public:
  using Direction = std::function<void(const Backend<double>& usual, OpCall<double> call)>;

  Altered(Direction forward, Direction backward)
      : BackendDecorator(tfm::makeBackend<double>()),
        forward_(std::move(forward)),
        backward_(std::move(backward)) {}

  void forward(const OpCall<double>& call) const override {
    forward_ ? forward_(inner(), call) : inner().forward(call);
  }
  void backward(const OpCall<double>& call) const override {
    backward_ ? backward_(inner(), call) : inner().backward(call);
  }

 private:
  Direction forward_, backward_;
};

/// The gradient of input `wrong` is `factor` times the right one.
Altered withWrongGradient(std::size_t wrong, double factor) {
  return {{}, [=](const tfm::Backend<double>& usual, const OpCall<double>& call) {
            usual.backward(call);
            const MatrixView<double> d = call.din(wrong).sum;
            for (std::int64_t r = 0; r < d.rows; ++r)
              for (std::int64_t c = 0; c < d.cols; ++c) d.at(r, c) *= factor;
          }};
}

/// The first output is off by a little.
Altered withWrongValue(double error = 1e-9) {
  return {[=](const tfm::Backend<double>& usual, const OpCall<double>& call) {
            usual.forward(call);
            call.out(0).at(0, 0) += error;
          },
          {}};
}

/// Right for inputs up to +-8 only.
Altered withWrongValuesFarFromZero() {
  return {[](const tfm::Backend<double>& usual, OpCall<double> call) {
            const MatrixView<const double> x = call.in(0);
            std::vector<double> near;
            for (std::int64_t r = 0; r < x.rows; ++r)
              for (std::int64_t c = 0; c < x.cols; ++c)
                near.push_back(std::clamp(x.at(r, c), -8.0, 8.0));
            if (x) call.inputs[0].values = {near.data(), x.rows, x.cols};
            usual.forward(call);
          },
          {}};
}

/// Overwrites what it should add to.
Altered withOverwriting() {
  return {{}, [](const tfm::Backend<double>& usual, const OpCall<double>& call) {
            for (const auto& input : call.inputs)
              tfm::clearIfFresh<double>({input.gradient.sum, true});
            usual.backward(call);
          }};
}

/// Adds to what means nothing.
Altered withoutBeginning() {
  return {{}, [](const tfm::Backend<double>& usual, OpCall<double> call) {
            for (auto& input : call.inputs) input.gradient.fresh = false;
            usual.backward(call);
          }};
}

/// Whether a factor could show: a norm of one number and an attention to one key are constant.
bool showsFactor(const OpCase& op, std::size_t input) {
  if (!op.hasGradient(input)) return false;
  const bool norm_of_one = op.name.starts_with("layer norm") && op.input(input).cols == 1;
  const auto* attention = std::any_cast<tfm::AttentionArguments>(&op.step().arguments);
  const bool one_key = attention != nullptr && attention->shape.keys == 1;
  return input == 2 || !(norm_of_one || one_key);
}

}  // namespace

class TestOps : public QObject {
  Q_OBJECT

 private:
  using Check = std::string (*)(const OpCase&, std::int64_t, const tfm::Backend<double>&);

  const std::vector<OpCase> cases_ = tfm::test::opCases();

  void addRows() { tfm::test::addNamedRows(cases_); }
  const OpCase& fetched() {
    QFETCH(int, index);
    return cases_[std::size_t(index)];
  }
  void verify(Check check) {
    const auto backend = tfm::makeBackend<double>();
    for (const std::int64_t gap : kGaps) {
      const std::string wrong = check(fetched(), gap, *backend);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

 private slots:
  void valueIsThatOfPlainLoops_data() { addRows(); }
  void valueIsThatOfPlainLoops() { verify(tfm::test::wrongValue); }

  void gradientIsThatOfFiniteDifferences_data() { addRows(); }
  void gradientIsThatOfFiniteDifferences() { verify(tfm::test::wrongGradient); }

  void everyNumberIsExplained_data() { addRows(); }
  void everyNumberIsExplained() { verify(tfm::test::wrongExplanation); }

  void floatAgreesWithDouble_data() { addRows(); }
  void floatAgreesWithDouble() { verify(tfm::test::wrongInFloat); }

  void backwardAccumulates_data() { addRows(); }
  void backwardAccumulates() { verify(tfm::test::wrongAccumulation); }

  void freshGradientsAreOverwritten_data() { addRows(); }
  void freshGradientsAreOverwritten() { verify(tfm::test::wrongAfresh); }

  void emptyGradientsAreSkipped_data() { addRows(); }
  void emptyGradientsAreSkipped() { verify(tfm::test::wrongWithEmptyViews); }

  void theExplanationsSeeAWrongValue_data() { addRows(); }
  void theExplanationsSeeAWrongValue() {
    if (!fetched().explained) QSKIP("nobody asks for what is not kept");
    QVERIFY(!tfm::test::wrongExplanation(fetched(), 0, withWrongValue(1e-6)).empty());
    for (std::size_t i = 0; i < fetched().step().inputs.size(); ++i)
      if (showsFactor(fetched(), i))
        QVERIFY(!tfm::test::wrongExplanation(fetched(), 0, withWrongGradient(i, 1.001)).empty());
  }

  void everyOpHasCases() {
    for (const tfm::Op* op : tfm::ops::kAll)
      // Integers have their own tests.
      QVERIFY2(op == &tfm::ops::kPoolIds ||
                   std::ranges::any_of(cases_, [&](const OpCase& c) { return c.step().op == op; }),
               op->name.data());
  }

  void theChecksSeeAWrongBackward_data() { addRows(); }
  void theChecksSeeAWrongBackward() {
    const OpCase& op = fetched();
    for (std::size_t i = 0; i < op.step().inputs.size(); ++i)
      if (showsFactor(op, i))
        QVERIFY(!tfm::test::wrongGradient(op, 0, withWrongGradient(i, 1.001)).empty());
    const bool constant = op.name == "layer norm 1";
    QCOMPARE(tfm::test::wrongAccumulation(op, 0, withOverwriting()).empty(), constant);
    QVERIFY(!tfm::test::wrongAfresh(op, 0, withoutBeginning()).empty());
  }

  void theWideInputsShowWhatIsWrongFarFromZero_data() { addRows(); }
  void theWideInputsShowWhatIsWrongFarFromZero() {
    const OpCase& op = fetched();
    QCOMPARE(tfm::test::wrongValue(op, 0, withWrongValuesFarFromZero()).empty(),
             op.draw == tfm::test::Draw::Small);
  }

  void theChecksSeeAWrongValue_data() { addRows(); }
  void theChecksSeeAWrongValue() {
    QVERIFY(!tfm::test::wrongValue(fetched(), 0, withWrongValue()).empty());
  }
};

TFM_TEST(TestOps)
#include "test_ops.moc"
