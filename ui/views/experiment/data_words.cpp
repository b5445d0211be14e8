// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/data_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>

#include "ui/figure/token_text.h"

namespace tfm::ui {
namespace {

constexpr double kMuchUnknown = 0.05;  // of the tokens
constexpr double kMuchLost = 0.1;      // of the examples
constexpr int kLongestText = 150;      // characters shown of a sample
constexpr int kLongestWord = 28;

struct DataText {
  Q_DECLARE_TR_FUNCTIONS(DataWords)
};

QString number(std::int64_t count) { return QLocale().toString(qlonglong(count)); }

double shareText(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// "12 %", "0.3 %", never broken between lines.
QString roundPercent(double share) {
  const double percent = 100 * share;
  return DataText::tr("%1\u00a0%").arg(QLocale().toString(percent, 'f', percent < 9.95 ? 1 : 0));
}

QString shortened(const QString& text, int longest) {
  return text.size() <= longest ? text : text.left(longest) + QStringLiteral("…");
}

QString shown(const QString& text) { return visibleToken(text).toHtmlEscaped(); }

QString sampleText(data::TaskForm form, const data::Sample& sample) {
  const QString source = QString::fromStdString(sample.source);
  const QString target = QString::fromStdString(sample.target);
  if (form == data::TaskForm::Classes)
    return DataText::tr("<b>%1</b> %2")
        .arg(target.toHtmlEscaped(), shortened(source, kLongestText).toHtmlEscaped());
  const QString answer = DataText::tr("%1 → <b>%2</b>");
  if (form == data::TaskForm::Text)  // only what follows the window is new
    return answer.arg(shown(source.right(kLongestWord)), shown(target.right(1)));
  if (form == data::TaskForm::Masked)
    return answer.arg(shortened(source, kLongestText).toHtmlEscaped(),
                      shortened(target, kLongestText).toHtmlEscaped());
  return answer.arg(shown(shortened(source, kLongestWord)), shown(shortened(target, kLongestWord)));
}

}  // namespace

QString amountText(const data::Task& task, const data::TaskStatistics& statistics) {
  const std::int64_t training = task.exampleCount(data::Split::Training);
  const std::int64_t held_out = task.exampleCount(data::Split::Evaluation);
  if (task.form() == data::TaskForm::Text)
    return DataText::tr("%1 windows of %2 characters to train on, %3 held out.")
        .arg(number(training), number(task.maxSourceLength()), number(held_out));
  if (training == 0)
    return DataText::tr("Examples are generated as needed; %1 of each side are counted here.")
        .arg(number(statistics.training.examples));
  if (!task.hasHeldOutExamples())
    return DataText::tr("%1 facts to learn; the same are asked, since no rule leads to others.")
        .arg(number(training));
  return DataText::tr("%1 examples to train on, %2 held out.")
      .arg(number(training), number(held_out));
}

DataNotice dataNotice(const data::Task& task, const data::TaskStatistics& statistics) {
  const auto& [training, held_out, left_out, samples] = statistics;
  const std::int64_t examples = training.examples + held_out.examples;
  const std::int64_t cut = training.cut + held_out.cut;
  const double unknown =
      shareText(training.unknown + held_out.unknown, training.tokens + held_out.tokens);
  QStringList facts;
  if (unknown > 0) facts << DataText::tr("%1 of the tokens are unknown").arg(roundPercent(unknown));
  if (cut > 0)
    facts << DataText::tr("%1 texts (%2) are truncated to %3 tokens")
                 .arg(number(cut), roundPercent(shareText(cut, examples)),
                      number(task.longestInput()));
  if (left_out > 0)
    facts << DataText::tr("%1 rows are left out: too long or empty").arg(number(left_out));
  if (facts.empty()) return {};
  return {facts.join(DataText::tr("; ")) + QLatin1Char('.'),
          unknown >= kMuchUnknown || shareText(cut, examples) >= kMuchLost ||
              shareText(left_out, examples + left_out) >= kMuchLost};
}

QString guessText(const data::Task& task, const data::TaskStatistics& statistics) {
  const std::vector<std::int64_t>& classes = statistics.training.classes;
  if (classes.empty()) return {};
  const auto largest = std::max_element(classes.begin(), classes.end()) - classes.begin();
  const std::int64_t right = statistics.evaluation.classes[std::size_t(largest)];
  return DataText::tr("Always answering “%1” is right for %2 of the held-out examples.")
      .arg(QString::fromStdString(task.targetVocabulary().tokens()[std::size_t(largest)]),
           roundPercent(shareText(right, statistics.evaluation.examples)));
}

QString samplesText(const data::Task& task, const std::vector<data::Sample>& samples) {
  std::vector<data::Sample> ordered = samples;
  if (task.form() == data::TaskForm::Classes)
    std::ranges::stable_sort(ordered, {}, &data::Sample::target);
  QStringList lines;
  for (const data::Sample& sample : ordered)
    lines += QStringLiteral("<div style='margin-top: 3px'>%1</div>")
                 .arg(sampleText(task.form(), sample));
  return lines.join(QString());
}

}  // namespace tfm::ui
