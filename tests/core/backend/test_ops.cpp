// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "tests/core/backend/op_checker.h"

using tfm::Backend;
using tfm::GradientView;
using tfm::MatrixView;
using tfm::test::OpCall;
using tfm::test::OpCase;

namespace {

constexpr std::int64_t kGaps[] = {0, 3};

/// The case with a backward whose gradient of input `wrong` is `factor` times the right one.
OpCase withWrongGradient(const OpCase& op, std::size_t wrong, double factor) {
  OpCase result = op;
  result.backward = [op, wrong, factor](const Backend<double>& b, const OpCall<double>& call) {
    op.backward(b, call);
    const MatrixView<double> d = call.din[wrong].sum;
    for (std::int64_t r = 0; r < d.rows; ++r)
      for (std::int64_t c = 0; c < d.cols; ++c) d.at(r, c) *= factor;
  };
  return result;
}

/// The case with a first output that is off by a little.
OpCase withWrongValue(const OpCase& op) {
  OpCase result = op;
  result.forward = [op](const Backend<double>& b, const OpCall<double>& call) {
    op.forward(b, call);
    call.out[0].at(0, 0) += 1e-9;
  };
  return result;
}

/// A backward that overwrites what it should add to.
OpCase withOverwriting(const OpCase& op) {
  OpCase result = op;
  result.backward = [op](const Backend<double>& b, const OpCall<double>& call) {
    for (const GradientView<double>& d : call.din) tfm::begun<double>({d.sum, true});
    op.backward(b, call);
  };
  return result;
}

/// A backward that adds to what means nothing.
OpCase withoutBeginning(const OpCase& op) {
  OpCase result = op;
  result.backward = [op](const Backend<double>& b, OpCall<double> call) {
    for (GradientView<double>& d : call.din) d.fresh = false;
    op.backward(b, call);
  };
  return result;
}

/// Whether a factor could show: a norm of one number and an attention to one key are constant.
bool hasGradient(const OpCase& op, std::size_t input) {
  if (!op.inputs[input].has_gradient || op.inputs[input].size.rows == 0) return false;
  const bool norm_of_one = op.name.starts_with("layer norm") && op.inputs[input].size.cols == 1;
  const bool one_key = op.name.starts_with("attention") && op.outputs[1].cols == 1;
  return input == 2 || !(norm_of_one || one_key);
}

}  // namespace

class TestOps : public QObject {
  Q_OBJECT

 private:
  using Check = std::string (*)(const OpCase&, std::int64_t);

  static void addRows() {
    QTest::addColumn<int>("index");
    const std::vector<OpCase> cases = tfm::test::opCases();
    for (std::size_t i = 0; i < cases.size(); ++i) QTest::newRow(cases[i].name.c_str()) << int(i);
  }
  static void verify(Check check) {
    QFETCH(int, index);
    const OpCase op = tfm::test::opCases()[std::size_t(index)];
    for (const std::int64_t gap : kGaps) {
      const std::string wrong = check(op, gap);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

 private slots:
  void valueIsThatOfPlainLoops_data() { addRows(); }
  void valueIsThatOfPlainLoops() { verify(tfm::test::wrongValue); }

  void gradientIsThatOfFiniteDifferences_data() { addRows(); }
  void gradientIsThatOfFiniteDifferences() { verify(tfm::test::wrongGradient); }

  void floatAgreesWithDouble_data() { addRows(); }
  void floatAgreesWithDouble() { verify(tfm::test::wrongInFloat); }

  void backwardAccumulates_data() { addRows(); }
  void backwardAccumulates() { verify(tfm::test::wrongAccumulation); }

  void freshGradientsAreOverwritten_data() { addRows(); }
  void freshGradientsAreOverwritten() { verify(tfm::test::wrongAfresh); }

  void emptyGradientsAreSkipped_data() { addRows(); }
  void emptyGradientsAreSkipped() { verify(tfm::test::wrongWithEmptyViews); }

  void theTableHasEveryOp() {
    for (const char* name :
         {"embedding", "add positions", "pad columns", "linear", "relu", "gelu", "gelu tanh",
          "add 5", "gate", "dropout", "layer norm", "masked layer norm", "RMS norm", "attention",
          "mean pool", "cross-entropy", "squared error"}) {
      bool found = false;
      for (const OpCase& op : tfm::test::opCases()) found = found || op.name.starts_with(name);
      QVERIFY2(found, name);
    }
  }

  void theChecksSeeAWrongBackward_data() { addRows(); }
  void theChecksSeeAWrongBackward() {
    QFETCH(int, index);
    const OpCase op = tfm::test::opCases()[std::size_t(index)];
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (!hasGradient(op, i)) continue;
      QVERIFY(!tfm::test::wrongGradient(withWrongGradient(op, i, 1.001), 0).empty());
      QVERIFY(tfm::test::wrongGradient(withWrongGradient(op, i, 1.0), 0).empty());
    }
    const bool constant = op.name == "layer norm 1";
    QCOMPARE(tfm::test::wrongAccumulation(withOverwriting(op), 0).empty(), constant);
    QVERIFY(!tfm::test::wrongAfresh(withoutBeginning(op), 0).empty());
  }

  void theChecksSeeAWrongValue_data() { addRows(); }
  void theChecksSeeAWrongValue() {
    QFETCH(int, index);
    const OpCase op = tfm::test::opCases()[std::size_t(index)];
    QVERIFY(!tfm::test::wrongValue(withWrongValue(op), 0).empty());
  }
};

QTEST_GUILESS_MAIN(TestOps)
#include "test_ops.moc"
