// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/style/forward.h"

namespace tfm::ui {

/// What a presenter puts over the window: a black screen, or darkness with a spotlight around the
/// pointer. Lets clicks through. A black screen ends with the next key, which does nothing else. On
/// a projector, the pointer is large, and B, the key of presenters' remotes, makes the screen black
/// wherever no text is typed.
class Presenter : public QWidget {
  Q_OBJECT

 public:
  enum class Form { None, Blank, Spotlight };

  Presenter(const Style& style, QWidget& window);

  Form form() const { return form_; }
  void setForm(Form form);
  void setProjector(bool on);

 signals:
  void formChanged(Form form);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const Style& style_;
  QWidget& window_;
  Form form_ = Form::None;
  bool projector_ = false;
  QPoint pointer_;
};

}  // namespace tfm::ui
