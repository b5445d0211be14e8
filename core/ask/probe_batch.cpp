// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/probe_batch.h"

#include <algorithm>

#include "core/base/check.h"

namespace tfm::train {
namespace {

template <class Element>
void append(std::vector<Element>& to, const std::vector<Element>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Makes what has `each` elements per position as long as `length` positions; leaves what is empty
/// or has another length.
template <class Element>
void lengthen(std::vector<Element>& all, std::int64_t old_length, std::int64_t length,
              const Element& pad) {
  if (all.empty() || old_length == 0 || std::ssize(all) % old_length != 0) return;
  const std::int64_t each = std::ssize(all) / old_length;
  all.resize(std::size_t(each * length), pad);
}

/// Text has no pad token; any token will do, since the causal mask hides it.
std::int32_t padOf(const data::Vocabulary& vocabulary) { return std::max(vocabulary.pad(), 0); }

void pad(ProbeInput& input, std::int64_t source_length, std::int64_t target_length,
         const data::TextCodec& codec, data::Framing framing) {
  Batch& batch = input.batch;
  const std::int64_t old_source = batch.source_length, old_target = batch.target_length;
  lengthen(batch.source, old_source, source_length, padOf(data::inputVocabulary(codec, framing)));
  lengthen(batch.source_features, old_source, source_length, 0.0);
  lengthen(batch.source_pad, old_source, source_length, std::uint8_t(1));
  lengthen(input.source_labels, old_source, source_length, std::string(kPadLabel));
  const data::Vocabulary& read = framing == data::Framing::NextToken
                                     ? data::inputVocabulary(codec, framing)
                                     : data::outputVocabulary(codec, framing);
  lengthen(batch.target, old_target, target_length, padOf(read));
  lengthen(input.decoder_labels, old_target, target_length, std::string(kPadLabel));
  lengthen(input.written_labels, old_target, target_length, std::string(kPadLabel));
  batch.source_length = source_length;
  batch.target_length = target_length;
  input.source_pads += source_length - old_source;
  input.decoder_pads += target_length - old_target;
}

}  // namespace

void padToLongest(std::vector<ProbeInput>& inputs, const data::TextCodec& codec,
                  data::Framing framing) {
  std::int64_t source = 0, target = 0;
  for (const ProbeInput& input : inputs) {
    source = std::max(source, input.batch.source_length);
    target = std::max(target, input.batch.target_length);
  }
  for (ProbeInput& input : inputs) pad(input, source, target, codec, framing);
}

ProbeInput joined(std::span<const ProbeInput> inputs) {
  check(!inputs.empty(), "a batch has sequences");
  ProbeInput all;
  Batch& batch = all.batch;
  batch.source_length = inputs.front().batch.source_length;
  batch.target_length = inputs.front().batch.target_length;
  for (const ProbeInput& input : inputs) {
    const Batch& one = input.batch;
    check(one.source_length == batch.source_length && one.target_length == batch.target_length,
          "the sequences of a batch are equally long");
    batch.size += one.size;
    for (const auto part : {&Batch::source, &Batch::target}) append(batch.*part, one.*part);
    for (const auto part : {&Batch::source_pad, &Batch::target_pad}) append(batch.*part, one.*part);
    for (const auto part : {&Batch::source_features, &Batch::memory})
      append(batch.*part, one.*part);
    for (const auto part :
         {&ProbeInput::source_labels, &ProbeInput::decoder_labels, &ProbeInput::written_labels})
      append(all.*part, input.*part);
  }
  return all;
}

}  // namespace tfm::train
