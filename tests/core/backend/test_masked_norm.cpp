// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"

using tfm::ColumnMask;
using tfm::MatrixView;

namespace {

using View = MatrixView<double>;
constexpr std::int64_t kRows = 3;
constexpr double kEps = 1e-5;

std::vector<double> drawn(std::int64_t size, std::uint32_t stream) {
  std::vector<double> values(std::size_t(size), 0.0);
  const tfm::Random random(7, stream);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random.normal(i);
  return values;
}

/// Results and gradients of one norm; matrices of the same drawn numbers, whatever their width.
struct Norm {
  std::int64_t cols;
  std::vector<double> x, dy, gain, bias;
  std::vector<double> y, saved, dx, dgain, dbias;

  explicit Norm(std::int64_t width)
      : cols(width),
        gain(drawn(width, 1)),
        bias(drawn(width, 2)),
        y(std::size_t(kRows * width)),
        saved(std::size_t(kRows * 2)),
        dx(y.size()),
        dgain(gain.size()),
        dbias(bias.size()) {
    for (std::int64_t r = 0; r < kRows; ++r)
      for (const auto& [to, stream] : {std::pair{&x, 10}, std::pair{&dy, 20}}) {
        const std::vector<double> row = drawn(width, std::uint32_t(stream + r));
        to->insert(to->end(), row.begin(), row.end());
      }
  }

  View view(std::vector<double>& of) const {
    return {of.data(), std::int64_t(of.size()) / cols, cols};
  }
  void runPlain() {
    const auto b = tfm::makeCpuBackend<double>();
    const View s(saved.data(), kRows, 2);
    b->layerNorm(view(y), s, view(x), view(gain), view(bias), kEps);
    b->layerNormBackward(view(dx), view(dgain), view(dbias), view(dy), view(x), view(gain), s);
  }
  void runMasked(const ColumnMask& mask) {
    const auto b = tfm::makeCpuBackend<double>();
    const View s(saved.data(), kRows, 2);
    b->maskedLayerNorm(view(y), s, view(x), view(gain), view(bias), kEps, mask);
    b->maskedLayerNormBackward(view(dx), view(dgain), view(dbias), view(dy), view(x), view(gain), s,
                               mask);
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
    masked.runMasked({6, 1.0});
    nearly.runMasked({6, 1.0 - 1e-10});
    half.runMasked({6, 0.5});
    QCOMPARE(masked.differs(plain, 0.0), std::string());
    QCOMPARE(masked.saved, plain.saved);
    QCOMPARE(nearly.differs(plain, 1e-8), std::string());
    QVERIFY(!half.differs(plain, 1e-3).empty());
  }

  void atWeightZeroItIsTheNormOfTheFirstColumns() {
    Norm narrow(6), masked(11), some(11);
    narrow.runPlain();
    masked.runMasked({6, 0.0});
    some.runMasked({6, 1e-3});
    QCOMPARE(masked.differs(narrow, 1e-14), std::string());
    QVERIFY(!some.differs(narrow, 1e-6).empty());
  }

  void whatDoesNotCountMayBeAnything() {
    Norm one(11), other(11);
    for (std::int64_t r = 0; r < kRows; ++r) other.view(other.x).at(r, 8) = 1e6;
    one.runMasked({6, 0.0});
    other.runMasked({6, 0.0});
    QCOMPARE(other.y, one.y);
    QCOMPARE(other.saved, one.saved);
    one.runMasked({9, 0.0});
    other.runMasked({9, 0.0});
    QVERIFY(other.y != one.y);
  }
};

QTEST_GUILESS_MAIN(TestMaskedNorm)
#include "test_masked_norm.moc"
