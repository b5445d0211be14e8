// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace tfm::ui {

class ModelDocument;
class PinChip;
class Segmented;
class Style;

/// Says that something else than the present is shown, leads back or goes on from it, and chooses
/// between two pinned moments. Hides itself where there is nothing to say.
class TimeBar : public QWidget {
  Q_OBJECT

 public:
  TimeBar(const Style& style, ModelDocument& document, QWidget* parent = nullptr);

 private:
  QPushButton* addButton(const QString& text, const QString& help, void (TimeBar::*action)());
  void addPin(int slot);
  void backToNow();
  void goOn();
  void refresh();
  QString sentence() const;
  void updateSizes();

  const Style& style_;
  ModelDocument& document_;
  QHBoxLayout* row_;
  QLabel* text_;
  QPushButton* now_;
  QPushButton* go_on_;
  std::array<QPushButton*, 2> pin_{};
  std::array<PinChip*, 2> chip_{};
  Segmented* comparison_;
};

}  // namespace tfm::ui
