// SPDX-License-Identifier: GPL-3.0-or-later
// What the recovery copies of a running training take of its time, made as often as allowed, for a
// small and a large model. Prints numbers and asserts nothing: they depend on the machine.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>
#include <filesystem>

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "ui/document/model_document.h"
#include "ui/document/recovery.h"

namespace {

using namespace tfm;
using namespace tfm::ui;

constexpr int kCopies = 5;

void measure(const char* preset) {
  const QTemporaryDir folder;
  ModelDocument document(1);
  Recovery recovery(document, folder.path().toStdString());
  recovery.setInterval(std::chrono::milliseconds(1));
  int copies = 0;
  double spent = 0.0, last = 0.0;  // seconds of computing
  QElapsedTimer clock;
  QObject::connect(&recovery, &Recovery::copied, [&](double cost) {
    // What a copy takes is waited for after it.
    if (copies++ == 0)
      clock.start();
    else
      spent += last;
    last = cost;
  });
  const Preset& named = presetNamed(preset);
  train::TrainConfig endless;
  document.start(named.config(), data::defaultTaskConfig(std::string(named.task)), endless);
  document.training().play();
  (void)QTest::qWaitFor([&] { return copies > kCopies; }, 3'600'000);
  const double passed = double(clock.nsecsElapsed()) / 1e9;
  document.training().pause();
  std::printf("%-18s %10lld parameters, %7.1f MiB a copy, %8.4f s each, every %6.2f s: %.2f %%\n",
              preset, static_cast<long long>(document.moments().layout().total),
              double(std::filesystem::file_size(recovery.copy())) / 1048576.0, spent / kCopies,
              passed / kCopies, 100.0 * spent / passed);
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  for (const char* preset : {"rot13", "benchmark-decoder"}) measure(preset);
  return 0;
}
