// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QButtonGroup;
class QHBoxLayout;
class QLabel;

namespace tfm::ui {

class Style;

/// The line above everything: the program's name, the screens with their number keys, the document.
class TopBar : public QFrame {
  Q_OBJECT

 public:
  explicit TopBar(const Style& style, QWidget* parent = nullptr);

  /// Behind those that are there; its key is its number, from 1.
  void addScreen(const QString& name);
  void setCurrent(int screen);
  void setDocument(const QString& name, bool modified);
  /// What is right of the screens: a message may stand there for a while, over the document's name.
  QRect room() const;

 signals:
  void screenChosen(int screen);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void updateSizes();
  void showDocument();

  const Style& style_;
  QHBoxLayout* row_;
  QLabel* name_;
  QButtonGroup* screens_;
  QLabel* document_;
  QString document_name_;
};

}  // namespace tfm::ui
