// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "core/program/program_builder.h"
#include "core/tensor/random.h"
#include "tests/test_program.h"

using namespace tfm;

namespace {

/// Two sequences of heads with groups, whose sizes fill no register.
constexpr CachedAttentionArguments kSizes{{2, 3, 128, 6, 5, 3, true}, 2};
/// Where only the last few are seen, and scores have something added.
constexpr std::int64_t kWindow = 11;

template <class Real>
struct Kept {
  std::unique_ptr<Backend<Real>> backend;
  std::unique_ptr<Executor<Real>> executor;
  std::vector<std::vector<Real>> q, k, v;  // of all positions, sequence by sequence
  std::vector<Real> bias;                  // of the latest run
  const std::int64_t window;

  Kept(KernelSet set, bool biased, std::int64_t of_window)
      : backend(makeCpuBackend<Real>(set)), window(of_window) {
    CachedAttentionArguments a = kSizes;
    a.shape.window = window;
    const AttentionShape& s = kSizes.shape;
    ProgramBuilder b({}, false, false);
    const std::int64_t rows = s.batch * s.queries;
    ops::cachedAttention(
        b, "y", b.input("q", rows, s.heads * s.key_size), b.input("k", rows, kSizes.keyColumns()),
        b.input("v", rows, s.heads / kSizes.group * s.value_size), b.ids("places", rows), a,
        biased ? b.input("bias", rows * s.heads, s.keys) : kNoTensor);
    if (biased) bias.resize(std::size_t(rows * s.heads * s.keys));
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = Real(3.0 * Random(5, 1).normal(i));
    executor =
        std::make_unique<Executor<Real>>(std::make_shared<Program>(b.finish()), *backend, false);
  }
  /// Random rows of some places, which `all` of an input keeps.
  void give(const char* name, const std::vector<std::int32_t>& places,
            std::vector<std::vector<Real>>& all) {
    const Program& program = executor->program();
    const TensorId id = program.find(name);
    const std::int64_t cols = program.tensors[std::size_t(id)].cols;
    all.resize(std::size_t(kSizes.shape.batch * kSizes.shape.keys));
    std::vector<Real> numbers;
    for (std::size_t r = 0; r < places.size(); ++r) {
      const std::int64_t sequence = std::int64_t(r) / kSizes.shape.queries;
      auto& row = all[std::size_t(sequence * kSizes.shape.keys + places[r])];
      const Random random(std::uint64_t(places[r]), std::uint32_t(10 * sequence + id));
      row.clear();
      for (std::int64_t c = 0; c < cols; ++c)
        row.push_back(Real(2.0 * random.normal(std::uint64_t(c))));
      numbers.insert(numbers.end(), row.begin(), row.end());
    }
    executor->upload(id, std::span<const Real>(numbers));
  }
  void run(const std::vector<std::int32_t>& places) {
    give("q", places, q);
    give("k", places, k);
    give("v", places, v);
    if (!bias.empty())
      executor->upload(executor->program().find("bias"), std::span<const Real>(bias));
    executor->upload(executor->program().find("places"), places);
    executor->forward(nullptr, {});
  }
  /// Of a row of the latest run.
  double expected(std::int64_t run_row, std::int64_t place, std::int64_t col) const {
    const AttentionShape& s = kSizes.shape;
    const std::int64_t sequence = run_row / s.queries;
    const std::int64_t head = col / s.value_size, shared = head / kSizes.group;
    const std::int64_t bias_row = (sequence * s.heads + head) * s.queries + run_row % s.queries;
    const auto row = [&](const auto& all, std::int64_t at) -> const std::vector<Real>& {
      return all[std::size_t(sequence * s.keys + at)];
    };
    double sum = 0.0, mixed = 0.0;
    for (std::int64_t j = window > 0 ? std::max<std::int64_t>(0, place + 1 - window) : 0;
         j <= place; ++j) {
      double score = bias.empty() ? 0.0 : double(bias[std::size_t(bias_row * s.keys + j)]);
      for (std::int64_t c = 0; c < s.key_size; ++c)
        score += double(row(q, place)[std::size_t(head * s.key_size + c)]) *
                 double(row(k, j)[std::size_t(shared * s.key_size + c)]);
      const double share = std::exp(score / std::sqrt(double(s.key_size)));
      sum += share;
      mixed += share * double(row(v, j)[std::size_t(shared * s.value_size + col % s.value_size)]);
    }
    return mixed / sum;
  }
};

template <class Real>
double farthest(KernelSet set, bool biased, std::int64_t window) {
  Kept<Real> kept(set, biased, window);
  double most = 0.0;
  // The second sequence is further; a row may be there twice, and one be read again.
  for (std::int32_t first = 0; first < 99; first += 3)
    for (const int again : {0, 1}) {
      const std::int32_t third = first + (again == 1 ? 1 : 2);
      const std::vector<std::int32_t> places{first,      first + 1,  third,
                                             first + 20, first + 21, first + 22};
      if (first == 0 && again == 0)  // the second sequence begins before
        for (std::int32_t i = 0; i < 21; i += 3) kept.run({0, 0, 0, i, i + 1, i + 2});
      kept.run(places);
      const auto mixed = kept.executor->values(kept.executor->program().find("y.mixed"));
      for (std::int64_t r = 0; r < mixed.rows; ++r)
        for (std::int64_t c = 0; c < mixed.cols; ++c)
          most = std::max(
              most, std::abs(double(mixed.at(r, c)) - kept.expected(r, places[std::size_t(r)], c)));
    }
  return most;
}

}  // namespace

class TestCachedAttention : public QObject {
  Q_OBJECT

 private slots:
  void valueIsThatOfPlainLoops() {
    for (const KernelSet set : {KernelSet::Fastest, KernelSet::Fixed})
      for (const std::int64_t window : {std::int64_t{0}, kWindow})
        for (const bool biased : {false, true}) {
          QVERIFY(farthest<double>(set, biased, window) < 1e-13);
          QVERIFY(farthest<float>(set, biased, window) < 2e-5);
        }
  }
  void thereIsRoomForThePlace() {
    Kept<double> kept(KernelSet::Fastest, false, 0);
    for (const std::int32_t place : {-1, 128}) {
      kept.executor->upload(kept.executor->program().find("places"),
                            std::vector<std::int32_t>{0, 1, 2, 0, 1, place});
      QVERIFY_EXCEPTION_THROWN(kept.executor->forward(nullptr, {}), std::logic_error);
    }
  }
};

TFM_TEST(TestCachedAttention)
#include "test_cached_attention.moc"
