// SPDX-License-Identifier: GPL-3.0-or-later
// All that is computed, computed where the host cannot touch the numbers: the same bits as on the
// CPU. One thread, as memory that one has open is open to all.
#include <sys/wait.h>
#include <unistd.h>
#include <QTest>
#include <csignal>

#include "core/backend/registry.h"
#include "core/program/ops/update_ops.h"
#include "core/reproduce/matformer_training.h"
#include "tests/core/backend/protected_backend.h"
#include "tests/core/train/device_runs.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// A notebook's wiring beside the published one, with trainers of both.
Outcome wired() {
  Outcome outcome;
  outcome.losses = reproduce::accuraciesOfWirings(1, [](double) { return true; }).value();
  return outcome;
}

}  // namespace

class TestDevices : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { chooseDevice("cpu"); }

  void protectedMemoryChangesNoBit_data() {
    QTest::addColumn<DeviceRun>("run");
    QTest::newRow("rot13") << &trainedRot13;
    QTest::newRow("nested, joint") << &trainedNested;
    QTest::newRow("growth") << &trainedAndGrown;
    QTest::newRow("undo") << &trainedAndUndone;
    QTest::newRow("wiring") << &wired;
  }
  void protectedMemoryChangesNoBit() {
    QFETCH(DeviceRun, run);
    const Outcome expected = run();
    chooseProtectedDevice();
    QCOMPARE(makeBackend<float>()->name(), "protected");
    const Outcome got = run();
    QVERIFY(got.losses == expected.losses);
    QCOMPARE(got.states.size(), expected.states.size());
    for (std::size_t i = 0; i < got.states.size(); ++i)
      QVERIFY(sameState(got.states[i], expected.states[i]));
    QCOMPARE(got.answers, expected.answers);
    QVERIFY(got.seen == expected.seen);
  }

  void theHostCannotReadIt() {
    const auto backend = makeProtectedBackend<float>();
    const Buffer<float> buffer(backend->memory(), 3);
    QCOMPARE(buffer.download(), AlignedVector<float>(3));
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGSEGV, SIG_DFL);
      const volatile float* address = buffer.data();
      ::_exit(int(address[1]));
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGSEGV);
  }

  void kernelsCannotReadTheHost() {
    const auto backend = makeProtectedBackend<float>();
    std::vector<float> host(3);
    QVERIFY_EXCEPTION_THROWN(ops::scale(*backend, host, 2.0), std::logic_error);
  }
};

TFM_TEST(TestDevices)
#include "test_devices.moc"
