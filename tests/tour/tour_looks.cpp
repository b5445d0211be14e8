// SPDX-License-Identifier: GPL-3.0-or-later
// Every screen in every look.
#include <QScrollBar>
#include <utility>

#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/screens.h"
#include "ui/style/style.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/window/main_window.h"

namespace tfm::ui {
void Tour::changeLooks() {
  window_.grow().parts().editor->choose(expand::Kind::Heads);
  inOtherLooks([this](const QString& look) { seeScreens(look); });
  window_.grow().parts().planner->setPlan({});
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
  for (int screen = 0; screen < int(kScreens.size()); ++screen) {
    if (screen == kElastic) continue;  // seen with a model that is nested
    window_.showScreen(screen);
    waitForLook(document_.training().step());
    picture(QString("%1-%2").arg(kScreens[std::size_t(screen)].icon, look));
  }
}

void Tour::onProjector(const QString& name) {
  const QSize usual = window_.size();
  window_.resize(1280, 720);
  Robot::shortcut(window_, Qt::Key_F5);
  Robot::wait(0.5);
  picture(name);
  QStringList scrolled;
  for (const QScrollBar* bar : window_.findChildren<QScrollBar*>())
    if (!bar->visibleRegion().isEmpty())
      scrolled << QString::fromUtf8(bar->parentWidget()->parentWidget()->metaObject()->className());
  check(scrolled.isEmpty(), name + " needs no scroll bar: " + scrolled.join(", "));
  Robot::shortcut(window_, Qt::Key_F5);
  window_.resize(usual);
  Robot::wait(0.2);
}

}  // namespace tfm::ui
