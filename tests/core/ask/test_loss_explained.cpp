// SPDX-License-Identifier: GPL-3.0-or-later
// The loss that is explained is the loss that is trained: a step of a trainer on a batch that holds
// exactly the texts changes every weight by the gradient that is explained.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/ask/explained_run.h"
#include "core/ask/explained_update.h"
#include "core/ask/step_program.h"
#include "core/ask/step_texts.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "core/observe/model_map.h"
#include "core/train/fit_task.h"
#include "core/train/step_parts.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr std::uint64_t kMostSteps = 2000;

/// What is learned, and by which model.
struct Subject {
  const char* name;
  const char* preset;
  const char* task;
  std::string text = {};  ///< of the task
  std::string tokenizer = {};
};

std::string rowsOf(std::initializer_list<const char*> rows) {
  std::string text;
  for (const char* row : rows) text += std::string(row) + '\n';
  return text;
}

std::vector<Subject> subjects() {
  const std::string pairs =
      rowsOf({"a\tun", "go\tva", "one\tun", "house\tmaison", "red\trouge", "blue\tbleu",
              "three\ttrois", "ten\tdix", "yes\toui", "no\tnon", "b\tb", "i\tje", "we\tnous"});
  // Each word comes often enough to be in the vocabulary, whichever rows are held out.
  std::string labels;
  for (const char* word : {"film", "plot", "cast", "end"}) {
    labels += "the " + std::string(word) + " was good\tplus\n";
    labels += "the " + std::string(word) + " was bad and dull\tminus\n";
    labels += std::string(word) + " good\tplus\n" + word + " dull\tminus\n";
    labels += "bad and dull " + std::string(word) + "\tminus\n" + word + "\tplus\n";
  }
  std::string book;
  for (int i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    book += "the cat sat on the mat " + number + " and ran by\n" + "a dog " + number + "\n" +
            "the dog saw a cat sit on it " + number + "\n";
  }
  std::string letters;  // each window goes on in one way
  for (std::uint32_t i = 0, drawn = 7; i < 800; ++i) {
    drawn = drawn * 1664525U + 1013904223U;
    letters += "abcdefghijklmnopqrstuvwxyz "[(drawn >> 16) % 27];
  }
  const std::string table = rowsOf(
      {"x1,x2,y1", "1,2,3", "2,1,0.5", "-1,0.5,2", "0.3,0.1,-1", "2,2,1", "1.5,-2,0.7", "0,1,1"});
  return {{"sequence to sequence", "rot13", "rot13"},
          {"labels of tokens", "tagger", "reverse"},
          {"decoder alone", "characters", "copy"},
          {"addition", "sequence", "addition"},
          {"addition by a decoder", "characters", "addition"},
          {"facts", "classifier", "facts"},
          {"parentheses", "classifier", "parentheses"},
          {"reviews", "classifier", "sentiment"},
          {"labelled texts", "classifier", "classes", labels, "word"},
          {"classes of characters", "classifier", "classes",
           labels + rowsOf({"a\tplus", "b\tminus", "x\tplus"})},
          {"pairs", "sequence", "pairs", pairs},
          {"pairs by a decoder", "characters", "pairs", pairs},
          {"text", "characters", "text", letters},
          {"masked", "masked-encoder", "masked", book, "word"},
          {"numbers", "encoder-layer-notebook", "regression"},
          {"numbers of a table", "expansions-notebook", "regression", table},
          {"pooled classes", "funnel", "parentheses"},
          {"pooled reviews", "funnel", "sentiment"},
          {"pooled labels of tokens", "funnel-tagger", "sort"}};
}

TrainConfig plainSgd(std::int64_t batch_size) {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Sgd;
  config.optimizer.momentum = 0.0;
  config.optimizer.weight_decay = 0.0;
  config.schedule.learning_rate = 1.0;
  config.clip_norm = 0.0;
  config.batch_size = batch_size;
  return config;
}

Document documentFor(const Subject& subject, data::LossPositions positions,
                     const TrainConfig& train) {
  data::TaskConfig task = data::defaultTaskConfig(subject.task);
  task.text = subject.text;
  if (!subject.tokenizer.empty()) task.tokenizer = subject.tokenizer;
  if (task.kind == "pairs" || task.kind == "classes") task.max_length = 50;
  if (task.kind == "text") task.context_length = 9;
  if (task.kind == "masked") {
    task.max_length = 10;
    task.by_line = true;
  }
  task.loss_positions = positions;
  ModelConfig model = presetNamed(subject.preset).config();
  model.attention_dropout = model.residual_dropout = model.feed_forward_dropout = 0.0;
  if (task.kind == "regression") task = taskLike(model, task);
  fitToTask(model, *data::makeTask(task));
  return newDocument(model, task, train);
}

/// The texts of a training step's batch, as they are typed; nullopt if some cannot be typed.
std::optional<std::vector<std::string>> textsOf(const data::Task& task, data::Framing framing,
                                                std::uint64_t seed, std::uint64_t step,
                                                std::int64_t count) {
  std::vector<data::Ids> sources;
  const bool sorted = framing == data::Framing::Classes || task.form() == data::TaskForm::Masked;
  if (sorted) {
    const Batch batch = data::trainingBatch(task, framing, seed, step, count);
    if (batch.size != count) return std::nullopt;
    for (std::int64_t i = 0; i < batch.size; ++i) {
      data::Ids& source = sources.emplace_back();
      for (std::int64_t p = 0; p < batch.source_length; ++p) {
        const auto at = std::size_t(i * batch.source_length + p);
        if (batch.source_pad[at] == 0) source.push_back(batch.source[at]);
        // A text cannot say that a token is exchanged, or asked for although it is seen.
        if (task.form() == data::TaskForm::Masked && batch.label_weights[at] > 0.0F &&
            !task.hides(batch.source[at]))
          return std::nullopt;
      }
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i)
      sources.push_back(
          task.example(data::Split::Training, seed, step * std::uint64_t(count) + std::uint64_t(i))
              .source);
  }
  std::vector<std::string> texts;
  for (const data::Ids& source : sources) {
    texts.push_back(task.inputText(source));
    if (!task.canRead(texts.back()) || task.encodeInput(texts.back()) != source)
      return std::nullopt;
    // The task may have other answers to it, too, and a text may go on in several ways.
    const auto learned = task.learned(source);
    const bool whole =
        task.form() != data::TaskForm::Text || (learned && learned->target.size() == source.size());
    if (!learned || !whole) return std::nullopt;
  }
  return texts;
}

/// Whether texts are as long as a row asks for, in tokens.
bool hasLengths(const data::Task& task, const std::vector<std::string>& texts,
                const QByteArray& length) {
  std::vector<std::size_t> lengths;
  for (const std::string& text : texts) lengths.push_back(task.encodeInput(text).size());
  if (length == "one") return lengths.front() == 1;
  if (length == "full") return std::ssize(task.encodeInput(texts.front())) == task.longestInput();
  if (length == "two") return lengths.front() != lengths.back();
  return true;
}

/// A step of a trainer, and its texts.
struct Stepped {
  ModelState before, after;
  double loss = 0.0;
  std::vector<std::string> texts;
  std::vector<WeightedPart> parts;
};

std::optional<Stepped> steppedOn(const Document& document, const data::Task& task,
                                 const QByteArray& length, bool draws_whole) {
  const data::Framing framing = framingFor(document.state.config, task);
  const std::int64_t count = document.train.batch_size;
  Trainer trainer = trainerOf(document);
  for (std::uint64_t step = 0; step < kMostSteps; ++step) {
    const auto texts = textsOf(task, framing, document.state.seed, step, count);
    if (!texts || !hasLengths(task, *texts, length)) continue;
    const std::vector<WeightedPart> parts = trainer.partsOf(step);
    const std::vector<WeightedPart> whole =
        partsWithWhole(document.state.config, document.train.nesting);
    if (draws_whole && parts.back().submodel != whole.back().submodel) continue;
    ModelState state = document.state;
    state.step = std::int64_t(step);
    trainer.restore(state);
    Stepped stepped{state, {}, 0.0, *texts, parts};
    stepped.loss = trainer.step().loss;
    stepped.after = trainer.state();
    return stepped;
  }
  return std::nullopt;
}

/// The largest difference between what a step changed and the explained gradient, in units of what
/// floats can tell; above 1, they differ.
double differenceOf(const Stepped& stepped, ExplainedRun<double>& run) {
  const auto gradients = run.parameterGradients();
  double largest = 0.0, worst = 0.0;
  for (const double gradient : gradients) largest = std::max(largest, std::abs(gradient));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const double before = stepped.before.parameters[i], after = stepped.after.parameters[i];
    const double told = 1e-5 * largest + 2e-7 * (std::abs(before) + std::abs(after)) + 1e-9;
    worst = std::max(worst, std::abs(before - after - gradients[i]) / told);
  }
  return worst;
}

}  // namespace

class TestLossExplained : public QObject {
  Q_OBJECT

 private slots:
  void aStepChangesWeightsByTheExplainedGradient_data() {
    QTest::addColumn<int>("subject");
    QTest::addColumn<bool>("all");
    QTest::addColumn<QByteArray>("length");
    QTest::addColumn<QByteArray>("nesting");
    const std::vector<Subject> all = subjects();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto row = [&](bool positions, const char* length, const char* nesting) {
        QTest::addRow("%s, %s, %s, %s", all[i].name, positions ? "all" : "first pad", length,
                      nesting)
            << int(i) << positions << QByteArray(length) << QByteArray(nesting);
      };
      // Where there is one answer, or none ends with pads, positions are all the same.
      const QByteArray task = all[i].task;
      const bool same = task == "facts" || task == "parentheses" || task == "sentiment" ||
                        task == "classes" || task == "text" || task == "masked" ||
                        task == "regression";
      for (const bool positions : {true, false})
        for (const char* length : {"any", "one", "full", "two"})
          if (positions || !same) row(positions, length, "none");
      for (const char* nesting : {"joint", "joint, weighted", "sampled", "sampled, whole"})
        row(true, "two", nesting);
    }
  }

  void aStepChangesWeightsByTheExplainedGradient() {
    QFETCH(const int, subject);
    QFETCH(const bool, all);
    QFETCH(const QByteArray, length);
    QFETCH(const QByteArray, nesting);
    const Subject what = subjects()[std::size_t(subject)];
    const auto positions = all ? data::LossPositions::All : data::LossPositions::FirstPad;
    Document document = documentFor(what, positions, plainSgd(length == "two" ? 2 : 1));
    if (nesting != "none") {
      matformer::Nesting& sizes = document.train.nesting;
      sizes = matformer::defaultNesting(document.state.config);
      sizes.training =
          nesting.startsWith("joint") ? matformer::Training::Joint : matformer::Training::Sampled;
      if (nesting == "joint, weighted") sizes.weights = {0.2, 0.7, 1.5};
    }
    const auto task = makeTask(document);
    const bool fixed = task->form() == data::TaskForm::Text ||
                       task->form() == data::TaskForm::Numbers || what.task == QByteArray("facts");
    const auto stepped = steppedOn(document, *task, fixed && length == "two" ? "any" : length,
                                   nesting == "sampled, whole");
    if (!stepped && (length == "one" || length == "full"))
      return;  // the task has no such texts: see aTaskHasTextsOfAllLengths()
    QVERIFY2(stepped, "no step has such texts");

    const data::Framing framing = framingFor(document.state.config, *task);
    const auto backend = makeBackend<float>();
    const StepTexts texts = stepTexts(stepped->before, *task, framing, stepped->texts, *backend);
    QCOMPARE(texts.texts.size(), stepped->texts.size());
    for (const LossAnswer answer : texts.answers)
      QCOMPARE(answer, task->form() == data::TaskForm::Text ? LossAnswer::Next : LossAnswer::Right);
    const std::vector<WeightedPart> parts =
        nesting == "sampled" ? stepped->parts
                             : partsWithWhole(document.state.config, document.train.nesting);
    ExplainedRun<double> run(stepped->before, texts.all, parts);
    QVERIFY2(std::abs(run.loss() - stepped->loss) < 1e-5 * std::max(1.0, stepped->loss),
             qPrintable(QString("%1 is explained, %2 was trained, on '%3'")
                            .arg(run.loss())
                            .arg(stepped->loss)
                            .arg(QString::fromStdString(stepped->texts.front()))));
    const double difference = differenceOf(*stepped, run);
    QVERIFY2(difference < 1.0, qPrintable(QString::number(difference)));
    // The step changed something.
    QVERIFY(stepped->before.parameters != stepped->after.parameters);

    // And so says the update of each weight.
    double largest = 0.0, worst = 0.0;
    for (const double gradient : run.parameterGradients())
      largest = std::max(largest, std::abs(gradient));
    for (const ParameterInfo& info : stepped->before.layout.parameters) {
      const ExplainedUpdate update(stepped->before, document.train, run.parameterGradients(),
                                   info.name);
      for (std::int64_t i = 0; i < info.size(); i += 1 + info.size() / 50) {
        const double after = stepped->after.parameters[std::size_t(info.offset + i)];
        const double next = update.value(update.next(i / info.cols(), i % info.cols()));
        worst = std::max(
            worst, std::abs(next - after) / (1e-5 * largest + 4e-7 * (1.0 + std::abs(after))));
      }
    }
    QVERIFY2(worst < 1.0, qPrintable(QString::number(worst)));

    // The gradient of a weight is the sum of its terms, whichever submodels read it.
    const ParameterInfo& info = stepped->before.layout.parameters.front();
    const TensorId weight = run.program().find(info.name);
    for (std::int64_t i = 0; i < std::min<std::int64_t>(info.size(), 40); ++i) {
      const observe::NumberPlace place{weight, i / info.cols(), i % info.cols(), true};
      const double explained = run.explainer().explain(place).value;
      QVERIFY(std::abs(explained - run.parameterGradients()[std::size_t(info.offset + i)]) <
              1e-10 * std::max(1.0, largest));
    }
  }

  /// What the rows above skip is what the tasks do not have.
  void aTaskHasTextsOfAllLengths() {
    for (const Subject& what : subjects()) {
      const Document document = documentFor(what, data::LossPositions::All, plainSgd(1));
      const auto task = makeTask(document);
      const QByteArray name = what.name;
      const bool one = bool(steppedOn(document, *task, "one", false));
      const bool full = bool(steppedOn(document, *task, "full", false));
      const QByteArray kind = what.task;
      QVERIFY2(one || !(kind == "rot13" || kind == "reverse" || kind == "copy" || kind == "pairs" ||
                        kind == "classes"),
               name.constData());
      QVERIFY2(full || kind == "pairs" || kind == "classes" || kind == "sentiment" ||
                   kind == "parentheses",
               name.constData());
    }
  }

  /// Another loss is noticed: other positions, another answer, one size of those that are trained.
  void anotherLossIsNoticed() {
    const Subject what = subjects().front();
    Document document = documentFor(what, data::LossPositions::All, plainSgd(1));
    const auto task = makeTask(document);
    const auto stepped = steppedOn(document, *task, "any", false);
    QVERIFY(stepped);
    const auto backend = makeBackend<float>();
    const auto framing = framingFor(document.state.config, *task);
    const auto differs = [&](const data::TextCodec& codec, std::span<const WeightedPart> parts) {
      const StepTexts texts = stepTexts(stepped->before, codec, framing, stepped->texts, *backend);
      ExplainedRun<double> run(stepped->before, texts.all, parts);
      return differenceOf(*stepped, run);
    };
    const std::vector<WeightedPart> whole{WeightedPart{}};
    QVERIFY(differs(*task, whole) < 1.0);
    const Document other = documentFor(what, data::LossPositions::FirstPad, plainSgd(1));
    QVERIFY(differs(*makeTask(other), whole) > 100.0);
    QVERIFY(differs(*task->codec(), whole) > 100.0);  // its own answer
    const matformer::Nesting nesting = matformer::defaultNesting(document.state.config);
    const auto sizes = matformer::granularities(document.state.config, nesting);
    QVERIFY(differs(*task, stepParts(sizes, matformer::Training::Joint, 0)) > 100.0);
    QVERIFY(differs(*task, stepParts(sizes, matformer::Training::Sampled, 0)) > 100.0);
  }

  /// Evaluation, too, has that loss; and a probe of the text alone has the answers of evaluation.
  void evaluationHasTheSameLoss_data() {
    QTest::addColumn<int>("subject");
    const std::vector<Subject> all = subjects();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << int(i);
  }
  void evaluationHasTheSameLoss() {
    QFETCH(const int, subject);
    const Subject what = subjects()[std::size_t(subject)];
    const Document document = documentFor(what, data::LossPositions::All, plainSgd(1));
    const auto task = makeTask(document);
    const auto framing = framingFor(document.state.config, *task);
    data::Example example = task->example(data::Split::Evaluation, data::kEvaluationSeed, 0);
    const bool masked = task->form() == data::TaskForm::Masked;
    for (std::size_t i = 0; masked && i < example.source.size(); ++i)
      if (task->hides(example.source[i])) example.source[i] = example.target[i];
    const std::string text =
        masked ? task->inputText(example.source)
               : task->questionText(data::Split::Evaluation, data::kEvaluationSeed, 0);
    QCOMPARE(task->encodeInput(text), example.source);
    Trainer trainer = trainerOf(document);
    const double loss = trainer.evaluate(1).loss;
    const auto backend = makeBackend<float>();
    const StepTexts texts =
        stepTexts(document.state, *task, framing, std::span(&text, 1), *backend);
    const LossAnswer expected = masked                                 ? LossAnswer::Hidden
                                : task->form() == data::TaskForm::Text ? LossAnswer::Next
                                                                       : LossAnswer::Right;
    QCOMPARE(texts.answers.front(), expected);
    ExplainedRun<double> run(document.state, texts.all, std::vector<WeightedPart>{WeightedPart{}});
    QVERIFY2(std::abs(run.loss() - loss) < 1e-5 * std::max(1.0, loss),
             qPrintable(QString("%1, %2").arg(run.loss()).arg(loss)));
    if (masked || framing == data::Framing::NextToken) return;  // a probe reads another text

    const ProbeInput alone =
        probeInput(document.state, *task, framing, text, *backend, ReadAnswer::Right);
    const std::uint64_t first[] = {0};
    const Batch batch = data::evaluationBatch(*task, framing, first);
    const auto logits = [&](const Batch& of) {
      observe::Probe probe(document.state.config, of, *backend);
      const TensorId id = probe.program().find(names::kOutput);
      const std::string& name = probe.program().tensors[std::size_t(id)].name;
      return probe.run(document.state.parameters, of, name).at(name);
    };
    const observe::Observed probed = logits(alone.batch), evaluated = logits(batch);
    for (std::size_t i = 0; i < probed.values.size(); ++i)
      QVERIFY(std::abs(probed.values[i] - evaluated.values[i]) < 1e-5);
    // Decoding answers by the same numbers.
    if (framing != data::Framing::Classes) return;
    SamplingOptions options;
    options.keep_logits = true;
    const AnsweredQuestion answered =
        answer(document.state, *task, framing, std::span(&text, 1), options, *backend).front();
    for (std::size_t i = 0; i < probed.values.size(); ++i)
      QVERIFY(std::abs((*answered.logits.front())[i] - evaluated.values[i]) < 1e-5);
  }

  /// The submodels of joint training are parts beside the model, each with its own loss.
  void aJointLossIsOneProgram() {
    const Document document =
        documentFor(subjects().front(), data::LossPositions::All, plainSgd(1));
    const ModelConfig& config = document.state.config;
    matformer::Nesting nesting = matformer::defaultNesting(config);
    nesting.training = matformer::Training::Joint;
    const std::vector<WeightedPart> parts = partsWithWhole(config, nesting);
    const BatchShape shape{1, 4, 5};
    const Program alone = stepProgram(config, shape, false, true, std::vector<WeightedPart>(1));
    const Program joint = stepProgram(config, shape, false, true, parts);
    QVERIFY(parts.size() > 1);
    QVERIFY(alone.find("S.loss") == kNoTensor && joint.find("S.loss") != kNoTensor);
    QCOMPARE(joint.tensor(names::kLoss).rows, std::int64_t(1));
    QCOMPARE(joint.parameters.total, alone.parameters.total);
    // What computes the model itself stands first and is the same.
    for (std::size_t i = 0; i + 1 < alone.steps.size(); ++i)
      QCOMPARE(joint.steps[i].path, alone.steps[i].path);
    const observe::ModelMap map = observe::modelMap(joint);
    QCOMPARE(map.leaves.size(), joint.steps.size());
    const std::size_t small = map.find("S");
    QVERIFY(small != observe::kNoNode && map.nodes[small].title == "size S");
    for (std::size_t i = 0; i < joint.steps.size(); ++i)
      QCOMPARE(map.contains(small, i), joint.steps[i].path.starts_with("S."));
    // A model of one size that counts half is such a program, too.
    const Program half =
        stepProgram(config, shape, false, true, std::vector<WeightedPart>{{Submodel{}, 0.5, "S"}});
    QVERIFY(half.find(kOwnLoss) != kNoTensor && half.find(names::kLoss) != kNoTensor);
  }

  void textsOfDifferentLengthsHaveALoss() {
    const Subject what = {"", "classifier", "parentheses"};
    const Document document = documentFor(what, data::LossPositions::All, plainSgd(1));
    const auto task = makeTask(document);
    const std::vector<std::string> texts{"(", "())"};
    const auto backend = makeBackend<float>();
    const StepTexts step =
        stepTexts(document.state, *task, data::Framing::Classes, texts, *backend);
    QCOMPARE(step.all.batch.labels, (std::vector<std::int32_t>{0, 0}));
    QCOMPARE(step.texts.front().source_pads, std::int64_t(2));
    ExplainedRun<double> both(document.state, step.all, std::vector<WeightedPart>{WeightedPart{}});
    double sum = 0.0;
    for (const std::string& text : texts) {
      ExplainedRun<double> one(
          document.state,
          stepTexts(document.state, *task, data::Framing::Classes, std::span(&text, 1), *backend)
              .all,
          std::vector<WeightedPart>{WeightedPart{}});
      sum += one.loss();
    }
    QVERIFY(std::abs(both.loss() - sum / 2.0) < 1e-6);
  }

  /// A text that the task does not have is compared with the model's own answer, and says so.
  void theSentenceSaysWhichAnswer() {
    const auto backend = makeBackend<float>();
    const auto sentence = [&](const Document& document, const std::string& text) {
      const auto task = makeTask(document);
      const StepTexts step =
          stepTexts(document.state, *task, framingFor(document.state.config, *task),
                    std::span(&text, 1), *backend);
      return QString::fromStdString(
          lossSentence(step, document.state.config, document.train.nesting));
    };
    const std::vector<Subject> all = subjects();
    const auto of = [&](const char* name) {
      const auto found = std::ranges::find(all, QByteArray(name),
                                           [](const Subject& one) { return QByteArray(one.name); });
      return documentFor(*found, data::LossPositions::All, plainSgd(1));
    };
    Document rot13 = of("sequence to sequence");
    QVERIFY(sentence(rot13, "there").contains("15 positions, against the right answer 'gurer'"));
    QVERIFY(sentence(of("pairs"), "one").contains("right answer 'un'"));
    QVERIFY(sentence(of("pairs"), "ones").contains("own answer"));
    QVERIFY(sentence(of("labelled texts"), "film dull").contains("1 answer, against the right"));
    QVERIFY(sentence(of("labelled texts"), "dull good").contains("own answer"));
    QVERIFY(sentence(of("text"), "the cat").contains("6 positions, against each next token"));
    QVERIFY(sentence(of("masked"), "the dog").contains("evaluation hides"));
    QVERIFY(sentence(of("masked"), "the [MASK] [MASK]").contains("own answer"));
    QVERIFY(sentence(of("numbers"), "abc").contains("12 numbers, against the right answer"));
    rot13.train.nesting = matformer::defaultNesting(rot13.state.config);
    QVERIFY(sentence(rot13, "there").contains(", the whole model"));
    rot13.train.nesting.training = matformer::Training::Joint;
    QVERIFY(sentence(rot13, "there").contains("sum of those of S, M"));
  }

  void aTextWithoutALossIsRefused() {
    const auto backend = makeBackend<float>();
    const auto refuses = [&](const Document& document, const data::TextCodec& codec,
                             const std::string& text) {
      stepTexts(document.state, codec, framingFor(document.state.config, codec),
                std::span(&text, 1), *backend);
    };
    for (const Subject& what : subjects()) {
      const QByteArray name = what.name;
      const Document document = documentFor(what, data::LossPositions::All, plainSgd(1));
      const auto task = makeTask(document);
      if (name == "text") TFM_VERIFY_ERROR(refuses(document, *task, "t"), "one token");
      if (name == "masked")
        TFM_VERIFY_ERROR(refuses(document, *task->codec(), "the cat"), "No token is hidden");
      if (name == "numbers")
        TFM_VERIFY_ERROR(refuses(document, *task->codec(), "abc"), "compared with numbers");
    }
  }
};

TFM_TEST(TestLossExplained)
#include "test_loss_explained.moc"
