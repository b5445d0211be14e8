// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/zones.h"

#include <QDataStream>
#include <QEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <algorithm>
#include <array>

#include "ui/document/screens.h"
#include "ui/figure/corner_menu.h"
#include "ui/figure/explanation_pane.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kScreen = 500;  // the screen's width below which sides are folded
constexpr std::array<double, 4> kWidths{250, 968, 286, 330};  // initially
constexpr qint32 kState = 0x7a6f6e65;                         // begins a saved state
constexpr double kMinWidth = 240, kMinHeight = 120;           // of the middle

/// Has the minimum size of its only child, without a layout: a layout would report the preferred
/// height of all wrapped text to the scroll area, and everything would scroll.
class Holder : public QWidget {
 public:
  explicit Holder(QWidget* child) : child_(child) {
    child_->setParent(this);
    setAutoFillBackground(false);
  }
  QSize minimumSizeHint() const override { return child_->minimumSizeHint(); }
  QSize sizeHint() const override { return child_->sizeHint(); }

 protected:
  void resizeEvent(QResizeEvent*) override { child_->setGeometry(rect()); }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) updateGeometry();
    return QWidget::event(event);
  }

 private:
  QWidget* child_;
};

}  // namespace

Zones::Zones(const Style& style, QWidget* parent)
    : QSplitter(parent),
      style_(style),
      left_(new QStackedWidget),
      screens_(new QStackedWidget),
      middle_(new QScrollArea),
      inspectors_(new QStackedWidget),
      explanation_(new ExplanationPane(style)) {
  middle_->setWidget(new Holder(screens_));
  middle_->setWidgetResizable(true);
  middle_->setFrameShape(QFrame::NoFrame);
  middle_->setFocusPolicy(Qt::NoFocus);
  middle_->viewport()->setAutoFillBackground(false);
  for (QWidget* zone : std::initializer_list<QWidget*>{left_, middle_, inspectors_, explanation_})
    addWidget(zone);
  setStretchFactor(1, 1);
  setChildrenCollapsible(false);
  explanation_->hide();
  setSizes(
      {style_.px(kWidths[0]), style_.px(kWidths[1]), style_.px(kWidths[2]), style_.px(kWidths[3])});
  connect(explanation_, &ExplanationPane::closed, this, &Zones::fit);
  // After all have their new sizes.
  connect(&style_, &Style::changed, this, &Zones::fit, Qt::QueuedConnection);
}

void Zones::add(const Place& place) {
  screens_->addWidget(place.screen);
  inspectors_->addWidget(place.inspector);
  if (left_->indexOf(place.left) < 0) left_->addWidget(place.left);
  places_.push_back(place);
}

void Zones::setCurrent(int screen) {
  // Hidden ones must not keep the window wide.
  for (int i = 0; i < screens_->count(); ++i) {
    QSizePolicy policy = screens_->widget(i)->sizePolicy();
    policy.setHorizontalPolicy(i == screen ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    policy.setVerticalPolicy(policy.horizontalPolicy());
    screens_->widget(i)->setSizePolicy(policy);
  }
  screens_->setCurrentIndex(screen);
  inspectors_->setCurrentIndex(screen);
  left_->setCurrentWidget(places_[std::size_t(screen)].left);
  asked_.reset();
  if (!explanation_->isHidden()) {
    explanation_->clear();
    explainScreen();
  }
  fit();
}

int Zones::current() const { return screens_->currentIndex(); }
int Zones::count() const { return screens_->count(); }
QWidget* Zones::screen(int index) const { return screens_->widget(index); }

QWidget* Zones::side(Side side) const {
  return side == kLeft ? left_->currentWidget() : inspectors_->currentWidget();
}

void Zones::ask(Side side, bool shown) {
  if (side == kLeft)
    places_[std::size_t(current())].left_wanted = shown;
  else
    right_wanted_ = shown;
  if (shown)
    asked_ = side;
  else if (asked_ == side)
    asked_.reset();
  fit();
}

bool Zones::isShown(Side side) const {
  return side == kLeft ? !left_->isHidden() : !inspectors_->isHidden();
}

QByteArray Zones::state() const {
  QByteArray state;
  QDataStream stream(&state, QIODevice::WriteOnly);
  stream << kState << saveState() << right_wanted_;
  for (const Place& place : places_) stream << (place.left_wanted ? int(*place.left_wanted) : -1);
  return state;
}

void Zones::restore(const QByteArray& state) {
  QDataStream stream(state);
  qint32 kind = 0;
  QByteArray widths;
  bool right = true;
  std::vector<int> left(places_.size());
  stream >> kind >> widths >> right;
  for (int& one : left) stream >> one;
  if (kind != kState || stream.status() != QDataStream::Ok) return;
  restoreState(widths);
  right_wanted_ = right;
  for (std::size_t i = 0; i < left.size(); ++i)
    places_[i].left_wanted = left[i] < 0 ? std::nullopt : std::optional(left[i] != 0);
  fit();
}

void Zones::scaleSides(QList<int> widths, double factor) {
  for (const int zone : {0, 2, 3}) {
    // A hidden side has no width and needs one when it is shown again.
    int& width = widths[zone];
    const int scaled = width > 0 ? qRound(width * factor) : style_.px(kWidths[std::size_t(zone)]);
    if (width > 0) widths[1] -= scaled - width;
    width = scaled;
  }
  setSizes(widths);
}

void Zones::explain(const ExplanationPage& page) {
  if (!explanation_->isHidden() && explanation_->explains(page.host))
    return explanation_->dismiss();
  ExplanationPage here = page;
  here.manual = manualPlace(std::size_t(current()));
  explanation_->explain(here);
  fit();
}

void Zones::explainScreen() {
  for (CornerMenu* menu : screens_->currentWidget()->findChildren<CornerMenu*>())
    if (menu->isVisible() && menu->explain()) return;
}

double Zones::share() const {
  const auto width_of = [&](int zone) {
    const QWidget* widget = this->widget(zone);
    return std::max({widget->minimumSizeHint().width(), widget->width(),
                     style_.px(kWidths[std::size_t(zone)])}) +
           handleWidth();
  };
  const double room = width() - width_of(0) - width_of(2);
  const QSize all = window()->size();
  return room * height() / (double(all.width()) * all.height());
}

void Zones::fit() {
  if (screens_->count() == 0) return;
  const auto least = [](const QWidget* zone) { return zone->minimumSizeHint().width() + 1; };
  const int screen = std::max(screens_->minimumSizeHint().width(), style_.px(kScreen)) +
                     (explanation_->isHidden() ? 0 : least(explanation_));
  const Place& place = places_[std::size_t(current())];
  std::array<bool, 2> shown{place.left_wanted.value_or(share() >= place.least_share),
                            right_wanted_};
  const auto have_room = [&] {
    return screen + (shown[kLeft] ? least(left_) : 0) + (shown[kRight] ? least(inspectors_) : 0) <=
           width();
  };
  if (!have_room()) {
    const Side kept = asked_.value_or(kRight);
    shown[kept == kLeft ? kRight : kLeft] = false;
    if (!have_room() && !asked_) shown[kept] = false;
  }
  left_->setVisible(shown[kLeft]);
  inspectors_->setVisible(shown[kRight]);
  emit sidesChanged();
}

QSize Zones::minimumSizeHint() const { return {style_.px(kMinWidth), style_.px(kMinHeight)}; }

void Zones::resizeEvent(QResizeEvent* event) {
  QSplitter::resizeEvent(event);
  fit();
}

}  // namespace tfm::ui
