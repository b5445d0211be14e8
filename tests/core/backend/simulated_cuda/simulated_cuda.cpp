// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_runtime.h>
#include <sanitizer/asan_interface.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

// A function that goes on elsewhere, which the address sanitizer takes for the end of the stack.
#define TFM_JUMPS __attribute__((noinline, no_sanitize("address")))

namespace tfm::cuda {

// What Shared declares inside its constructor.
constexpr std::size_t kSharedBytes = 48 * 1024;
__shared__ __align__(16) unsigned char shared_bytes[kSharedBytes];

}  // namespace tfm::cuda

namespace simulated {
namespace {

constexpr std::size_t kWarp = 32;
constexpr int kNaN = 0xFF;  // of each byte: a NaN in every precision, and -1 as an integer

std::atomic<std::uint64_t> next_seed = 1;

/// Where to go on, on some stack: GCC's light setjmp, without system calls.
using Place = std::array<void*, 5>;
TFM_JUMPS void goTo(Place& place) { __builtin_longjmp(place.data(), 1); }

/// Runs a thread of a block, and then that of another one.
struct Fiber {
  static constexpr std::size_t kStackBytes = 64 * 1024;
  std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
  Place place = {};
  bool begun = false;
  enum class State { Ready, AtBarrier, Exchanging, Finished } state = State::Ready;
  // Of an exchange: the lanes that take part, the one that is read, the number that is given, and
  // the one that is got.
  unsigned lanes = 0;
  unsigned other_lane = 0;
  std::uint64_t given = 0, got = 0;
};

/// The blocks of a launch, one after the other. A launch belongs to one thread of the host.
class Launch {
 public:
  Launch(dim3 grid, dim3 block, std::size_t shared, void (*work)(void*), void* context,
         std::uint64_t number)
      : blocks_(order(grid.x)),
        threads_(order(block.x)),
        shared_(shared),
        work_(work),
        context_(context),
        random_(number) {
    gridDim = grid;
    blockDim = block;
  }

  static Launch*& current() {
    static thread_local Launch* launch = nullptr;
    return launch;
  }

  void run() {
    std::ranges::shuffle(blocks_, random_);
    for (const unsigned block : blocks_) {
      blockIdx.x = block;
      std::memset(tfm::cuda::shared_bytes, kNaN, shared_);
      shared_ > 0 ? runTogether() : runAlone();
    }
  }

  void wait() {
    require(shared_ > 0, "threads without shared memory need not wait for each other");
    leave(fibers()[threadIdx.x], Fiber::State::AtBarrier);
  }
  std::uint64_t exchange(unsigned lanes, std::uint64_t own, int other) {
    require(shared_ > 0, "threads without shared memory need not wait for each other");
    Fiber& fiber = fibers()[threadIdx.x];
    fiber.lanes = lanes;
    fiber.other_lane = unsigned(threadIdx.x % kWarp) ^ unsigned(other);
    fiber.given = own;
    leave(fiber, Fiber::State::Exchanging);
    return fibers()[threadIdx.x].got;
  }
  /// What a lane of the thread's warp has given in its last exchange.
  static std::uint64_t givenBy(std::size_t lane) {
    return fibers()[threadIdx.x / kWarp * kWarp + lane].given;
  }
  std::size_t shared() const { return shared_; }

 private:
  static std::vector<unsigned> order(unsigned count) {
    std::vector<unsigned> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  static std::vector<Fiber>& fibers() {
    static thread_local std::vector<Fiber> all;
    return all;
  }

  void runAlone() {
    std::ranges::shuffle(threads_, random_);
    for (const unsigned thread : threads_) {
      threadIdx.x = thread;
      work_(context_);
    }
  }

  /// Each thread up to where it waits for others, again and again.
  void runTogether() {
    std::vector<Fiber>& all = fibers();
    if (all.size() < threads_.size()) all.resize(threads_.size());
    const std::span<Fiber> own(all.data(), threads_.size());
    for (Fiber& fiber : own) fiber.state = Fiber::State::Ready;
    const auto count = [&](Fiber::State state) {
      return std::size_t(std::ranges::count(own, state, &Fiber::state));
    };
    try {
      while (count(Fiber::State::Finished) < own.size()) {
        std::ranges::shuffle(threads_, random_);
        for (const unsigned thread : threads_) {
          if (own[thread].state != Fiber::State::Ready) continue;
          threadIdx.x = thread;
          resume(own[thread]);
        }
        if (failure_) std::rethrow_exception(failure_);
        if (count(Fiber::State::Exchanging) > 0) {
          for (std::size_t first = 0; first < own.size(); first += kWarp)
            exchangeIn(own.subspan(first, std::min<std::size_t>(kWarp, own.size() - first)));
          continue;
        }
        const std::size_t waiting = count(Fiber::State::AtBarrier);
        require(waiting == 0 || waiting == own.size(),
                "all threads of a block come to the same __syncthreads()");
        if (waiting > 0)
          for (Fiber& fiber : own) fiber.state = Fiber::State::Ready;
      }
    } catch (...) {
      all.clear();  // some wait for ever
      throw;
    }
  }

  /// All threads of a warp that are not ready wait: those that exchange numbers go on.
  static void exchangeIn(std::span<Fiber> warp) {
    for (std::size_t lane = 0; lane < warp.size(); ++lane) {
      const Fiber& fiber = warp[lane];
      if (fiber.state != Fiber::State::Exchanging) continue;
      const auto named = [&](std::size_t i) { return (fiber.lanes >> i & 1U) != 0; };
      bool all = named(lane) && fiber.other_lane < kWarp && named(fiber.other_lane);
      for (std::size_t i = 0; i < kWarp; ++i)
        if (named(i))
          all = all && i < warp.size() && warp[i].state == Fiber::State::Exchanging &&
                warp[i].lanes == fiber.lanes;
      require(all, "all threads that a shuffle names take part in it");
    }
    for (Fiber& fiber : warp)
      if (fiber.state == Fiber::State::Exchanging) {
        fiber.got = warp[fiber.other_lane].given;
        fiber.state = Fiber::State::Ready;
      }
  }

  /// Runs a thread until it leaves.
  TFM_JUMPS void resume(Fiber& fiber) {
    if (__builtin_setjmp(host_.data()) != 0) return;
    if (fiber.begun) goTo(fiber.place);
    fiber.begun = true;
    getcontext(&first_context_);
    first_context_.uc_stack.ss_sp = fiber.stack.get();
    first_context_.uc_stack.ss_size = Fiber::kStackBytes;
    first_context_.uc_link = nullptr;
    makecontext(&first_context_, &Launch::begin, 0);
    setcontext(&first_context_);
  }
  TFM_JUMPS void leave(Fiber& fiber, Fiber::State state) {
    fiber.state = state;
    if (__builtin_setjmp(fiber.place.data()) == 0) goTo(host_);
  }
  static void begin() {
    for (;;) {
      try {
        current()->work_(current()->context_);
      } catch (...) {
        // The sanitizer does not know this stack, so it keeps what the exception has left.
        Fiber& own = fibers()[threadIdx.x];
        ASAN_UNPOISON_MEMORY_REGION(own.stack.get(), Fiber::kStackBytes);
        current()->failure_ = std::current_exception();
      }
      Fiber& own = fibers()[threadIdx.x];
      current()->leave(own, Fiber::State::Finished);
    }
  }

  std::vector<unsigned> blocks_, threads_;
  std::size_t shared_;
  void (*work_)(void*);
  void* context_;
  std::mt19937_64 random_;
  Place host_ = {};
  ucontext_t first_context_;
  std::exception_ptr failure_;
};

}  // namespace

void expect(bool holds) { require(holds, "a kernel stays inside its matrices"); }

void expectShared(std::size_t bytes) {
  const Launch* launch = Launch::current();
  require(launch != nullptr && bytes <= launch->shared(),
          "a block has the shared memory that its launch names");
}

std::uint64_t exchange(unsigned lanes, std::uint64_t own, int other) {
  Launch* launch = Launch::current();
  require(launch != nullptr, "threads exchange numbers in a kernel");
  return launch->exchange(lanes, own, other);
}

/// The fragments of the PTX ISA, "Matrix Fragments for mma.m16n8k8" of .tf32 and "mma.m16n8k16" of
/// .bf16.
void multiplyAdd(float (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                 int packed) {
  constexpr unsigned kAll = 0xFFFFFFFF;
  struct Registers {
    const std::uint32_t *a, *b;
  };
  const Registers own{a, b};
  const auto address = reinterpret_cast<std::uint64_t>(&own);
  exchange(kAll, address, 0);
  std::array<const Registers*, kWarp> lanes = {};
  for (std::size_t lane = 0; lane < kWarp; ++lane)
    lanes[lane] = reinterpret_cast<const Registers*>(Launch::givenBy(lane));
  const auto number = [&](std::uint32_t bits, std::size_t k) {
    if (packed == 2) return std::bit_cast<float>(k % 2 == 0 ? bits << 16 : bits & 0xFFFF0000U);
    require((bits & 0x1FFFU) == 0 || (bits & 0x7F800000U) == 0x7F800000U,
            "what TF32 multiplies is rounded to it");
    return std::bit_cast<float>(bits);
  };
  const auto wide = std::size_t(packed);
  for (std::size_t n = 0; n < 4; ++n) {
    const std::size_t lane = threadIdx.x % kWarp;
    const std::size_t row = lane / 4 + n / 2 * 8, col = lane % 4 * 2 + n % 2;
    for (std::size_t k = 0; k < 8 * wide; ++k) {
      const std::size_t half = k / (4 * wide), member = k % (4 * wide) / wide;
      const std::uint32_t left = lanes[row % 8 * 4 + member]->a[row / 8 + 2 * half];
      const std::uint32_t right = lanes[col * 4 + member]->b[half];
      sums[n] += number(left, k) * number(right, k);
    }
  }
  exchange(kAll, address, 0);  // nobody goes on before all have read
}

void seed(std::uint64_t number) { next_seed = number; }

void run(dim3 grid, dim3 block, std::size_t shared_bytes, void (*work)(void*), void* context) {
  require(grid.x >= 1 && grid.x <= 0x7FFFFFFF && block.x >= 1 && block.x <= 1024,
          "a launch has as many blocks and threads as a device can run");
  require(shared_bytes <= tfm::cuda::kSharedBytes, "a block shares at most 48 KiB");
  require(Launch::current() == nullptr, "a kernel launches no other");
  Launch launch(grid, block, shared_bytes, work, context, next_seed++);
  Launch::current() = &launch;
  try {
    launch.run();
  } catch (...) {
    Launch::current() = nullptr;
    throw;
  }
  Launch::current() = nullptr;
}

}  // namespace simulated

void __syncthreads() {
  simulated::Launch* launch = simulated::Launch::current();
  simulated::require(launch != nullptr, "__syncthreads() is called in a kernel");
  launch->wait();
}
