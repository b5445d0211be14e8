// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMetaType>
#include <functional>
#include <string>

#include "core/io/safetensors.h"

namespace tfm::test {

/// What is done to a document's file.
using FileChange = std::function<void(io::TensorFile&)>;

/// A table of changes, with what the refusal must name and what it must say was expected.
void addRefusalColumns();
void addRefusal(const char* title, const FileChange& change, const char* name,
                const char* expected);
/// Reads a valid file with the change of the current row; the message of its refusal, for the
/// caller's own checks.
QByteArray checkRefusal(const io::TensorFile& valid);

/// Puts a text into one of the file's JSON objects, instead of another.
void replaceIn(io::TensorFile& file, const char* key, const std::string& from,
               const std::string& to);

}  // namespace tfm::test

Q_DECLARE_METATYPE(tfm::test::FileChange)
