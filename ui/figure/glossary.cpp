// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/glossary.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QStringList>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <QWhatsThis>

#include "ui/figure/corner_menu.h"
#include "ui/figure/tips.h"

namespace tfm::ui {
namespace {

/// The term, a regular expression of whole words that finds it (empty: its name), and its meaning.
struct Entry {
  const char* name;
  const char* words;
  const char* says;
};

const Entry kEntries[] = {
    {"accuracy", "", QT_TRANSLATE_NOOP("glossary", "Share of the answers that are right.")},
    {"agreement", "agreement|same answer as the whole",
     QT_TRANSLATE_NOOP(
         "glossary",
         "How often a smaller model gives the same answer as the whole model, right or wrong.")},
    {"batch", "batch(es)?|batch size",
     QT_TRANSLATE_NOOP("glossary", "The examples that one step learns from.")},
    {"beam search", "beams?( search)?|beam [0-9]+",
     QT_TRANSLATE_NOOP("glossary",
                       "Keeps the few best partial answers at each step, instead of only the best "
                       "one.")},
    {"clipping", "clip(ped|ping)?|clip norm",
     QT_TRANSLATE_NOOP("glossary",
                       "A gradient longer than this limit is scaled down to it, so that one "
                       "unusual batch cannot throw the model off. 0 turns it off.")},
    {"cross-entropy", "",
     QT_TRANSLATE_NOOP("glossary",
                       "The negative logarithm of the probability that the model gave to the right "
                       "token.")},
    {"decoder", "decoder",
     QT_TRANSLATE_NOOP("glossary",
                       "The part of the model that writes the answer, token by token.")},
    {"encoder", "encoder",
     QT_TRANSLATE_NOOP("glossary", "The part of the model that reads the whole question at once.")},
    {"feed-forward", "feed-?forward|feed forward",
     QT_TRANSLATE_NOOP("glossary",
                       "Two matrices with a nonlinear function between them, applied to each "
                       "position separately. Much of what a model has memorised is stored here.")},
    {"FLOPs", "m?flops?|gflops?",
     QT_TRANSLATE_NOOP("glossary", "Additions and multiplications: what a run costs.")},
    {"gradient", "gradients?",
     QT_TRANSLATE_NOOP("glossary",
                       "How the loss would change with each parameter. A step goes against it.")},
    {"granularity", "granularit(y|ies)",
     QT_TRANSLATE_NOOP("glossary", "One of the sizes a nested model is trained with.")},
    {"head", "heads?",
     QT_TRANSLATE_NOOP("glossary",
                       "One of several attentions that a layer computes in parallel, each with its "
                       "own queries, keys and values.")},
    {"held-out", "held[- ]out",
     QT_TRANSLATE_NOOP("glossary", "Examples used only to measure the model, never to train it.")},
    {"hidden", "hidden( size)?",
     QT_TRANSLATE_NOOP("glossary", "How many numbers describe one token inside the model.")},
    {"in force", "in force",
     QT_TRANSLATE_NOOP(
         "glossary",
         "Changes to the model under which answers and pictures are shown, to see their effect. "
         "The model itself keeps its weights and is trained without them.")},
    {"key", "keys?|key size|key, value size",
     QT_TRANSLATE_NOOP("glossary", "What a position offers to the positions that look at it.")},
    {"KL divergence", "KL|KL divergence",
     QT_TRANSLATE_NOOP("glossary",
                       "How much the probabilities of a smaller model differ from those of the "
                       "whole model, in nats. 0 means they are the same.")},
    {"LayerNorm", "layernorm|rmsnorm|(?m:^norm$)|(final|last|pre|post) norm|norm (gain|shift)",
     QT_TRANSLATE_NOOP(
         "glossary",
         "Rescales the numbers of each position to a common size, before or after a block.")},
    {"learning rate", "",
     QT_TRANSLATE_NOOP("glossary", "How far one step changes the parameters.")},
    {"logit", "logits?",
     QT_TRANSLATE_NOOP(
         "glossary", "The model's score for a token, before softmax turns it into a probability.")},
    {"logit lens", "logit lens",
     QT_TRANSLATE_NOOP("glossary",
                       "What the model would answer if it ended after an earlier block: its output "
                       "layer reads the states there.")},
    {"loss", "",
     QT_TRANSLATE_NOOP("glossary", "How wrong the model is; training makes it smaller.")},
    {"Mix'n'Match", "Mix'n'Match",
     QT_TRANSLATE_NOOP(
         "glossary",
         "A smaller model with a different width in each layer, without further training.")},
    {"nat", "nats?",
     QT_TRANSLATE_NOOP("glossary",
                       "The unit of the loss. 0 means certain of the right token, 0.69 as unsure "
                       "as between two, 3.3 as between 26 letters.")},
    {"norm", "norms? of|(gradient|weight) norms?|clip norm|norm, logarithmic",
     QT_TRANSLATE_NOOP("glossary",
                       "The length of a list of numbers, seen as an arrow: the square root of the "
                       "sum of their squares.")},
    {"optimizer", "optimizers?|adamw?|sgd",
     QT_TRANSLATE_NOOP("glossary", "The rule by which a step follows the gradient.")},
    {"pad", "pads?|first pad",
     QT_TRANSLATE_NOOP(
         "glossary",
         "The token · that fills answers up to the longest one. The first one ends the answer.")},
    {"parameter", "parameters?",
     QT_TRANSLATE_NOOP("glossary", "One of the numbers that training changes.")},
    {"Pareto line", "pareto( line| front)?",
     QT_TRANSLATE_NOOP("glossary", "The best accuracy available at each cost.")},
    {"query", "quer(y|ies)", QT_TRANSLATE_NOOP("glossary", "What a position looks for in others.")},
    {"residual stream", "residual( stream)?",
     QT_TRANSLATE_NOOP("glossary",
                       "The numbers of each token on their way through the model: every block adds "
                       "to them.")},
    {"rollout", "",
     QT_TRANSLATE_NOOP("glossary",
                       "The attention maps of all layers multiplied: what reaches a position "
                       "through the whole stack.")},
    {"seed", "seeds?",
     QT_TRANSLATE_NOOP(
         "glossary",
         "The number that determines all random choices: the same seed gives the same run.")},
    {"smoothing", "",
     QT_TRANSLATE_NOOP("glossary", "How strongly the thick line averages over past steps.")},
    {"softmax", "",
     QT_TRANSLATE_NOOP(
         "glossary",
         "Turns numbers into shares that sum to 1: e to the power of each, divided by the sum.")},
    {"temperature", "",
     QT_TRANSLATE_NOOP("glossary",
                       "Below 1, the model prefers likely tokens; above 1, it takes more risks.")},
    {"token", "tokens?",
     QT_TRANSLATE_NOOP("glossary",
                       "A piece of text as the model reads it: a character, a word or a part of "
                       "one.")},
    {"tolerance", "",
     QT_TRANSLATE_NOOP("glossary", "How far a number may be from another to count as the same.")},
    {"top-k", "top-k",
     QT_TRANSLATE_NOOP("glossary", "Tokens are drawn only from the k most likely ones.")},
    {"top-p", "top-p",
     QT_TRANSLATE_NOOP(
         "glossary",
         "Tokens are drawn only from the most likely ones that together reach this probability.")},
    {"value", "value size",
     QT_TRANSLATE_NOOP("glossary", "What a position passes on to the positions that look at it.")},
    {"weight decay", "",
     QT_TRANSLATE_NOOP("glossary", "Shrinks the parameters a little at every step.")},
    {"Wilson's interval", "wilson('s interval)?|95 %( interval)?",
     QT_TRANSLATE_NOOP("glossary",
                       "The range of the true accuracy at 95 % confidence, given the number of "
                       "answers counted.")},
};

const Entry kTokens[] = {
    {"<start>", "",
     QT_TRANSLATE_NOOP("glossary",
                       "the start token: what the decoder reads before it has written anything")},
    {"<unknown>", "",
     QT_TRANSLATE_NOOP("glossary", "stands for every word that is not in the vocabulary")},
    {"[UNK]", "",
     QT_TRANSLATE_NOOP("glossary", "stands for every word that is not in the vocabulary")},
    {"[MASK]", "",
     QT_TRANSLATE_NOOP("glossary", "stands for a hidden token, which the model fills in")},
    {"[PAD]", "", QT_TRANSLATE_NOOP("glossary", "fills texts up to the longest one")},
    {"[CLS]", "",
     QT_TRANSLATE_NOOP("glossary", "the token before a text, which collects its meaning")},
    {"[SEP]", "", QT_TRANSLATE_NOOP("glossary", "the token after a text")},
    {"·", "", QT_TRANSLATE_NOOP("glossary", "the end token: written when the answer is finished")},
    {"␣", "", QT_TRANSLATE_NOOP("glossary", "a space")},
    {"⏎", "", QT_TRANSLATE_NOOP("glossary", "a line break")},
    {"⇥", "", QT_TRANSLATE_NOOP("glossary", "a tab")},
};

QString translated(const char* text) { return QCoreApplication::translate("glossary", text); }

/// Each expression is compiled only once.
const std::vector<QRegularExpression>& patterns() {
  static const std::vector<QRegularExpression> all = [] {
    std::vector<QRegularExpression> made;
    for (const Entry& entry : kEntries) {
      const QString words =
          *entry.words ? QString(entry.words) : QRegularExpression::escape(QString(entry.name));
      made.emplace_back(QStringLiteral("(?<![\\w-])(?:%1)(?![\\w-])").arg(words),
                        QRegularExpression::CaseInsensitiveOption |
                            QRegularExpression::UseUnicodePropertiesOption);
    }
    return made;
  }();
  return all;
}

QString textOf(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
  if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) return choice->currentText();
  return {};
}

/// The tooltip that was set for a place on a widget: that of a menu's or list's item, or its own.
QString ownTip(const QWidget& widget, const QPoint& place) {
  QString tip;
  if (const auto* menu = qobject_cast<const QMenu*>(&widget)) {
    const QAction* action = menu->toolTipsVisible() ? menu->actionAt(place) : nullptr;
    if (action != nullptr) tip = action->toolTip();
  } else if (const auto* list = qobject_cast<const QAbstractItemView*>(widget.parentWidget())) {
    if (list->viewport() == &widget) tip = list->indexAt(place).data(Qt::ToolTipRole).toString();
  }
  return tip.isEmpty() ? widget.toolTip() : tip;
}

}  // namespace

QString anchorOf(const QString& heading) {
  static const QRegularExpression kDropped(QStringLiteral("[^a-z0-9 _-]"));
  return heading.toLower().remove(kDropped).replace(' ', '-');
}

QString placeOf(const GlossaryRow& term) {
  return QStringLiteral("glossary.md#") + anchorOf(term.name);
}

GlossaryTips::GlossaryTips(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool GlossaryTips::eventFilter(QObject* watched, QEvent* event) {
  if (!watched->isWidgetType()) return false;
  if (event->type() == QEvent::QueryWhatsThis || event->type() == QEvent::WhatsThis) {
    const auto& asked = *static_cast<QWidget*>(watched);
    const QString text = whatIs(asked);
    event->setAccepted(!text.isEmpty());
    if (event->type() == QEvent::WhatsThis && !text.isEmpty())
      QWhatsThis::showText(static_cast<QHelpEvent*>(event)->globalPos(), text,
                           static_cast<QWidget*>(watched));
    return !text.isEmpty();
  }
  if (event->type() == QEvent::WhatsThisClicked) {
    emit manualRequested(static_cast<QWhatsThisClickedEvent*>(event)->href());
    return true;
  }
  if (event->type() != QEvent::ToolTip) return false;
  auto* widget = static_cast<QWidget*>(watched);
  const bool named = qobject_cast<QLabel*>(widget) || qobject_cast<QAbstractButton*>(widget) ||
                     qobject_cast<QComboBox*>(widget);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = named ? tipWithTerms(textOf(*widget), widget->toolTip())
                            : plainTip(ownTip(*widget, help->pos()));
  if (tip.isEmpty()) return false;
  QToolTip::showText(help->globalPos(), tip, widget, {}, widget->toolTipDuration());
  return true;
}

std::vector<GlossaryRow> allTerms() {
  std::vector<GlossaryRow> terms;
  for (const Entry& entry : kEntries)
    terms.push_back({QString(entry.name), translated(entry.says)});
  return terms;
}

std::vector<GlossaryRow> termsIn(const QString& text) {
  std::vector<GlossaryRow> found;
  for (std::size_t i = 0; i < std::size(kEntries); ++i)
    if (patterns()[i].match(text).hasMatch())
      found.push_back({QString(kEntries[i].name), translated(kEntries[i].says)});
  for (const Entry& token : kTokens)
    if (QString(token.name).size() > 1 && text.contains(QString(token.name)))
      found.push_back({QString(token.name), translated(token.says)});
  return found;
}

QString tokenMeaning(const QString& label) {
  for (const Entry& token : kTokens)
    if (label == QString(token.name)) return translated(token.says);
  return {};
}

QString textsOn(const QWidget& widget) {
  QStringList texts;
  for (const QWidget* child : widget.findChildren<QWidget*>())
    if (const QString text = child->isVisible() ? textOf(*child) : QString(); !text.isEmpty()) {
      const auto* label = qobject_cast<const QLabel*>(child);
      const bool markup = label != nullptr && label->textFormat() == Qt::RichText;
      texts << (markup ? QTextDocumentFragment::fromHtml(text).toPlainText() : text);
    }
  return texts.join('\n');
}

QString whatIs(const QWidget& widget) {
  QString name = widget.accessibleName().isEmpty() ? textOf(widget) : widget.accessibleName();
  name.remove(u'&');
  QStringList says;
  if (!widget.toolTip().isEmpty())
    says << QTextDocumentFragment::fromHtml(widget.toolTip()).toPlainText();
  for (const CornerMenu* menu : widget.window()->findChildren<CornerMenu*>())
    for (const ExplainedPart& part : menu->parts()) {
      const QWidget* whole = part.widget;
      if (whole != nullptr && (whole == &widget || whole->isAncestorOf(&widget)))
        says << part.name + QStringLiteral(": ") + part.says;
    }
  const QString text = says.join(u'\n');
  if (name.isEmpty() && text.isEmpty()) return {};
  QStringList lines;
  if (!name.isEmpty()) lines << QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped());
  if (!text.isEmpty()) lines << text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
  for (const GlossaryRow& term : termsIn(name + u'\n' + text))
    lines << QStringLiteral("<a href=\"%1\">%2</a>: %3")
                 .arg(placeOf(term), term.name.toHtmlEscaped(), term.says);
  return QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>")));
}

QString tipWithTerms(const QString& text, const QString& tip) {
  constexpr std::size_t kMax = 3;  // a text with more terms would get too long a tooltip
  std::vector<GlossaryRow> terms = termsIn(text + '\n' + tip);
  if (terms.size() > kMax) terms = termsIn(tip);
  if (terms.size() > kMax) terms.clear();
  QStringList parts;
  if (!tip.isEmpty()) parts << tip.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
  for (const GlossaryRow& term : terms)
    parts << QStringLiteral("<b>%1</b>: %2").arg(term.name.toHtmlEscaped(), term.says);
  return parts.isEmpty() ? QString()
                         : QStringLiteral("<qt>%1</qt>").arg(parts.join(QStringLiteral("<br>")));
}

}  // namespace tfm::ui
