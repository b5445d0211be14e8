// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/reproduce/claim.h"
#include "core/reproduce/picture.h"

namespace tfm::reproduce {

/// One of the documents that the program grew out of: its model as a preset, its recipe, and all
/// that it claims.
struct Source {
  std::string_view name, title;
  std::string_view preset;
  /// A regression where the document's model reads random numbers.
  data::TaskConfig (*task)();
  std::string_view question;  ///< a text to see it with; empty: any
  std::string_view recipe;    ///< a sentence on how its recipe compares with the document
  train::TrainConfig (*training)();
  std::vector<Claim> (*claims)();
  std::vector<Picture> (*pictures)();
  /// The training as the document states it, if its code runs another; null if they are the same.
  train::TrainConfig (*written)() = nullptr;
};

std::span<const Source> sources();
/// Throws Error listing the names if there is none of that name.
const Source& sourceNamed(std::string_view name);

/// The recipe as a document before its first step. `as_written`: with Source::written(), if it has
/// one.
train::Document recipeOf(const Source& source, bool as_written = false);
/// The picture of that name. Throws Error listing the names if there is none.
Picture pictureNamed(const Source& source, std::string_view name);

// Each is defined in the file of its source.
std::vector<Claim> expansionsClaims();
std::vector<Claim> encoderLayerClaims();
std::vector<Claim> annotatedClaims();
std::vector<Claim> matformerClaims();
std::vector<Claim> lightweightClaims();
std::vector<Picture> expansionsPictures();
std::vector<Picture> encoderLayerPictures();
std::vector<Picture> annotatedPictures();
std::vector<Picture> matformerPictures();
std::vector<Picture> lightweightPictures();

}  // namespace tfm::reproduce
