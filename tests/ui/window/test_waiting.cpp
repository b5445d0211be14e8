// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProgressDialog>
#include <QPushButton>
#include <QSemaphore>
#include <QTest>
#include <QTimer>
#include <memory>

#include "tests/core/io/error_of.h"
#include "tests/test_program.h"
#include "ui/window/waiting.h"

using namespace tfm;
using namespace tfm::ui;

class TestWaiting : public QObject {
  Q_OBJECT

 private slots:
  void resultsAndErrorsComeThrough() {
    QCOMPARE(waitedFor<int>(window_, "Counting", [] { return 3; }), std::optional(3));
    TFM_VERIFY_ERROR(
        waitedFor<int>(window_, "Counting", []() -> int { throw Error("no", "there", "try"); }),
        "no");
  }
  void slowWorkIsShownAndLeft() {
    const auto slow = std::make_shared<QSemaphore>();  // outlives what is no longer waited for
    QString text;
    bool modal = false;
    QTimer look;
    connect(&look, &QTimer::timeout, &look, [&] {
      auto* dialog = window_.findChild<QProgressDialog*>();
      if (dialog == nullptr || !dialog->isVisible()) return;
      modal = dialog->isModal();
      text = dialog->labelText();
      dialog->findChild<QPushButton*>()->click();
    });
    look.start(20);
    const auto wait = [slow] {
      slow->acquire();
      return 3;
    };
    QCOMPARE(waitedFor<int>(window_, "Counting", wait), std::optional<int>());
    QVERIFY(modal && text.startsWith("Counting"));
    slow->release();  // its result is thrown away
  }
  void slowWorkIsWaitedFor() {
    const auto slow = std::make_shared<QSemaphore>();  // outlives what is no longer waited for
    int shown = 0;
    QTimer look;
    connect(&look, &QTimer::timeout, &look, [&] {
      auto* dialog = window_.findChild<QProgressDialog*>();
      if (dialog == nullptr || !dialog->isVisible()) return;
      ++shown;
      slow->release();
    });
    look.start(20);
    const auto wait = [slow] {
      slow->acquire();
      return 3;
    };
    QCOMPARE(waitedFor<int>(window_, "Counting", wait), std::optional(3));
    QVERIFY(shown > 0);
    QVERIFY(window_.findChild<QProgressDialog*>() == nullptr);
  }

 private:
  QWidget window_;
};

TFM_TEST(TestWaiting)
#include "test_waiting.moc"
