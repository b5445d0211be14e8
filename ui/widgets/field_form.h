// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <string_view>
#include <vector>

#include "core/io/fields.h"

class QGridLayout;
class QLabel;

namespace tfm::ui {

class Style;

/// A form for a list of config fields: one row each, a name and a control that fits the field. What
/// is typed goes into the config as soon as it is allowed; until then the row says what is.
class FieldForm : public QWidget {
  Q_OBJECT

 public:
  /// When what is typed counts: at each key, or at Return and when the field is left.
  enum class Commit { EachKey, WhenDone };

  /// The fields' config must outlive the form.
  FieldForm(const Style& style, std::vector<io::Field> fields, Commit commit,
            QWidget* parent = nullptr);

  /// Shows the config's values again and forgets what was typed.
  void reload();
  /// Hides the rows for which `shown` is false.
  void showRows(const std::function<bool(std::string_view name)>& shown);
  /// Whether no shown row holds a value that is not allowed.
  bool isValid() const { return problem().isEmpty(); }
  /// What the first such row says; empty: there is none.
  QString problem() const;
  /// The control of a field.
  QWidget* editor(std::string_view name) const;
  /// Says below a field's row what is wrong; empty: nothing.
  void setProblem(std::string_view name, const QString& problem);

 signals:
  /// The user put another allowed value into the config.
  void edited(const QString& name);
  void validityChanged(bool valid);
  /// problem() is another, because of what the user did.
  void problemChanged();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Row {
    io::Field field;
    QLabel* label;
    QWidget* editor;
    QLabel* problem;
    bool wrong = false, visible = true;
    QString shown = {}, loaded = {};  ///< a number's text after reload(), and in full
  };

  QWidget* makeEditor(const io::Field& field, std::size_t row);
  QWidget* makeNumber(std::size_t row);
  void typed(std::size_t row, const QString& shown);
  void changed(Row& row);
  void say(Row& row, const QString& problem);
  void tellProblem();
  void updateSizes();

  const Style& style_;
  const Commit commit_;
  QGridLayout* grid_;
  std::vector<Row> rows_;
  QString told_;  ///< the problem that was last told
  bool loading_ = false;
};

}  // namespace tfm::ui
