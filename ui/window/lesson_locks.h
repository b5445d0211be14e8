// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <vector>

#include "ui/figure/forward.h"
#include "ui/style/forward.h"

class QAction;

namespace tfm::ui {

/// What the open lesson locks. Parts of screens stay visible and take the focus, but no input;
/// commands stay in the menu. All are crossed out, and say why when one tries.
class LessonLocks : public QObject {
  Q_OBJECT

 public:
  /// `window` contains all parts and, in its actions, all commands. It must outlive this.
  LessonLocks(const Style& style, QWidget& window);

  struct Locked {
    QString name;   ///< as its screen or the menu calls it
    QWidget* part;  ///< null: a command
  };
  /// In place of what was locked before.
  void lock(const std::vector<Locked>& parts);
  /// Why a part or command cannot be used; empty: it can.
  QString why(const QString& name) const;

 signals:
  /// Somebody tried.
  void refused(const QString& name);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Part {
    QString name;
    QPointer<QWidget> widget;
  };
  void crossOut(bool crossed);

  const Style& style_;
  QWidget& window_;
  std::vector<Part> locked_;
  QPointer<PartMarks> marks_;
};

}  // namespace tfm::ui
