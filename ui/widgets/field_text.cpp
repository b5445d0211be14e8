// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <array>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "ui/figure/figure.h"
#include "ui/figure/typed_number.h"

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

/// Fields whose zero means that there is none.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kZeros{{
    {"epochs", "no limit"},
    {"stop_epochs", "no limit"},
    {"stop_steps", "no limit"},
    {"clip_norm", "off"},
}};

std::optional<std::int64_t> allowed(const io::IntegerSlot& slot, const QString& typed) {
  const auto value = typedWhole(typed);
  return value && *value >= slot.lowest && *value <= slot.highest ? value : std::nullopt;
}

std::optional<double> allowed(const io::RealSlot& slot, const QString& typed) {
  const auto value = typedReal(typed);
  if (!value || *value < slot.lowest) return std::nullopt;
  return *value < slot.limit || (slot.with_limit && *value == slot.limit) ? value : std::nullopt;
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
  if (const auto* slot = std::get_if<io::RealSlot>(&field.slot)) return fullPrecision(*slot->value);
  if (const auto* slot = std::get_if<io::SwitchSlot>(&field.slot))
    return *slot->value ? Text::tr("on") : Text::tr("off");
  const auto& choice = std::get<io::ChoiceSlot>(field.slot);
  return fieldWord(choice.words[std::size_t(choice.get())]);
}

QString shownValue(const io::Field& field) {
  constexpr int kDigits = 6;
  if (fieldValue(field) == QLatin1String("0"))
    for (const auto& [name, words] : kZeros)
      if (field.name == name) return QCoreApplication::translate("fields", words);
  const auto* slot = std::get_if<io::RealSlot>(&field.slot);
  return slot ? QString::number(*slot->value, 'g', kDigits) : fieldValue(field);
}

QString notAllowedText(const io::Field& field, const QString& typed) {
  const QString text = typed.trimmed(), hint = separatorHint(text);
  QString words = Text::tr("%1: %2 is not accepted. Allowed: %3")
                      .arg(fieldWord(field.name),
                           text.isEmpty() ? Text::tr("an empty field") : Text::tr("“%1”").arg(text),
                           QString::fromStdString(io::allowedText(field)));
  if (!hint.isEmpty()) words += QStringLiteral(". ") + hint;
  return words;
}

QString withFieldWords(QString message, const std::vector<io::Field>& fields) {
  for (const io::Field& field : fields) {
    const auto name = QString::fromUtf8(field.name.data(), qsizetype(field.name.size()));
    if (!name.contains(QLatin1Char('_'))) continue;  // a word like any other
    message.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name)),
                    QStringLiteral("“%1”").arg(fieldWord(field.name)));
  }
  return message;
}

bool isAllowed(const io::Field& field, const QString& typed) {
  if (const auto* slot = std::get_if<io::IntegerSlot>(&field.slot))
    return allowed(*slot, typed).has_value();
  const auto* slot = std::get_if<io::RealSlot>(&field.slot);
  check(slot != nullptr, "only numbers are typed");
  return allowed(*slot, typed).has_value();
}

bool assignTyped(const io::Field& field, const QString& typed) {
  if (!isAllowed(field, typed)) return false;
  if (const auto* slot = std::get_if<io::IntegerSlot>(&field.slot))
    *slot->value = *allowed(*slot, typed);
  else
    *std::get<io::RealSlot>(field.slot).value = *allowed(std::get<io::RealSlot>(field.slot), typed);
  return true;
}

}  // namespace tfm::ui
