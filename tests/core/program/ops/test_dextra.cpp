// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <string>
#include <vector>

#include "core/program/ops/ops.h"
#include "tests/core/program/ops/golden_layer.h"
#include "tests/test_program.h"

using tfm::TensorId;
using tfm::test::Golden;
using tfm::test::GoldenLayer;

namespace {

/// The golden's unit, composed of ops; without the shuffle, or with the input before all groups
/// instead of within each, it is another.
tfm::Program unit(const Golden& golden, bool shuffle = true, bool mixed_by_groups = true) {
  namespace ops = tfm::ops;
  const std::vector<double> groups = golden.at("groups").numbers();
  const double eps = golden.at("eps").number();
  tfm::ProgramBuilder b({1, 1, 0}, false, false);
  const auto parameter = [&](const std::string& name) {
    return GoldenLayer::parameter(b, golden, name);
  };
  const auto normed = [&](const std::string& name, TensorId x) {
    x = ops::layerNorm(b, name + "_normed", x, parameter(name + ".norm.weight"),
                       parameter(name + ".norm.bias"), eps);
    return ops::activation(b, name + "_activated", x, tfm::Activation::Gelu);
  };
  const auto linear = [&](const std::string& name, TensorId x) {
    return normed(name,
                  ops::linear(b, name, x, parameter(name + ".weight"), parameter(name + ".bias")));
  };
  const TensorId x = linear("input", parameter("x"));
  TensorId y = x;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string name = "map" + std::to_string(i);
    y = normed(
        name, ops::groupedLinear(b, name, y, parameter(name + ".weight"), parameter(name + ".bias"),
                                 std::int64_t(groups[i]), shuffle));
    const bool parts = mixed_by_groups && i + 1 < groups.size();
    y = ops::joinGroups(b, name + "_joined", x, y, parts ? std::int64_t(groups[i + 1]) : 1);
  }
  y = linear("output", y);
  const TensorId target = b.input("target", b.tensor(y).rows, b.tensor(y).cols);
  ops::squaredError(b, "loss", y, target, 1.0);
  return b.finish();
}

}  // namespace

class TestDextra : public QObject {
  Q_OBJECT

 private slots:
  void itIsThatOfPlainTorch() {
    const Golden golden = Golden::read("dextra");
    GoldenLayer right(golden, unit(golden));
    QCOMPARE(right.parameters(), golden.at("parameters").size());
    QVERIFY(right.offIn("output_activated", "output") < 1e-12);
    QVERIFY(right.offInGradients() < 1e-10);
    GoldenLayer unshuffled(golden, unit(golden, false)), whole(golden, unit(golden, true, false));
    QVERIFY(unshuffled.offIn("output_activated", "output") > 1e-3);
    QVERIFY(whole.offIn("output_activated", "output") > 1e-3);
  }
};

TFM_TEST(TestDextra)
#include "test_dextra.moc"
