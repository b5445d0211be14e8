// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <string_view>
#include <vector>

#include "core/io/fields.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A form for a list of config fields, one row each: a name and a suitable control. A value goes
/// into the config as soon as it is allowed; until then the row says what is. When editing ends, a
/// row shows the value that holds, and what was typed instead is refused in words.
class FieldForm : public QWidget {
  Q_OBJECT

 public:
  /// When typed values are committed: at each key, or on Return and when the field loses focus.
  enum class Commit { EachKey, WhenDone };

  /// The fields' config must outlive the form.
  FieldForm(const Style& style, std::vector<io::Field> fields, Commit commit,
            QWidget* parent = nullptr);

  /// Shows the config's values and discards what was typed.
  void reload();
  /// Hides the rows of fields without effect, and those for which `shown` is false.
  void showRows(const std::function<bool(std::string_view name)>& shown);
  /// Whether all shown rows hold allowed values.
  bool isValid() const { return problem().isEmpty(); }
  /// The message of the first invalid row; empty if there is none.
  QString problem() const;
  /// The control of a field.
  QWidget* editor(std::string_view name) const;
  /// Sets the message below a field's row; empty for none.
  void setProblem(std::string_view name, const QString& problem);

 signals:
  /// The user changed the config to another allowed value.
  void edited(const QString& name);
  void validityChanged(bool valid);
  /// problem() changed because of a user action.
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
    QString shown = {}, loaded = {};  ///< a number's text when it was shown, and in full
    QString before = {};              ///< in full, before it was edited; null: it is not
  };

  QWidget* makeEditor(const io::Field& field, std::size_t row);
  QWidget* makeNumber(std::size_t row);
  void typed(std::size_t row, const QString& shown);
  void refuse(std::size_t row, const QString& shown);
  QString shownText(Row& row) const;
  void changed(Row& row);
  void say(Row& row, const QString& problem);
  void emitProblemChanged();
  void updateSizes();

  const Style& style_;
  const Commit commit_;
  QGridLayout* grid_;
  std::vector<Row> rows_;
  QString emitted_problem_;
  bool loading_ = false;
};

}  // namespace tfm::ui
