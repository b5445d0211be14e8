// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "core/ask/answering.h"
#include "ui/document/forward.h"

namespace tfm::ui {

/// What a model wrote of a text, and how much of it is shown. Cheap to copy.
struct Written {
  /// The whole answer: logits of the first token alone where only that was asked for.
  std::shared_ptr<const train::AnsweredQuestion> answer =
      std::make_shared<const train::AnsweredQuestion>();
  std::size_t shown = 0;    ///< tokens of it
  std::int64_t wanted = 0;  ///< tokens in all, while it is written
  bool writing = false;     ///< more tokens will be shown

  /// Whether a token follows the shown ones, and what it is chosen from is known.
  bool hasNext() const { return shown < answer->logits.size(); }
};

/// Lets the shown model continue the question, and shows it token by token or at once. Before
/// anything is written, it finds out what would come next; of a model that answers, it has the
/// answer of the newest snapshot.
class Writer : public QObject {
  Q_OBJECT

 public:
  enum class Kind {
    OnRequest,  ///< a text stays until the next one
    KeepsUp,    ///< written anew as the model learns, rarely enough to cost little of the training
  };
  /// `options`: for the next text; max_tokens is its length.
  Writer(ModelDocument& document, Kind kind, std::function<SamplingOptions()> options);

  const Written& text() const { return text_; }
  /// Whether the open model writes texts, rather than answers.
  bool writesText() const;
  bool canWrite() const { return readable_ && writesText(); }
  /// Why the model cannot read the question, or failed; empty: none.
  const QString& problem() const { return problem_; }

  /// Continues the question, replacing what was written before.
  void write();
  /// Continues the written text by one token.
  void writeOne();
  /// Keeps what is shown.
  void stop();
  /// While it is not visible, it asks nothing.
  void setVisible(bool visible);
  /// While a token is being read, its text stays.
  void setReading(bool reading);
  void setAtOnce(bool at_once);

 signals:
  void changed(const tfm::ui::Written& before);

 private:
  /// The purpose of the newest question to the model.
  enum class Asked { Nothing, Look, Text, Again };

  void questionChanged();
  void modelChanged();
  void lookAgain();
  void writeAgain();
  void ask(Asked asked, std::int64_t tokens);
  void take(const train::AnsweredQuestion& part, bool finished);
  void takeSnapshot();
  void reveal();
  void end(Written text);
  void set(Written text);

  ModelDocument& document_;
  Answers& answers_;
  const Kind kind_;
  const std::function<SamplingOptions()> options_;
  Written text_;
  QString problem_;
  bool readable_ = false;  ///< the question
  bool visible_ = false, reading_ = false, at_once_ = false;
  Asked asked_ = Asked::Nothing;
  bool arriving_ = false;                                  ///< the model has not finished yet
  std::shared_ptr<const train::AnsweredQuestion> before_;  ///< the answer when the model was asked
  std::uint64_t seed_ = 0;
  bool outdated_ = true;  ///< the shown model is not the one that wrote the text
  QTimer reveal_, look_again_, write_again_;
  QElapsedTimer since_asked_, since_written_;
  qint64 writing_milliseconds_ = 0;  ///< the last text took
};

}  // namespace tfm::ui
