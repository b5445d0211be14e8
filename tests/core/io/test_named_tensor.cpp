// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/io/named_tensor.h"
#include "tests/core/io/error_of.h"
#include "tests/core/io/sample.h"
#include "tests/test_program.h"

using namespace tfm::io;
using tfm::test::halfTensor;

class TestNamedTensor : public QObject {
  Q_OBJECT

 private slots:
  void keepsValuesOfEveryType();
  void widensFloat16();
  void widensBFloat16();
  void countsBytesWithoutOverflow();
  void refusesValuesThatDoNotFitTheShape();
  void integersOnlyFromIntegers();
  void namesAreDistinct();
};

void TestNamedTensor::keepsValuesOfEveryType() {
  const std::vector<float> floats{1.5F, -2, 0};
  const std::vector<double> doubles{0.1, 1e300, -3};
  const std::vector<std::int64_t> longs{-1, 1LL << 40, 2};
  const std::vector<std::int32_t> ints{-7, 8, 9};
  const std::vector<std::uint8_t> bytes{0, 255, 3};
  QVERIFY(floatValues(makeTensor({3}, floats)) == floats);
  QVERIFY(doubleValues(makeTensor({3, 1}, doubles)) == doubles);
  QVERIFY(integerValues(makeTensor({1, 3}, longs), "x") == longs);
  QVERIFY(floatValues(makeTensor({3}, ints)) == std::vector<float>({-7, 8, 9}));
  QVERIFY(doubleValues(makeTensor({3}, bytes)) == std::vector<double>({0, 255, 3}));
  NamedTensor flags = makeTensor({3}, bytes);
  flags.dtype = DType::Bool;
  QVERIFY(integerValues(flags, "x") == std::vector<std::int64_t>({0, 1, 1}));
  QVERIFY(makeTensor({3}, floats).dtype == DType::F32);
  QVERIFY(makeTensor({}, std::vector<float>{4}).shape.empty());
}

void TestNamedTensor::widensFloat16() {
  const auto values = floatValues(halfTensor(
      DType::F16, {0x0000, 0x8000, 0x3C00, 0xC000, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0x3555}));
  QVERIFY(values[1] == 0 && std::signbit(values[1]));
  QCOMPARE(values[2], 1.0F);
  QCOMPARE(values[3], -2.0F);
  QCOMPARE(values[4], 0x1p-24F);          // smallest subnormal
  QCOMPARE(values[5], -1023 * 0x1p-24F);  // largest subnormal
  QCOMPARE(values[6], 0x1p-14F);          // smallest normal
  QCOMPARE(values[7], 65504.0F);          // largest
  QCOMPARE(values[8], 0.333251953125F);
  const auto special = floatValues(halfTensor(DType::F16, {0x7C00, 0xFC00, 0x7E00}));
  QVERIFY(special[0] == INFINITY && special[1] == -INFINITY && std::isnan(special[2]));
}

void TestNamedTensor::widensBFloat16() {
  const auto values = floatValues(halfTensor(DType::BF16, {0x3F80, 0xC040, 0x7F80}));
  QVERIFY(values == std::vector<float>({1, -3, INFINITY}));
}

void TestNamedTensor::countsBytesWithoutOverflow() {
  using Shape = std::vector<std::int64_t>;
  QCOMPARE(byteCount(DType::F32, Shape{2, 3}).value(), 24);
  QCOMPARE(byteCount(DType::F64, Shape{}).value(), 8);
  QCOMPARE(byteCount(DType::F32, Shape{5, 0}).value(), 0);
  QVERIFY(!byteCount(DType::F32, Shape{-1}));
  QVERIFY(!byteCount(DType::F32, Shape{-1, -1}));
  QVERIFY(!byteCount(DType::U8, Shape{1LL << 32, 1LL << 31}));
  QVERIFY(!byteCount(DType::F32, Shape{1LL << 61}));
  QVERIFY(byteCount(DType::U8, Shape{1LL << 61}));
}

void TestNamedTensor::refusesValuesThatDoNotFitTheShape() {
  QVERIFY_EXCEPTION_THROWN(makeTensor({2, 2}, std::vector<float>(3)), std::logic_error);
}

void TestNamedTensor::integersOnlyFromIntegers() {
  TFM_VERIFY_ERROR(integerValues(makeTensor({1}, std::vector<float>{1}), "tensor \"ids\""),
                   "tensor \"ids\": the elements are F32, expected whole numbers");
}

void TestNamedTensor::namesAreDistinct() {
  QCOMPARE(dtypeNames(), std::string("F64, F32, F16, BF16, I64, I32, U8, BOOL"));
  QVERIFY(dtypeNamed("BOOL") == DType::Bool);
  QVERIFY(dtypeName(DType::I32) == "I32" && elementSize(DType::I32) == 4);
  QVERIFY(!dtypeNamed("F8_E4M3"));
}

TFM_TEST(TestNamedTensor)
#include "test_named_tensor.moc"
