// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <vector>

#include "core/backend/registry.h"
#include "core/program/ops/ops.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using tfm::MatrixView;

namespace {

using View = MatrixView<double>;
constexpr std::int64_t kRows = 3;
constexpr double kEps = 1e-5;

/// Results and gradients of one norm; matrices of the same drawn numbers, whatever their width.
struct Norm {
  std::int64_t cols;
  std::vector<double> x, dy, gain, bias;
  std::vector<double> y, saved, dx, dgain, dbias;

  explicit Norm(std::int64_t width)
      : cols(width),
        gain(tfm::test::drawnNumbers(width, 1)),
        bias(tfm::test::drawnNumbers(width, 2)),
        y(std::size_t(kRows * width)),
        saved(std::size_t(kRows * 2)),
        dx(y.size()),
        dgain(gain.size()),
        dbias(bias.size()) {
    for (std::int64_t r = 0; r < kRows; ++r)
      for (const auto& [to, stream] : {std::pair{&x, 10}, std::pair{&dy, 20}}) {
        const std::vector<double> row = tfm::test::drawnNumbers(width, std::uint32_t(stream + r));
        to->insert(to->end(), row.begin(), row.end());
      }
  }

  View view(std::vector<double>& of) const {
    return {of.data(), std::int64_t(of.size()) / cols, cols};
  }
  void run(const tfm::Op& op, const std::any& arguments, std::uint64_t step) {
    const tfm::RunPosition position{0, step, 0};
    tfm::OpCall<double> c;
    c.op = &op;
    c.arguments = &arguments;
    c.position = &position;
    c.inputs[0] = {view(x), {}, view(dx)};
    c.inputs[1] = {view(gain), {}, view(dgain)};
    c.inputs[2] = {view(bias), {}, view(dbias)};
    c.outputs[0] = {view(y), view(dy)};
    c.outputs[1].values = View(saved.data(), kRows, 2);
    const auto backend = tfm::makeBackend<double>();
    backend->forward(c);
    backend->backward(c);
  }
  void runPlain() { run(tfm::ops::kLayerNorm, tfm::NormArguments{kEps}, 0); }
  /// With a mask of weight step / steps over all but the first columns.
  void runMasked(std::int64_t first, std::uint64_t step, std::int64_t steps) {
    run(tfm::ops::kMaskedLayerNorm, tfm::MaskedNormArguments{kEps, first, 0, steps}, step);
  }
  /// "" or what differs by more than `most` from a norm that is as wide or narrower; beyond its
  /// width everything must be 0.
  std::string differs(const Norm& narrow, double most) const {
    for (const auto& [name, part] : {std::pair{"y", &Norm::y},
                                     {"dx", &Norm::dx},
                                     {"dgain", &Norm::dgain},
                                     {"dbias", &Norm::dbias}}) {
      const std::vector<double>& mine = this->*part;
      for (std::size_t i = 0; i < mine.size(); ++i) {
        const std::size_t row = i / std::size_t(cols), col = i % std::size_t(cols);
        const double expected = std::int64_t(col) < narrow.cols
                                    ? (narrow.*part)[row * std::size_t(narrow.cols) + col]
                                    : 0.0;
        if (!(std::abs(mine[i] - expected) <= most)) return name + std::to_string(i);
      }
    }
    return {};
  }
};

}  // namespace

class TestMaskedNorm : public QObject {
  Q_OBJECT

 private slots:
  void atWeightOneItIsLayerNorm() {
    Norm plain(11), masked(11), nearly(11), half(11);
    plain.runPlain();
    masked.runMasked(6, 1, 1);
    nearly.runMasked(6, 9'999'999'999, 10'000'000'000);
    half.runMasked(6, 1, 2);
    QCOMPARE(masked.differs(plain, 0.0), std::string());
    QCOMPARE(masked.saved, plain.saved);
    QCOMPARE(nearly.differs(plain, 1e-8), std::string());
    QVERIFY(!half.differs(plain, 1e-3).empty());
  }

  void atWeightZeroItIsTheNormOfTheFirstColumns() {
    Norm narrow(6), masked(11), some(11);
    narrow.runPlain();
    masked.runMasked(6, 0, 1);
    some.runMasked(6, 1, 1000);
    QCOMPARE(masked.differs(narrow, 1e-14), std::string());
    QVERIFY(!some.differs(narrow, 1e-6).empty());
  }

  void whatDoesNotCountMayBeAnything() {
    Norm one(11), other(11);
    for (std::int64_t r = 0; r < kRows; ++r) other.view(other.x).at(r, 8) = 1e6;
    one.runMasked(6, 0, 1);
    other.runMasked(6, 0, 1);
    QCOMPARE(other.y, one.y);
    QCOMPARE(other.saved, one.saved);
    one.runMasked(9, 0, 1);
    other.runMasked(9, 0, 1);
    QVERIFY(other.y != one.y);
  }
};

TFM_TEST(TestMaskedNorm)
#include "test_masked_norm.moc"
