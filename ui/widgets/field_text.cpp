// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <array>
#include <optional>
#include <utility>

#include "core/base/check.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::FieldText)
};

/// Words whose display text does not follow from the file's spelling.
constexpr std::array<std::pair<std::string_view, const char*>, 21> kSpellings{{
    {"wordpiece", "WordPiece"},
    {"sgd", "SGD"},
    {"clip_norm", "Clip gradient"},
    {"first_pad", "Up to the end"},
    {"loss_positions", "The loss counts"},
    {"adamw", "AdamW"},
    {"eps", "Epsilon"},
    {"relu", "ReLU"},
    {"gelu", "GELU"},
    {"gelu_tanh", "GELU (tanh)"},
    {"silu", "SiLU (swish)"},
    {"layer_norm", "LayerNorm"},
    {"rms_norm", "RMSNorm"},
    {"warmup_cosine", "Cosine"},
    {"warmup_exponential", "Exponential"},
    {"warmup_steps", "Warm-up steps"},
    {"encoder_decoder", "Encoder–decoder"},
    {"xavier_uniform", "Xavier uniform"},
    {"lecun_normal", "LeCun normal"},
    {"he_normal", "He normal"},
    {"feed_forward", "Feed-forward"},
}};

template <class Number>
std::optional<Number> parsed(const QString& typed) {
  const QString text = typed.trimmed();
  for (const QLocale& locale : {QLocale::c(), QLocale()}) {
    bool read = false;
    Number value{};
    if constexpr (std::is_same_v<Number, double>)
      value = locale.toDouble(text, &read);
    else
      value = locale.toLongLong(text, &read);
    if (read) return value;
  }
  return std::nullopt;
}

}  // namespace

QString fieldWord(std::string_view word) {
  for (const auto& [from, to] : kSpellings)
    if (word == from) return QCoreApplication::translate("fields", to);
  QByteArray text = QByteArray(word.data(), qsizetype(word.size())).replace('_', ' ');
  if (!text.isEmpty()) text[0] = char(std::toupper(text[0]));
  return QCoreApplication::translate("fields", text.constData());
}

QString fieldMeaning(const io::Field& field) {
  return QCoreApplication::translate("fields", std::string(field.meaning).c_str());
}

QString fieldValue(const io::Field& field) {
  if (const auto* slot = std::get_if<io::IntegerSlot>(&field.slot))
    return QString::number(*slot->value);
  if (const auto* slot = std::get_if<io::RealSlot>(&field.slot))
    return QString::number(*slot->value, 'g', QLocale::FloatingPointShortest);
  if (const auto* slot = std::get_if<io::SwitchSlot>(&field.slot))
    return *slot->value ? Text::tr("on") : Text::tr("off");
  const auto& choice = std::get<io::ChoiceSlot>(field.slot);
  return fieldWord(choice.words[std::size_t(choice.get())]);
}

QString shownValue(const io::Field& field) {
  constexpr int kDigits = 6;
  const auto* slot = std::get_if<io::RealSlot>(&field.slot);
  return slot ? QString::number(*slot->value, 'g', kDigits) : fieldValue(field);
}

QString notAllowedText(const io::Field& field, const QString& typed) {
  return Text::tr("%1 is %2. Allowed: %3")
      .arg(fieldWord(field.name), typed.trimmed().isEmpty() ? Text::tr("empty") : typed,
           QString::fromStdString(io::allowedText(field)));
}

bool assignTyped(const io::Field& field, const QString& typed) {
  if (const auto* slot = std::get_if<io::IntegerSlot>(&field.slot)) {
    const auto value = parsed<qlonglong>(typed);
    if (!value || *value < slot->lowest || *value > slot->highest) return false;
    *slot->value = *value;
    return true;
  }
  const auto* slot = std::get_if<io::RealSlot>(&field.slot);
  check(slot != nullptr, "only numbers are typed");
  const auto value = parsed<double>(typed);
  if (!value || !(*value >= slot->lowest && *value < slot->limit)) return false;
  *slot->value = *value;
  return true;
}

}  // namespace tfm::ui
