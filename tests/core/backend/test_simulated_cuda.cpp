// SPDX-License-Identifier: GPL-3.0-or-later
// The device that the kernels for a GPU are tested on: what it must notice.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/backend/buffer.h"
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"
#include "core/backend/plugins.h"
#include "core/program/ops/update_ops.h"
#include "tests/core/backend/simulated_cuda/cuda_plugin.h"
#include "tests/test_program.h"

using tfm::Buffer;
using tfm::MatrixView;
using tfm::cuda::launch;
using tfm::cuda::Matrix;
using tfm::cuda::Shared;

namespace {

constexpr unsigned kThreads = 32;
constexpr std::size_t kRoom = kThreads * sizeof(float);

/// Each thread hands its number to the next one.
__global__ void handOn(Matrix<float> y, bool waits) {
  const Shared<float> room(0, blockDim.x);
  room[threadIdx.x] = float(threadIdx.x + 1);
  if (waits) __syncthreads();
  y.at(blockIdx.x, threadIdx.x) = room[(threadIdx.x + 1) % blockDim.x];
}
/// Each thread notes its turn.
__global__ void noteTurn(Matrix<float> y, float* turn) {
  y.at(blockIdx.x, threadIdx.x) = (*turn)++;
}
__global__ void writeCell(Matrix<float> y, std::int64_t row, std::int64_t col) {
  y.at(row, col) = 1.0F;
}
__global__ void leaveSomeWaiting() {
  if (threadIdx.x > 0) __syncthreads();
}
/// Each thread of a warp gets the number of its neighbour; those from `last` on do not ask.
__global__ void askNeighbour(Matrix<float> y, unsigned last, unsigned lanes) {
  const Shared<float> room(0, 1);
  if (threadIdx.x < last)
    y.at(blockIdx.x, threadIdx.x) = __shfl_xor_sync(lanes, float(threadIdx.x + 1), 1);
  if (threadIdx.x == 0) room[0] = 1.0F;
}
/// Some exchange numbers while the others wait for the block.
__global__ void exchangeWhileOthersWait() {
  if (threadIdx.x % 2 == 0) __syncthreads();
  __shfl_xor_sync(tfm::cuda::kAllLanes, 1.0F, 2);
  if (threadIdx.x % 2 != 0) __syncthreads();
}
__global__ void joinAll(Matrix<float> y) {
  const Shared<float> room(0, blockDim.x / tfm::cuda::kWarp);
  const float own = float(threadIdx.x + 1);
  const float sum = tfm::cuda::blockSum(room, own), top = tfm::cuda::blockMax(room, own);
  const float least = -tfm::cuda::blockMax(room, -own);
  y.at(0, threadIdx.x) = sum;
  y.at(1, threadIdx.x) = top;
  y.at(2, threadIdx.x) = least;
}
__global__ void shareMore(std::int64_t numbers) { const Shared<float> room(0, numbers); }

}  // namespace

class TestSimulatedCuda : public QObject {
  Q_OBJECT

 private:
  const tfm::Device device_ = tfm::test::cudaDevice();
  const std::unique_ptr<tfm::Backend<float>> backend_ = device_.make_float();

  Buffer<float> buffer(std::size_t size) { return {backend_->memory(), size}; }
  std::vector<float> handedOn(bool waits) {
    Buffer<float> numbers = buffer(3 * kThreads);
    const MatrixView<float> y(numbers.data(), 3, kThreads);
    launch(handOn, {3, kThreads, kRoom}, Matrix<float>(y), waits);
    const auto got = numbers.download();
    return {got.begin(), got.end()};
  }
  std::vector<float> turns() {
    Buffer<float> numbers = buffer(4 * kThreads);
    float turn = 0;
    launch(noteTurn, {4, kThreads}, Matrix<float>(MatrixView<float>(numbers.data(), 4, kThreads)),
           &turn);
    const auto got = numbers.download();
    return {got.begin(), got.end()};
  }

 private slots:
  void cleanup() {
    simulated::setDriver(cudaSuccess, 1);
    simulated::setMemory(simulated::kEnoughMemory);
    simulated::setLazy(false);
  }

  void threadsThatWaitSeeWhatOthersShare() {
    for (int time = 0; time < 5; ++time) {
      const std::vector<float> got = handedOn(true);
      for (std::size_t i = 0; i < got.size(); ++i) QCOMPARE(got[i], float((i + 1) % kThreads + 1));
    }
  }
  void threadsThatDoNotWaitSeeWhatMeansNothing() {
    int unknown = 0;
    for (const float number : handedOn(false)) unknown += std::isnan(number) ? 1 : 0;
    QVERIFY(unknown > 0);
  }
  void ordersAreRandomAndCanBeRepeated() {
    simulated::seed(7);
    const std::vector<float> first = turns(), second = turns();
    QCOMPARE(std::set<float>(first.begin(), first.end()).size(), first.size());
    QVERIFY(first != second);
    simulated::seed(7);
    QVERIFY(turns() == first);
  }
  void aCellOutsideIsNoticed() {
    Buffer<float> numbers = buffer(12);
    const Matrix<float> y(MatrixView<float>(numbers.data(), 3, 2, 4));
    launch(writeCell, {1, 1}, y, 2, 1);
    QVERIFY_EXCEPTION_THROWN(launch(writeCell, {1, 1}, y, 2, 2), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(launch(writeCell, {1, 1}, y, 3, 0), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(launch(writeCell, {1, 1}, y, -1, 0), std::logic_error);
  }
  void memoryOfTheHostIsNoticed() {
    std::vector<float> host(4);
    QVERIFY_EXCEPTION_THROWN(tfm::ops::scale(*backend_, host, 2.0), std::logic_error);
    Buffer<float> numbers = buffer(4);
    QVERIFY_EXCEPTION_THROWN(
        tfm::ops::fill(*backend_, MatrixView<float>(numbers.data(), 1, 5), 1.0), std::logic_error);
  }
  void aThreadThatDoesNotComeIsNoticed() {
    QVERIFY_EXCEPTION_THROWN(launch(leaveSomeWaiting, {1, kThreads, kRoom}), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(launch(leaveSomeWaiting, {1, kThreads}), std::logic_error);
    threadsThatWaitSeeWhatOthersShare();  // it goes on after all that
  }
  void neighboursInAWarpExchangeNumbers() {
    Buffer<float> numbers = buffer(2 * 2 * kThreads);
    const MatrixView<float> y(numbers.data(), 2, 2 * kThreads);
    launch(askNeighbour, {2, 2 * kThreads, kRoom}, Matrix<float>(y), 2 * kThreads,
           tfm::cuda::kAllLanes);
    const auto got = numbers.download();
    for (std::size_t i = 0; i < got.size(); ++i)
      QCOMPARE(got[i], float((i % (2 * kThreads) ^ 1) + 1));
    launch(askNeighbour, {2, 2 * kThreads, kRoom}, Matrix<float>(y), 2, 3U);
  }
  void aShuffleThatNotAllNamedThreadsReachIsNoticed() {
    Buffer<float> numbers = buffer(2 * kThreads);
    const Matrix<float> y(MatrixView<float>(numbers.data(), 1, 2 * kThreads));
    const auto ask = [&](unsigned threads, unsigned last, unsigned lanes) {
      launch(askNeighbour, {1, threads, kRoom}, y, last, lanes);
    };
    QVERIFY_EXCEPTION_THROWN(ask(kThreads, kThreads - 1, tfm::cuda::kAllLanes), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(ask(2 * kThreads, kThreads + 2, tfm::cuda::kAllLanes),
                             std::logic_error);
    QVERIFY_EXCEPTION_THROWN(ask(kThreads / 2, kThreads / 2, tfm::cuda::kAllLanes),
                             std::logic_error);                        // there are no more threads
    QVERIFY_EXCEPTION_THROWN(ask(kThreads, 4, 3U), std::logic_error);  // some are not named
    QVERIFY_EXCEPTION_THROWN(launch(exchangeWhileOthersWait, {1, kThreads, kRoom}),
                             std::logic_error);
    neighboursInAWarpExchangeNumbers();  // it goes on after all that
  }
  void sumsAndMaximaAreThoseOfTheBlock() {
    constexpr unsigned threads = 4 * kThreads;
    Buffer<float> numbers = buffer(3 * threads);
    launch(joinAll, {1, threads, 4 * sizeof(float)},
           Matrix<float>(MatrixView<float>(numbers.data(), 3, threads)));
    const auto got = numbers.download();
    for (std::size_t i = 0; i < threads; ++i) {
      QCOMPARE(got[i], float(threads * (threads + 1) / 2));
      QCOMPARE(got[threads + i], float(threads));
      QCOMPARE(got[2 * threads + i], 1.0F);
    }
  }
  void moreSharedMemoryThanNamedIsNoticed() {
    launch(shareMore, {1, 1, 8}, 2);
    QVERIFY_EXCEPTION_THROWN(launch(shareMore, {1, 1, 8}, 3), std::logic_error);
    QVERIFY_EXCEPTION_THROWN(launch(shareMore, {1, 1, 1 << 20}, 3), std::logic_error);
  }

  void nothingIsKept() {
    const std::size_t before = simulated::bytesInUse();
    {
      const Buffer<float> numbers = buffer(100);
      QCOMPARE(simulated::bytesInUse(), before + 400);
      QCOMPARE(numbers.download(), tfm::AlignedVector<float>(100));
    }
    QCOMPARE(simulated::bytesInUse(), before);
  }
  void memoryThatDoesNotSufficeIsBadAlloc() {
    tfm::cuda::Arena scratch;
    const tfm::cuda::Use use({nullptr, &scratch});
    simulated::setMemory(simulated::bytesInUse() + 11);
    QVERIFY_EXCEPTION_THROWN(buffer(3), std::bad_alloc);
    QVERIFY_EXCEPTION_THROWN(tfm::cuda::Scratch<float>(3), std::bad_alloc);
    simulated::setMemory(simulated::bytesInUse() + 12);
    QCOMPARE(buffer(3).size(), std::size_t(3));
  }
  void scratchMemoryIsUsedAgain() {
    tfm::cuda::Arena scratch;
    const tfm::cuda::Use use({nullptr, &scratch});
    const std::size_t before = simulated::bytesInUse();
    const float* first = tfm::cuda::Scratch<float>(100).data();
    QCOMPARE(tfm::cuda::Scratch<float>(80).data(), first);
    QVERIFY(tfm::cuda::Scratch<float>(10).data() != first);  // which leaves the larger one alone
    {
      const tfm::cuda::Scratch<float> one(90), other(90);
      QVERIFY(one.data() == first && other.data() != first);
    }
    QCOMPARE(simulated::bytesInUse(), before + 4 * (100 + 10 + 90));
  }
  /// More than an argument has room for.
  void aListOfTheHostReachesScratchMemory() {
    tfm::cuda::Arena scratch;
    const tfm::cuda::Use use({nullptr, &scratch});
    std::vector<double> list(1000);
    std::iota(list.begin(), list.end(), 1.0);
    const tfm::cuda::Scratch<double> copy{std::span<const double>(list)};
    QVERIFY(std::ranges::equal(std::span(copy.data(), list.size()), list));
  }

  /// What is asked of the device while it lags behind, in its order.
  void aStreamThatLagsKeepsItsOrder() {
    simulated::setLazy(true);
    Buffer<float> numbers = buffer(3);
    std::vector<float> host{1, 2, 3};
    numbers.upload(host);
    host = {7, 7, 7};  // the upload has its own copy
    tfm::ops::scale(*backend_, numbers.span(), 2.0);
    const tfm::AlignedVector<float> expected{2, 4, 6};
    QCOMPARE(numbers.download(), expected);
  }
  void manySmallUploadsWaitForNoOther() {
    simulated::setLazy(true);
    constexpr std::size_t kSize = 12'000;  // some fill what is read by the device
    Buffer<float> numbers = buffer(kSize), sum = buffer(kSize);
    for (int i = 1; i <= 40; ++i) {
      numbers.upload(std::vector<float>(kSize, float(i)));
      tfm::ops::addTo(*backend_, sum.span(), numbers.span());
    }
    QCOMPARE(sum.download(), tfm::AlignedVector<float>(kSize, 820.0F));
  }

  void aRecordingReadsWhatLiesThereWhenItRuns() {
    Buffer<float> numbers(backend_->memory(), std::vector<float>{1, 2}),
        factor(backend_->memory(), std::vector<float>{3});
    const auto recording = backend_->record(
        [&] { tfm::ops::scale(*backend_, numbers.span(), std::as_const(factor).span()); });
    const tfm::AlignedVector<float> untouched{1, 2}, once{3, 6}, twice{15, 30};
    QCOMPARE(numbers.download(), untouched);
    recording->run();
    QCOMPARE(numbers.download(), once);
    factor.upload(std::vector<float>{5});
    recording->run();
    QCOMPARE(numbers.download(), twice);
  }
  /// So what changes must not be an argument.
  void aRecordingKeepsArguments() {
    Buffer<float> numbers = buffer(2);
    double value = 3;
    const auto recording = backend_->record(
        [&] { tfm::ops::fill(*backend_, tfm::ops::rowOf(numbers.span()), value); });
    value = 5;
    recording->run();
    QCOMPARE(numbers.download(), tfm::AlignedVector<float>(2, 3.0F));
  }
  /// It writes there whenever it runs.
  void aRecordingHasScratchMemoryOfItsOwn() {
    Buffer<float> numbers(backend_->memory(), std::vector<float>{3, 4});
    Buffer<double> sum(backend_->memory(), 1);
    const auto add = [&] { tfm::ops::addSquares(*backend_, numbers.span(), sum.data(), true); };
    add();
    const std::size_t before = simulated::bytesInUse();
    const auto recording = backend_->record(add);
    QCOMPARE(simulated::bytesInUse(), before + sizeof(double));
    tfm::LateDownload<float> snapshot(numbers);  // as large
    recording->run();
    QVERIFY(snapshot.take() == (tfm::AlignedVector<float>{3, 4}));
    QCOMPARE(sum.download()[0], 25.0);
  }
  void aFailureWhileRecordingLeavesNothing() {
    Buffer<float> numbers = buffer(2);
    const auto fill = [&] { tfm::ops::fill(*backend_, tfm::ops::rowOf(numbers.span()), 4.0); };
    QVERIFY_EXCEPTION_THROWN(backend_->record([&] {
      fill();
      throw std::logic_error("abacus");
    }),
                             std::logic_error);
    QCOMPARE(numbers.download(), tfm::AlignedVector<float>(2));
    fill();
    QCOMPARE(numbers.download(), tfm::AlignedVector<float>(2, 4.0F));
  }
  void waitingWhileRecordingIsNoticed() {
    const tfm::cuda::Stream stream;
    QCOMPARE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    QVERIFY_EXCEPTION_THROWN(stream.wait(), tfm::Error);
    cudaGraph_t graph = nullptr;
    QCOMPARE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    QCOMPARE(cudaGraphDestroy(graph), cudaSuccess);
  }

  /// However late it is read, and whatever is computed meanwhile.
  void aSnapshotHasTheNumbersOfItsMoment() {
    simulated::setLazy(true);
    Buffer<float> numbers(backend_->memory(), std::vector<float>{1, 2});
    tfm::LateDownload<float> first(numbers);
    tfm::ops::scale(*backend_, numbers.span(), 10.0);
    tfm::LateDownload<float> second(numbers);
    tfm::ops::scale(*backend_, numbers.span(), 10.0);
    const tfm::AlignedVector<float> before{1, 2}, between{10, 20}, after{100, 200};
    QCOMPARE(second.take(), between);
    QCOMPARE(first.take(), before);
    QCOMPARE(numbers.download(), after);
  }
  /// It waits for what it is a copy of, and not for what came later.
  void aSnapshotDoesNotWaitForLaterWork() {
    simulated::setLazy(true);
    Buffer<float> numbers(backend_->memory(), std::vector<float>{1, 2});
    tfm::LateDownload<float> snapshot(numbers);
    const float* address = numbers.data();
    tfm::ops::fill(*backend_, tfm::ops::rowOf(numbers.span()), 4.0);
    QVERIFY(snapshot.take() == (tfm::AlignedVector<float>{1, 2}));
    QCOMPARE(address[1], 2.0F);  // the device has not come so far
    QCOMPARE(numbers.download()[1], 4.0F);
  }
  void aSnapshotWithoutRoomIsDownloadedAtOnce() {
    Buffer<float> numbers(backend_->memory(), std::vector<float>{1, 2});
    simulated::setMemory(simulated::bytesInUse());
    tfm::LateDownload<float> snapshot(numbers);
    simulated::setMemory(simulated::kEnoughMemory);
    tfm::ops::scale(*backend_, numbers.span(), 10.0);
    QVERIFY(snapshot.take() == (tfm::AlignedVector<float>{1, 2}));
  }
  void aSnapshotOutlivesItsBackend() {
    auto backend = device_.make_float();
    tfm::LateDownload<float> snapshot(Buffer<float>(backend->memory(), std::vector<float>{1, 2}));
    backend.reset();
    QVERIFY(snapshot.take() == (tfm::AlignedVector<float>{1, 2}));
  }

  /// It is asked once, as a driver takes long to answer.
  void theDeviceIsThere() {
    QCOMPARE(device_.name, std::string("cuda"));
    QCOMPARE(device_.obstacle(), std::string());
    simulated::setDriver(cudaErrorNoDevice, 0);
    QCOMPARE(device_.obstacle(), std::string());
  }

  void whatTheDriverLacksIsSaid_data() {
    QTest::addColumn<int>("answer");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("obstacle");
    QTest::newRow("a GPU") << int(cudaSuccess) << 1 << QString();
    QTest::newRow("no GPU") << int(cudaErrorNoDevice) << 0 << "there is no NVIDIA GPU";
    QTest::newRow("a list of none") << int(cudaSuccess) << 0 << "there is no NVIDIA GPU";
    QTest::newRow("no driver, or an old one")
        << int(cudaErrorInsufficientDriver) << 0 << "there is no NVIDIA driver, or it is too old";
    QTest::newRow("anything else")
        << int(cudaErrorMemoryAllocation) << 0 << "an error of the simulated device";
  }
  void whatTheDriverLacksIsSaid() {
    QFETCH(int, answer);
    QFETCH(int, count);
    QFETCH(QString, obstacle);
    simulated::setDriver(cudaError_t(answer), count);
    QCOMPARE(QString::fromStdString(tfm::cuda::findObstacle()), obstacle);
  }
};

TFM_TEST(TestSimulatedCuda)
#include "test_simulated_cuda.moc"
