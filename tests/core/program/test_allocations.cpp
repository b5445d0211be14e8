// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <cstdlib>
#include <new>

#include "core/backend/cpu/cpu_backend.h"
#include "tests/core/program/every_op.h"
#include "tests/test_program.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  if (counting) ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, rounded)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Eigen takes working memory with malloc; the linker sends those calls here (--wrap=malloc).
extern "C" {
void* __real_malloc(std::size_t size);
void* __wrap_malloc(std::size_t size) {
  if (counting) ++allocations;
  return __real_malloc(size);
}
}

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, std::size_t(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

class TestAllocations : public QObject {
  Q_OBJECT

 private:
  template <class Real>
  static int allocationsOfAStep(void (*on_purpose)()) {
    const tfm::test::EveryOpSizes sizes{.sequences = 8, .length = 17, .hidden = 16, .dropout = 0.2};
    const auto backend = tfm::makeCpuBackend<Real>();
    const auto program = std::make_shared<const tfm::Program>(tfm::test::everyOp(sizes));
    tfm::Executor<Real> executor(program, *backend, true);
    tfm::AlignedVector<Real> parameters, gradients;
    tfm::initialize(program->parameters, 1, parameters);
    gradients.resize(parameters.size());
    tfm::test::setDrawnInputs(executor, sizes, 0);
    const tfm::TensorId loss = program->find("loss");
    const auto step = [&] {
      executor.forward(parameters.data(), {});
      executor.backward(parameters.data(), gradients.data(), {loss}, {});
    };
    step();
    allocations = 0;
    counting = true;
    step();
    on_purpose();
    counting = false;
    return allocations;
  }

 private slots:
  void aStepAllocatesNothing() {
    QCOMPARE(allocationsOfAStep<float>([] {}), 0);
    QCOMPARE(allocationsOfAStep<double>([] {}), 0);
  }
  void theCountSeesAllocations() {
    QCOMPARE(allocationsOfAStep<double>([] { ::operator delete(::operator new(4)); }), 1);
    QCOMPARE(allocationsOfAStep<double>([] {
               void* volatile memory = std::malloc(4);
               std::free(memory);
             }),
             1);
  }
};

TFM_TEST(TestAllocations)
#include "test_allocations.moc"
