// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_form.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "ui/style/style.h"
#include "ui/widgets/field_text.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/value_line.h"

namespace tfm::ui {

FieldForm::FieldForm(const Style& style, std::vector<io::Field> fields, Commit commit,
                     QWidget* parent)
    : QWidget(parent), style_(style), commit_(commit), grid_(bareLayout<QGridLayout>(this)) {
  grid_->setColumnStretch(0, 1);
  for (io::Field& field : fields) {
    const std::size_t i = rows_.size();
    QWidget* editor = makeEditor(field, i);
    auto* label = new QLabel(fieldWord(field.name));
    label->setBuddy(editor);
    label->setToolTip(fieldMeaning(field));
    editor->setToolTip(fieldMeaning(field));
    editor->setAccessibleName(fieldWord(field.name));
    editor->setAccessibleDescription(fieldMeaning(field));
    editor->installEventFilter(this);
    auto* problem = wrappedLabel("bad");
    problem->hide();
    const int line = 2 * int(i);
    grid_->addWidget(label, line, 0);
    const bool list = qobject_cast<QComboBox*>(editor) != nullptr;
    grid_->addWidget(editor, line, 1, list ? Qt::Alignment() : Qt::AlignRight);
    grid_->addWidget(problem, line + 1, 0, 1, 2);
    rows_.push_back({std::move(field), label, editor, problem});
  }
  reload();
  style_.follow(this, [this] { updateSizes(); });
}

QWidget* FieldForm::makeEditor(const io::Field& field, std::size_t row) {
  if (const auto* slot = std::get_if<io::SwitchSlot>(&field.slot)) {
    auto* box = new QCheckBox;
    connect(box, &QCheckBox::toggled, this, [this, row, slot = *slot](bool on) {
      *slot.value = on;
      changed(rows_[row]);
    });
    return box;
  }
  if (const auto* slot = std::get_if<io::ChoiceSlot>(&field.slot)) {
    auto* box = new QComboBox;
    for (const std::string_view word : slot->words) box->addItem(fieldWord(word));
    // Long names must not widen the form; the list shows them in full.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(11);
    box->setFocusPolicy(Qt::StrongFocus);
    connect(box, &QComboBox::currentIndexChanged, this, [this, row, set = slot->set](int choice) {
      if (loading_) return;
      set(choice);
      changed(rows_[row]);
    });
    return box;
  }
  return makeNumber(row);
}

QWidget* FieldForm::makeNumber(std::size_t row) {
  auto* line = new ValueLine(
      [this, row](const QString& text) {
        return text == rows_[row].shown || isAllowed(rows_[row].field, text);
      },
      [this, row] { return shownText(rows_[row]); });
  line->setAlignment(Qt::AlignRight);
  if (commit_ == Commit::EachKey) {
    connect(line, &QLineEdit::textEdited, this, [this, row](const QString& text) {
      if (rows_[row].before.isNull()) rows_[row].before = rows_[row].loaded;
      typed(row, text);
    });
    connect(line, &ValueLine::done, this, [this, row] { rows_[row].before.clear(); });
  } else {
    connect(line, &ValueLine::done, this, [this, row](const QString& text) { typed(row, text); });
  }
  connect(line, &ValueLine::refused, this, [this, row](const QString& text) { refuse(row, text); });
  return line;
}

QString FieldForm::shownText(Row& row) const {
  row.shown = shownValue(row.field);
  row.loaded = fieldValue(row.field);
  return row.shown;
}

void FieldForm::reload() {
  loading_ = true;
  for (Row& row : rows_) {
    if (auto* box = qobject_cast<QCheckBox*>(row.editor)) {
      const QSignalBlocker quiet(box);
      box->setChecked(*std::get<io::SwitchSlot>(row.field.slot).value);
    } else if (auto* list = qobject_cast<QComboBox*>(row.editor)) {
      list->setCurrentIndex(std::get<io::ChoiceSlot>(row.field.slot).get());
    } else {
      static_cast<ValueLine*>(row.editor)->showValue();
    }
    row.wrong = false;
    row.before.clear();  // what an edit had begun with is no longer the value to return to
    say(row, {});
  }
  emitted_problem_.clear();
  loading_ = false;
}

void FieldForm::showRows(const std::function<bool(std::string_view)>& shown) {
  for (Row& row : rows_) {
    row.visible = row.field.hasEffect() && shown(row.field.name);
    row.label->setVisible(row.visible);
    row.editor->setVisible(row.visible);
    row.problem->setVisible(row.visible && !row.problem->text().isEmpty());
  }
  emitProblemChanged();
}

QString FieldForm::problem() const {
  const auto wrong = std::find_if(rows_.begin(), rows_.end(),
                                  [](const Row& row) { return row.wrong && row.visible; });
  return wrong == rows_.end() ? QString() : wrong->problem->text();
}

void FieldForm::emitProblemChanged() {
  const QString now = problem();
  const QString before = std::exchange(emitted_problem_, now);
  if (now == before) return;
  emit problemChanged();
  if (now.isEmpty() != before.isEmpty()) emit validityChanged(now.isEmpty());
}

QWidget* FieldForm::editor(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, [](const Row& row) { return row.field.name; });
  check(found != rows_.end(), "the form has the field");
  return found->editor;
}

void FieldForm::setProblem(std::string_view name, const QString& problem) {
  for (Row& row : rows_)
    if (row.field.name == name) say(row, problem);
}

void FieldForm::typed(std::size_t index, const QString& shown) {
  Row& row = rows_[index];
  const QString text = shown == row.shown ? row.loaded : shown;
  // Leaving a field unchanged is not an edit.
  if (text == fieldValue(row.field)) {
    row.wrong = false;
    say(row, {});
  } else if (assignTyped(row.field, text)) {
    row.wrong = false;
    changed(row);
  } else {
    row.wrong = true;
    say(row, notAllowedText(row.field, text));
  }
  emitProblemChanged();
}

void FieldForm::refuse(std::size_t index, const QString& shown) {
  Row& row = rows_[index];
  row.wrong = false;
  // Each key may have committed the beginning of what is refused.
  const QString before = std::exchange(row.before, {});
  if (!before.isNull() && before != fieldValue(row.field)) {
    check(assignTyped(row.field, before), "it was allowed before");
    static_cast<ValueLine*>(row.editor)->showValue();
    changed(row);
  }
  say(row, notAllowedText(row.field, shown));
  emitProblemChanged();
}

void FieldForm::changed(Row& row) {
  say(row, {});
  emit edited(QString::fromUtf8(row.field.name));
}

void FieldForm::say(Row& row, const QString& problem) {
  row.problem->setText(problem);
  row.problem->setVisible(!problem.isEmpty() && !row.editor->isHidden());
  row.editor->setAccessibleDescription(problem.isEmpty() ? fieldMeaning(row.field) : problem);
}

bool FieldForm::eventFilter(QObject* object, QEvent* event) {
  // The wheel scrolls the form; it must not change the control under it.
  if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(object)->hasFocus()) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(object, event);
}

void FieldForm::updateSizes() {
  grid_->setHorizontalSpacing(style_.px(8));
  grid_->setVerticalSpacing(style_.px(4));
  for (const Row& row : rows_) {
    const bool number = qobject_cast<QLineEdit*>(row.editor) != nullptr;
    row.editor->setFont(number ? style_.numberFont(12) : style_.textFont(12));
    row.problem->setFont(style_.textFont(12));
    if (number) row.editor->setFixedWidth(style_.px(92));
    auto* list = qobject_cast<QComboBox*>(row.editor);
    if (list == nullptr) continue;
    list->setMinimumWidth(style_.px(100));
    list->setMaximumWidth(style_.px(148));
    list->view()->setMinimumWidth(list->view()->sizeHintForColumn(0) + style_.px(24));
  }
}

}  // namespace tfm::ui
