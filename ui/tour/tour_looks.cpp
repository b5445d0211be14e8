// SPDX-License-Identifier: GPL-3.0-or-later
// Every screen in every look.
#include <array>
#include <utility>

#include "ui/style/style.h"
#include "ui/tour/robot.h"
#include "ui/tour/tour.h"
#include "ui/views/grow/grow_view.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
namespace {

struct Seen {
  MainWindow::Screen screen;
  const char* name;
};

constexpr std::array kScreens{
    Seen{MainWindow::kTrain, "train"},       Seen{MainWindow::kAttention, "attention"},
    Seen{MainWindow::kMatrices, "matrices"}, Seen{MainWindow::kGrow, "grow"},
    Seen{MainWindow::kWrite, "write"},       Seen{MainWindow::kShape, "shape"},
    Seen{MainWindow::kFlow, "flow"}};

}  // namespace

void Tour::changeLooks() {
  window_.grow().choose(expand::Kind::Heads);
  inOtherLooks([this](const QString& look) { seeScreens(look); });
  window_.grow().planner().setPlan({});
}

void Tour::inOtherLooks(const std::function<void(const QString&)>& see) {
  for (const auto& [theme, look] :
       {std::pair{Theme::Light, "light"}, std::pair{Theme::HighContrast, "contrast"}}) {
    style_.setTheme(theme);
    see(look);
  }
  style_.setTheme(Theme::Dark);
  check(Robot::shortcut(window_, Qt::Key_F5), "F5 is a shortcut");
  see("projector");
  Robot::shortcut(window_, Qt::Key_F5);
}

void Tour::seeScreens(const QString& look) {
  for (const Seen& seen : kScreens) {
    window_.showScreen(seen.screen);
    waitForLook(document_.training().step());
    picture(QString("%1-%2").arg(seen.name, look));
  }
}

}  // namespace tfm::ui
