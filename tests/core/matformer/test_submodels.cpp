// SPDX-License-Identifier: GPL-3.0-or-later
// A submodel computes what its definition says (Devvrit et al., section 3.1), and what a model made
// of its parameters alone computes.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/backend/cpu/cpu_backend.h"
#include "core/matformer/extract.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"
#include "tests/core/expand/double_run.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/core/numbers.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;

namespace {

/// Which the plain loops below do not have.
bool hasScoresOfItsOwn(const ModelConfig& c) {
  return c.positions == Positions::Relative || c.positions == Positions::Buckets;
}

using Matrix = std::vector<std::vector<double>>;

/// A program that has run, its tensors spoken of by the paths of its steps.
class Ran {
 public:
  Ran(const ModelState& state, const Submodel& submodel)
      : state_(state), parameters_(inDouble(state)), backend_(makeCpuBackend<double>()) {
    const Batch batch = probeBatch(state.config);
    ProgramOptions options;
    options.loss = true;
    options.submodel = submodel;
    executor_ = std::make_unique<Executor<double>>(
        std::make_shared<const Program>(buildProgram(
            state.config, {batch.size, batch.source_length, batch.target_length}, options)),
        *backend_, false);
    setInputs(*executor_, batch, 0);
    executor_->forward(parameters_.data(), {});
  }

  Matrix inputOf(const std::string& path) { return matrix(step(path).inputs.front()); }
  Matrix outputOf(const std::string& path) { return matrix(step(path).outputs.front()); }

  double parameter(const std::string& name, std::int64_t row, std::int64_t col) const {
    const ParameterInfo* p = state_.layout.find(name);
    return p == nullptr ? 0.0 : parameters_[std::size_t(p->offset + row * p->cols() + col)];
  }

 private:
  const Step& step(const std::string& path) {
    for (const Step& s : executor_->program().steps)
      if (s.path == path) return s;
    throw std::runtime_error("no step " + path);
  }
  Matrix matrix(TensorId id) {
    const MatrixView<const double> view = executor_->values(id);
    Matrix rows;
    for (std::int64_t r = 0; r < view.rows; ++r)
      rows.emplace_back(view.row(r), view.row(r) + view.cols);
    return rows;
  }

  const ModelState& state_;
  AlignedVector<double> parameters_;
  std::unique_ptr<Backend<double>> backend_;
  std::unique_ptr<Executor<double>> executor_;
};

/// y = x W^T + b for the given rows of W and all inputs.
Matrix plainLinear(const Ran& model, const std::string& path, const Matrix& x,
                   std::int64_t outputs) {
  Matrix y;
  for (const auto& row : x) {
    std::vector<double> out;
    for (std::int64_t j = 0; j < outputs; ++j) {
      double sum = model.parameter(path + ".bias", 0, j);
      for (std::size_t i = 0; i < row.size(); ++i)
        sum += row[i] * model.parameter(path + ".weight", j, std::int64_t(i));
      out.push_back(sum);
    }
    y.push_back(out);
  }
  return y;
}

/// What may go wrong in T_i(x) = act(x W_1[:, :m] + b_1[:m]) W_2[:m, :] + b_2.
enum class Slip { None, ShortBias, LastNeurons };

Matrix plainFeedForward(const Ran& model, const std::string& path, const Matrix& x,
                        const ModelConfig& config, std::int64_t m, std::int64_t inner, Slip slip) {
  const auto activated = [&](double v) {
    if (config.activation == Activation::Relu) return v > 0.0 ? v : 0.0;
    if (config.activation == Activation::Silu) return v / (1.0 + std::exp(-v));
    if (config.activation == Activation::Gelu)
      return 0.5 * v * (1.0 + std::erf(v / std::sqrt(2.0)));
    return 0.5 * v * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (v + 0.044715 * v * v * v)));
  };
  const std::int64_t first = slip == Slip::LastNeurons ? inner - m : 0;
  Matrix y;
  for (const auto& row : x) {
    std::vector<double> out;
    for (std::int64_t h = 0; h < config.hidden; ++h) {
      const bool has_bias = slip != Slip::ShortBias || h < m;
      double sum = has_bias ? model.parameter(path + ".linear2.bias", 0, h) : 0.0;
      for (std::int64_t j = first; j < first + m; ++j) {
        const auto mapped = [&](const std::string& map) {
          double value = config.feed_forward_bias ? model.parameter(map + ".bias", 0, j) : 0.0;
          for (std::int64_t i = 0; i < config.hidden; ++i)
            value += row[std::size_t(i)] * model.parameter(map + ".weight", j, i);
          return value;
        };
        const double gate = config.gated_feed_forward ? mapped(path + ".up") : 1.0;
        sum += activated(mapped(path + ".linear1")) * gate *
               model.parameter(path + ".linear2.weight", h, j);
      }
      out.push_back(sum);
    }
    y.push_back(out);
  }
  return y;
}

/// Each head's first pairs turned by the place of their row in its sequence, of `rows`.
void turn(Matrix& x, const ModelConfig& config, std::int64_t key_size, std::size_t rows) {
  const std::int64_t size = config.rotary_size > 0 ? config.rotary_size : key_size;
  for (std::size_t r = 0; r < x.size(); ++r)
    for (std::size_t head = 0; head < x[r].size(); head += std::size_t(key_size))
      for (std::int64_t i = 0; i < size / 2; ++i) {
        const double angle =
            double(r % rows) * std::pow(config.rotary_base, -2.0 * double(i) / double(size));
        double &a = x[r][head + std::size_t(i)], &b = x[r][head + std::size_t(i + size / 2)];
        const double old = a;
        a = old * std::cos(angle) - b * std::sin(angle);
        b = b * std::cos(angle) + old * std::sin(angle);
      }
}

/// Each head divided by the root of its mean square, and multiplied by gains that all heads share.
void norm(const Ran& model, const std::string& gain, Matrix& x, const ModelConfig& config,
          std::int64_t size) {
  for (auto& row : x)
    for (std::size_t head = 0; head < row.size(); head += std::size_t(size)) {
      double squares = 0.0;
      for (std::int64_t i = 0; i < size; ++i)
        squares += row[head + std::size_t(i)] * row[head + std::size_t(i)];
      for (std::int64_t i = 0; i < size; ++i)
        row[head + std::size_t(i)] *= model.parameter(gain, 0, i) /
                                      std::sqrt(squares / double(size) + config.query_key_norm_eps);
    }
}

/// The first heads of one attention; `length` rows a sequence. The last key of every second
/// sequence is padding where `pad`.
Matrix plainAttention(const Ran& model, const std::string& path, const Matrix& queries_from,
                      const Matrix& keys_from, const AttentionSizes& sizes, std::int64_t heads,
                      bool causal, bool pad, const ModelConfig& config) {
  const std::int64_t group = sizes.group;
  Matrix q = plainLinear(model, path + ".query", queries_from, heads * group * sizes.key_size);
  Matrix k = plainLinear(model, path + ".key", keys_from, heads * sizes.key_size);
  const Matrix v = plainLinear(model, path + ".value", keys_from, heads * sizes.value_size);
  const std::size_t rows = q.size() / 2, keys = k.size() / 2;
  if (config.query_key_norm && path.ends_with("self_attention")) {
    norm(model, path + ".query_norm.weight", q, config, sizes.key_size);
    norm(model, path + ".key_norm.weight", k, config, sizes.key_size);
  }
  if (config.positions == Positions::Rotary && path.ends_with("self_attention")) {
    turn(q, config, sizes.key_size, rows);
    turn(k, config, sizes.key_size, keys);
  }
  Matrix mixed(q.size(), std::vector<double>(std::size_t(heads * group * sizes.value_size), 0.0));
  for (std::size_t r = 0; r < q.size(); ++r)
    for (std::int64_t e = 0; e < heads * group; ++e) {
      // Of the head of keys and values that it shares.
      const std::int64_t other_key = (e / group - e) * sizes.key_size;
      const std::int64_t other_value = (e / group - e) * sizes.value_size;
      std::vector<double> weight(keys);
      double sum = 0.0;
      for (std::size_t j = 0; j < keys; ++j) {
        const std::size_t key = r / rows * keys + j;
        double score = 0.0;
        for (std::int64_t c = e * sizes.key_size; c < (e + 1) * sizes.key_size; ++c)
          score += q[r][std::size_t(c)] * k[key][std::size_t(c + other_key)];
        const bool hidden_key = (causal && j > r % rows) || (pad && r >= rows && j + 1 == keys);
        weight[j] = hidden_key ? 0.0 : std::exp(score / std::sqrt(double(sizes.key_size)));
        sum += weight[j];
      }
      for (std::size_t j = 0; j < keys; ++j)
        for (std::int64_t c = e * sizes.value_size; c < (e + 1) * sizes.value_size; ++c)
          mixed[r][std::size_t(c)] +=
              weight[j] / sum * v[r / rows * keys + j][std::size_t(c + other_value)];
    }
  return plainLinear(model, path + ".output", mixed, config.hidden);
}

double difference(const Matrix& a, const Matrix& b) {
  double worst = a.size() == b.size() ? 0.0 : INFINITY;
  for (std::size_t r = 0; r < a.size() && r < b.size(); ++r)
    worst = std::max(worst, worstDifference(a[r], b[r]));
  return worst;
}

struct Layer {
  std::string path, holder;  // where its steps and its parameters are
  const LayerConfig* config;
  std::size_t number;
};

std::vector<Layer> layersOf(const ModelConfig& c) {
  std::vector<Layer> layers;
  for (const auto& [own, list] :
       {std::pair{Stack::Encoder, &c.encoder_layers}, {Stack::Decoder, &c.decoder_layers}})
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string start = std::string(stackName(own)) + ".layers.";
      layers.push_back({start + std::to_string(i),
                        start + std::to_string(c.holderOf(own, std::int64_t(i))), &(*list)[i],
                        layers.size()});
    }
  return layers;
}

}  // namespace

class TestSubmodels : public QObject {
  Q_OBJECT

 private slots:
  void model_data() {
    QTest::addColumn<QString>("name");
    for (const SmallModel& model : nestedModels())
      QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
  }

  void feedForwardIsThatOfItsSlices_data() { model_data(); }
  void feedForwardIsThatOfItsSlices() {
    QFETCH(QString, name);
    const ModelConfig c = nestedModel(name.toStdString()).config;
    const ModelState state = trainedState(c);
    double slips[2] = {0.0, 0.0};
    for (const Submodel& submodel : triedSubmodels(c)) {
      Ran ran(state, submodel);
      for (const Layer& layer : layersOf(c)) {
        const std::string place = layer.path + ".feed_forward";
        const Matrix x = ran.inputOf(place + ".linear1"), y = ran.outputOf(place + ".linear2");
        const auto plain = [&](Slip slip) {
          return difference(y, plainFeedForward(ran, layer.holder + ".feed_forward", x, c,
                                                submodel.widths[layer.number],
                                                layer.config->first<FeedForward>()->width, slip));
        };
        QVERIFY2(plain(Slip::None) < 1e-13, place.c_str());
        slips[0] = std::max(slips[0], plain(Slip::ShortBias));
        slips[1] = std::max(slips[1], plain(Slip::LastNeurons));
      }
    }
    if (c.feed_forward_bias) QVERIFY(slips[0] > 1e-2);
    QVERIFY(slips[1] > 1e-2);
  }

  void attentionIsThatOfItsFirstHeads_data() { model_data(); }
  void attentionIsThatOfItsFirstHeads() {
    QFETCH(QString, name);
    const ModelConfig c = nestedModel(name.toStdString()).config;
    const ModelState state = trainedState(c);
    double one_head_more = 0.0;
    for (const Submodel& submodel : triedSubmodels(c)) {
      Ran ran(state, submodel);
      for (const Layer& layer : layersOf(c)) {
        const bool decoder = layer.path.starts_with("decoder");
        for (const char* kind : {"self_attention", "cross_attention"}) {
          const bool cross = std::string(kind) == "cross_attention";
          const auto* to_memory = layer.config->first<CrossAttention>();
          const auto* to_itself = layer.config->first<SelfAttention>();
          if (cross ? to_memory == nullptr : to_itself == nullptr) continue;
          if (hasScoresOfItsOwn(c)) continue;
          const std::string place = layer.path + "." + kind;
          const AttentionSizes sizes = cross ? to_memory->sizes : to_itself->sizes;
          const auto plain = [&](std::int64_t heads) {
            return difference(
                ran.outputOf(place + ".output"),
                plainAttention(ran, layer.holder + "." + kind, ran.inputOf(place + ".query"),
                               ran.inputOf(place + ".key"), sizes, heads, decoder && !cross,
                               !decoder || cross, c));
          };
          const std::int64_t heads = submodel.heads[layer.number];
          QVERIFY2(plain(heads) < 1e-12, place.c_str());
          if (heads < sizes.heads) one_head_more = std::max(one_head_more, plain(heads + 1));
        }
      }
    }
    const bool checked = !hasScoresOfItsOwn(c) && std::ranges::max(fullHeads(c)) > 0;
    QCOMPARE(one_head_more > 1e-2, checked);
  }

  void extractedModelComputesTheSame_data() { model_data(); }
  void extractedModelComputesTheSame() {
    QFETCH(QString, name);
    const ModelConfig c = nestedModel(name.toStdString()).config;
    const ModelState state = trainedState(c);
    const Batch batch = probeBatch(c);
    const std::vector<double> whole = outputsInDouble(c, inDouble(state), batch);
    double worst = 0.0;
    for (const Submodel& submodel : triedSubmodels(c)) {
      const std::vector<double> part = outputsInDouble(c, inDouble(state), batch, 0, submodel);
      const ModelState alone = matformer::extract(state, submodel);
      QCOMPARE(alone.config, configOf(c, submodel));
      // Bit for bit: the same sums in the same order.
      QCOMPARE(outputsInDouble(alone.config, inDouble(alone), batch), part);
      const bool all = submodel == Submodel{fullWidths(c), fullHeads(c)};
      if (all) QCOMPARE(part, whole);
      // A neuron that the ReLU closes on all of the probe is not missed.
      worst = std::max(worst, worstDifference(part, whole));
    }
    QVERIFY(worst > 1e-3);
  }
};

TFM_TEST(TestSubmodels)
#include "test_submodels.moc"
