// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"

#include <array>
#include <cmath>
#include <initializer_list>
#include <string>

#include "core/base/error.h"
#include "core/model/delight_layers.h"
#include "core/model/document_presets.h"

namespace tfm {
namespace {

constexpr std::int64_t kLetters = 28;  // a ... z, <start>, <pad>

/// A small decoder like GPT-2: pre-norm, GELU, learned positions, tied output.
ModelConfig smallLanguageModel(std::int64_t hidden, std::int64_t layers, std::int64_t heads,
                               std::int64_t length) {
  ModelConfig c;
  c.architecture = Architecture::Decoder;
  c.target_vocabulary = 65;
  c.target_length = length;
  c.hidden = hidden;
  c.activation = Activation::Gelu;
  c.positions = Positions::Learned;
  c.tie_output = true;
  c.output_bias = false;
  c.initializer = InitialValues::Normal;
  const std::int64_t head = hidden / heads;
  setUniform(c, 0, layers, {heads, head, head, 4 * hidden, 1e-5});
  return c;
}
ModelConfig characterModel() { return smallLanguageModel(64, 2, 4, 64); }
/// The parts of Llama (Touvron et al. 2023) and of grouped queries at that size.
ModelConfig smallLlama() {
  ModelConfig c = characterModel();
  c.norm = NormKind::RmsNorm;
  c.positions = Positions::Rotary;
  c.activation = Activation::Silu;
  c.gated_feed_forward = true;
  c.attention_bias = c.feed_forward_bias = c.output_bias = false;
  c.tie_output = true;
  setUniform(c, 0, 2, {2, 16, 16, 176, 1e-5, 2});
  return c;
}
/// The smallest program that courses begin with (Karpathy 2026, microgpt.py): one layer, RMSNorm
/// without gains before it and in it, none at the end.
ModelConfig microgpt() {
  ModelConfig c = smallLanguageModel(16, 1, 4, 16);
  c.target_vocabulary = 27;  // the letters, and the end of a line
  c.norm = NormKind::RmsNorm;
  c.norm_gain = c.final_norm = false;
  c.embedding_norm = true;
  c.activation = Activation::Relu;
  c.attention_bias = c.feed_forward_bias = c.tie_output = false;
  c.initial_deviation = c.embedding_deviation = c.position_deviation = 0.08;
  return c;
}
ModelConfig benchmarkDecoder() { return smallLanguageModel(256, 4, 8, 128); }

ModelConfig smallSequenceModel() {
  ModelConfig c;
  c.source_vocabulary = c.target_vocabulary = kLetters;
  c.source_length = c.target_length = 15;
  c.hidden = 32;
  c.embedding_scale = std::sqrt(32.0);
  c.embedding_deviation = 1.0 / std::sqrt(32.0);
  setUniform(c, 2, 2, {4, 8, 8, 64, 1e-5});
  return c;
}

/// Like smallSequenceModel(), for thousands of tokens: one table of them on each side.
ModelConfig smallTranslator() {
  ModelConfig c = smallSequenceModel();
  c.source_vocabulary = c.target_vocabulary = 4000;
  c.source_length = c.target_length = 32;
  c.hidden = 128;
  c.embedding_scale = std::sqrt(128.0);
  c.embedding_deviation = 1.0 / std::sqrt(128.0);
  c.tie_output = true;
  c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.1;
  setUniform(c, 2, 2, {4, 32, 32, 256, 1e-5});
  return c;
}

ModelConfig smallClassifier() {
  ModelConfig c = smallSequenceModel();
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::Classes;
  c.output_size = 2;
  c.target_vocabulary = c.target_length = 0;
  c.positions = Positions::Learned;
  c.decoder_layers.clear();
  return c;
}

ModelConfig sentimentClassifier() {
  ModelConfig c = smallClassifier();
  c.source_vocabulary = 4000;
  c.source_length = 128;
  c.hidden = 64;
  c.embedding_scale = std::sqrt(64.0);
  c.embedding_deviation = 1.0 / std::sqrt(64.0);
  setUniform(c, 2, 0, {4, 16, 16, 256, 1e-5});
  return c;
}

/// The classifier of the MatFormer notebook with the published wiring: each layer has a
/// feed-forward of its own. There it reads a frozen BERT-mini.
ModelConfig matformerNotebook() {
  ModelConfig c = sentimentClassifier();
  c.source_length = 512;
  c.hidden = 256;
  c.embedding_scale = 16.0;
  c.embedding_deviation = 1.0 / 16.0;
  c.norm_placement = NormPlacement::Post;
  c.activation = Activation::Gelu;
  c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.0;
  setUniform(c, 2, 0, {4, 64, 64, 2048, 1e-5});
  return c;
}

/// Facts are stored in the feed-forward blocks: everything else is too small.
ModelConfig factsClassifier() {
  ModelConfig c = smallClassifier();
  c.source_length = 3;
  c.hidden = 8;
  c.embedding_scale = std::sqrt(8.0);
  c.embedding_deviation = 1.0 / std::sqrt(8.0);
  setUniform(c, 2, 0, {1, 4, 4, 64, 1e-5});
  return c;
}

ModelConfig smallTagger() {
  ModelConfig c = smallClassifier();
  c.output = OutputKind::Labels;
  c.output_size = kLetters;
  return c;
}

/// Funnel-Transformer (Dai et al. 2020; sizes and choices of the official code): every block after
/// the first runs at half the length of the one before, and `decoder_layers` at the whole length
/// again. Without its dropout, as the other presets.
ModelConfig funnel(std::int64_t hidden, std::int64_t heads,
                   std::initializer_list<FunnelBlock> blocks, std::int64_t decoder_layers = 0) {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.source_vocabulary = 30522;
  c.source_length = 512;
  c.hidden = hidden;
  c.norm_placement = NormPlacement::Post;
  c.embedding_norm = true;
  c.final_norm = false;
  c.activation = Activation::GeluTanh;
  c.positions = Positions::Relative;
  c.embedding_deviation = 1.0;
  const std::int64_t head = hidden / heads;
  setUniform(c, 1, 0, {heads, head, head, 4 * hidden, 1e-9});
  setFunnelLayers(c, blocks, decoder_layers);
  return c;
}

/// The same at a size for a class, to sort reviews.
ModelConfig smallFunnel(std::initializer_list<FunnelBlock> blocks) {
  ModelConfig c = funnel(64, 4, blocks);
  c.output = OutputKind::Classes;
  c.output_size = 2;
  c.source_vocabulary = 4000;
  c.source_length = 128;
  return c;
}

ModelConfig funnel444Small() { return smallFunnel({{4}, {4}, {4}}); }
ModelConfig funnel666Shared() { return smallFunnel({{6}, {3, 2}, {3, 2}}); }
ModelConfig funnel222Small() { return smallFunnel({{2}, {2}, {2}}); }

ModelConfig funnelTagger() {
  ModelConfig c = funnel(32, 4, {{1}, {1}}, 1);
  c.output = OutputKind::Labels;
  c.output_size = c.source_vocabulary = kLetters;
  c.source_length = 15;
  return c;
}

ModelConfig funnelB444() { return funnel(768, 12, {{4}, {4}, {4}}); }
ModelConfig funnelB666() { return funnel(768, 12, {{6}, {6}, {6}}); }
ModelConfig funnelB632() { return funnel(768, 12, {{6}, {3, 2}, {3, 2}}); }
ModelConfig funnelB888() { return funnel(1024, 16, {{8}, {8}, {8}}); }
ModelConfig funnelB101010() { return funnel(1024, 16, {{10}, {10}, {10}}); }

/// The look-up table and output of DeLighT's official code.
void setDelightEmbeddings(ModelConfig& c, std::int64_t size) {
  c.embedding_size = size;
  c.embedding_deviation = 1.0 / std::sqrt(double(size));
  c.tie_output = true;
  c.output_bias = false;
}

/// DeLighT for machine translation (Mehta et al. 2021, official code): 8 + 8 blocks of 4 to 8
/// grouped maps, one table of 128 columns, and its swish.
ModelConfig publishedDelight(std::int64_t hidden, std::int64_t words) {
  ModelConfig c;
  c.source_vocabulary = c.target_vocabulary = words;
  c.source_length = c.target_length = 128;
  c.hidden = hidden;
  c.norm_placement = NormPlacement::Post;
  c.final_norm = false;
  c.activation = Activation::Silu;
  c.share_embeddings = true;
  setDelightEmbeddings(c, 128);
  setDelightLayers(c, 8, 8, {});
  return c;
}
// Joint subwords with which the parameters are those published for all hidden sizes.
template <std::int64_t hidden>
ModelConfig delightGerman() {
  return publishedDelight(hidden, 43'734);
}
template <std::int64_t hidden>
ModelConfig delightRomanian() {
  return publishedDelight(hidden, 34'968);
}

ModelConfig delightSequence() {
  ModelConfig c = smallSequenceModel();
  c.hidden = 64;
  c.embedding_scale = 1.0;
  c.activation = Activation::Silu;
  setDelightEmbeddings(c, 32);
  setDelightLayers(c, 2, 2, {3, 4, 2.0});
  return c;
}

ModelConfig delightTranslation() {
  ModelConfig c = delightSequence();
  c.source_vocabulary = c.target_vocabulary = 4000;
  c.source_length = c.target_length = 32;
  c.hidden = 128;
  setDelightEmbeddings(c, 128);
  setDelightLayers(c, 3, 3, {4, 6, 2.0});
  return c;
}

ModelConfig delightCharacters() {
  ModelConfig c = characterModel();
  c.hidden = 128;
  c.activation = Activation::Silu;
  setDelightEmbeddings(c, 64);
  setDelightLayers(c, 0, 3, {4, 6, 2.0});
  return c;
}

/// The same body as sentimentClassifier(), which it can become.
ModelConfig maskedEncoder() {
  ModelConfig c = sentimentClassifier();
  c.output = OutputKind::Labels;
  c.output_size = c.source_vocabulary;
  return c;
}

constexpr std::array kPresets{
    Preset{"annotated-rot13", "rot13",
           "The annotated encoder-decoder at the size that learns rot13", "rot13", annotatedRot13},
    Preset{"annotated-encoder-decoder", "", "The annotated encoder-decoder, 3 + 3 layers", "rot13",
           annotatedEncoderDecoder},
    Preset{"annotated-encoder", "", "The encoder of the annotated encoder-decoder", "",
           annotatedEncoder},
    Preset{"annotated-decoder", "", "Its decoder, attending to one-hot letters without positions",
           "rot13", annotatedDecoder},
    Preset{"encoder-layer-notebook", "encoder-layer", "One encoder layer, applied three times",
           "regression", encoderLayerShared},
    Preset{"encoder-layer-notebook-independent", "",
           "Three encoder layers with their own parameters", "regression", encoderLayerIndependent},
    Preset{"expansions-notebook", "expansions",
           "The model of the function-preserving expansions notebook", "regression",
           expansionsNotebook},
    Preset{"expansions-layer", "", "A single layer of it", "regression", expansionsLayer},
    Preset{"expansions-feed-forward", "", "Its feed-forward alone", "regression",
           expansionsFeedForward},
    Preset{"expansions-attention", "", "Its multi-head attention alone", "regression",
           expansionsAttention},
    Preset{"annotated-attention", "",
           "A single multi-head attention of the annotated encoder-decoder", "regression",
           annotatedAttention},
    Preset{"small-sequence", "sequence",
           "A small pre-norm encoder-decoder for copying, reversing, sorting, adding", "sort",
           smallSequenceModel},
    Preset{"small-translator", "translator",
           "A small encoder-decoder for sentences and their translations", "pairs",
           smallTranslator},
    Preset{"small-classifier", "classifier", "A small encoder that classifies sequences",
           "parentheses", smallClassifier},
    Preset{"sentiment-classifier", "sentiment",
           "A small encoder that classifies reviews as positive or negative", "sentiment",
           sentimentClassifier},
    Preset{"matformer-notebook", "matformer",
           "The MatFormer notebook's classifier: 2 layers, feed-forward 2,048; for --encoder",
           "sentiment", matformerNotebook},
    Preset{"facts-classifier", "facts",
           "A small encoder that remembers facts; how many depends on its feed-forward width",
           "facts", factsClassifier},
    Preset{"small-tagger", "tagger", "A small encoder that labels every position", "sort",
           smallTagger},
    Preset{"masked-encoder", "masked",
           "A small encoder that fills in hidden words, to be fine-tuned afterwards", "masked",
           maskedEncoder},
    Preset{"character-model", "characters",
           "A small decoder that writes text character by character", "text", characterModel},
    Preset{"small-llama", "",
           "The same with the parts of Llama: rotary positions, shared keys and values, SwiGLU",
           "text", smallLlama},
    Preset{"microgpt", "",
           "The program that courses begin with: one layer, 4,192 parameters; for a file of names "
           "with --by-line",
           "text", microgpt},
    Preset{"benchmark-decoder", "",
           "The decoder of the speed comparison: 4 layers, hidden size 256", "text",
           benchmarkDecoder},
    Preset{"funnel-b2-2-2-small", "funnel",
           "A Funnel-Transformer of three blocks, each of half the length, for reviews",
           "sentiment", funnel222Small},
    Preset{"funnel-b4-4-4-small", "", "The same with the layers of B4-4-4, hidden size 64",
           "sentiment", funnel444Small},
    Preset{"funnel-b6-3x2-3x2-small", "",
           "The same with the layers of B6-3x2-3x2: those of later blocks run twice", "sentiment",
           funnel666Shared},
    Preset{"funnel-tagger", "",
           "A small Funnel-Transformer that goes back to the whole length and labels it", "sort",
           funnelTagger},
    Preset{"funnel-b4-4-4-h768", "", "Funnel-Transformer B4-4-4H768 as published, 512 tokens", "",
           funnelB444},
    Preset{"funnel-b6-6-6-h768", "", "Funnel-Transformer B6-6-6H768 as published", "", funnelB666},
    Preset{"funnel-b6-3x2-3x2-h768", "", "Funnel-Transformer B6-3x2-3x2H768 as published", "",
           funnelB632},
    Preset{"funnel-b8-8-8-h1024", "", "Funnel-Transformer B8-8-8H1024 as published", "",
           funnelB888},
    Preset{"funnel-b10-10-10-h1024", "", "Funnel-Transformer B10-10-10H1024 as published", "",
           funnelB101010},
    Preset{"delight-sequence", "delight",
           "A small DeLighT encoder-decoder: DExTra units, block-wise scaling", "rot13",
           delightSequence},
    Preset{"delight-translation", "", "A DeLighT encoder-decoder for translating sentences", "sort",
           delightTranslation},
    Preset{"delight-characters", "",
           "A small DeLighT decoder that writes text character by character", "text",
           delightCharacters},
    Preset{"delight-wmt14-en-de-128", "", "DeLighT for English-German, 8.09 million parameters", "",
           delightGerman<128>},
    Preset{"delight-wmt14-en-de-256", "", "DeLighT for English-German, 13.79 million", "",
           delightGerman<256>},
    Preset{"delight-wmt14-en-de-384", "", "DeLighT for English-German, 23.25 million", "",
           delightGerman<384>},
    Preset{"delight-wmt14-en-de-512", "", "DeLighT for English-German, 36.76 million", "",
           delightGerman<512>},
    Preset{"delight-wmt14-en-de-640", "", "DeLighT for English-German, 54.04 million", "",
           delightGerman<640>},
    Preset{"delight-wmt16-en-ro-128", "", "DeLighT for English-Romanian, 6.97 million", "",
           delightRomanian<128>},
    Preset{"delight-wmt16-en-ro-256", "", "DeLighT for English-Romanian, 12.67 million", "",
           delightRomanian<256>},
    Preset{"delight-wmt16-en-ro-384", "", "DeLighT for English-Romanian, 22.12 million", "",
           delightRomanian<384>},
};

}  // namespace

std::span<const Preset> presets() { return kPresets; }

const Preset& presetNamed(std::string_view name) {
  std::string known;
  for (const Preset& preset : kPresets) {
    if (name == preset.name || (!name.empty() && name == preset.short_name)) return preset;
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  throw Error("there is no preset '" + std::string(name) + "'", "presets",
              "Choose one of " + known);
}

}  // namespace tfm
