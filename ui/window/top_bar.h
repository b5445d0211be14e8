// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <array>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace tfm::ui {

class Style;

/// The line above everything: the program's name, the screens with their number keys, the document,
/// and a button at either end for what stands at that side. Where it is narrow it says less.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const Style& style, QWidget* parent = nullptr);

  /// Behind those that are there; its key is its number, from 1.
  void addScreen(const QString& name, const QString& icon);
  void setCurrent(int screen);
  void setDocument(const QString& name, bool modified);
  /// What is right of the screens: a message may stand there for a while, over the document's name.
  QRect room() const;
  /// `side`: 0 is left, 1 is right.
  void setSideShown(int side, bool shown);
  QToolButton& sideButton(int side) const { return *sides_[std::size_t(side)]; }

  QSize minimumSizeHint() const override;

 signals:
  void screenChosen(int screen);
  /// A side shall be shown, or not.
  void sideAsked(int side, bool shown);
  /// room() is another one.
  void roomChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* addSide(int side, const QString& icon, const QString& name, const QString& keys);
  /// Leaves out, one after the other, the program's name, the number keys, and the screens' names,
  /// until the rest has room.
  void fit();
  void updateSizes();
  void showDocument();

  const Style& style_;
  QHBoxLayout* row_;
  QLabel* name_;
  QButtonGroup* screens_;
  QLabel* document_;
  std::array<QToolButton*, 2> sides_;
  QString document_name_;
  bool fitting_ = false;
};

}  // namespace tfm::ui
