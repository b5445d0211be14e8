// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/foreign_format.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/io/file_kind.h"

namespace tfm::io {
namespace {

using namespace std::string_view_literals;

constexpr const char* kSaveSheet =
    "Save the sheet as CSV (UTF-8) in the program it comes from, and choose that file.";
constexpr const char* kUnpack = "Unpack it, and choose the file in it.";
constexpr const char* kSaveText = "Save its text as UTF-8, and choose that file.";
constexpr const char* kSaveUtf8 =
    "Save it again as UTF-8, a sheet as CSV (UTF-8), or: iconv -f UTF-16 -t UTF-8 FILE > OTHER";
constexpr const char* kPicture = "Choose a text or a table.";

struct Signature {
  std::string_view begins;
  const char* what;
  const char* hint;
};

constexpr std::array kSignatures{
    Signature{"\xFF\xFE"sv, "text in UTF-16", kSaveUtf8},
    Signature{"\xFE\xFF"sv, "text in UTF-16", kSaveUtf8},
    Signature{"PAR1"sv, "a Parquet file",
              "Save it as CSV, e.g. in Python: pandas.read_parquet(FILE).to_csv(OTHER, "
              "index=False)."},
    Signature{"ARROW1"sv, "an Arrow or Feather file",
              "Save it as CSV, e.g. in Python: pandas.read_feather(FILE).to_csv(OTHER, "
              "index=False)."},
    Signature{"ORC"sv, "an ORC file", "Save it as CSV, and choose that file."},
    Signature{"Obj\x01"sv, "an Avro file", "Save it as CSV, and choose that file."},
    Signature{"\x89HDF\r\n\x1A\n"sv, "an HDF5 file",
              "Save the table or the arrays as CSV or .npz."},
    Signature{"SQLite format 3\0"sv, "an SQLite database",
              "Save the table as CSV, e.g. sqlite3 -header -csv FILE 'SELECT ...'."},
    Signature{"\x93NUMPY"sv, "a NumPy array (.npy)",
              "Save inputs and targets in one file: numpy.savez(FILE, inputs=..., targets=...)."},
    Signature{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an old Excel or Word file (.xls, .doc)",
              kSaveSheet},
    Signature{"\x1F\x8B"sv, "a file compressed by gzip twice", kUnpack},
    Signature{"BZh"sv, "a file compressed by bzip2", kUnpack},
    Signature{"\xFD"
              "7zXZ\0"sv,
              "a file compressed by xz", kUnpack},
    Signature{"\x28\xB5\x2F\xFD"sv, "a file compressed by zstd", kUnpack},
    Signature{"7z\xBC\xAF\x27\x1C"sv, "a 7z archive", kUnpack},
    Signature{"Rar!\x1A\x07"sv, "a RAR archive", kUnpack},
    Signature{"%PDF-"sv, "a PDF document", kSaveText},
    Signature{"\x89PNG\r\n"sv, "a PNG picture", kPicture},
    Signature{"\xFF\xD8\xFF"sv, "a JPEG picture", kPicture},
    Signature{"GIF8"sv, "a GIF picture", kPicture},
    Signature{"II*\0"sv, "a TIFF picture", kPicture},
    Signature{"MM\0*"sv, "a TIFF picture", kPicture},
    Signature{"RIFF"sv, "a sound, video or WebP picture", kPicture},
    Signature{"\x7F"
              "ELF"sv,
              "a program or library", kPicture},
};

/// What a ZIP archive holds, by the names of its files.
ForeignFormat zipFormat(std::string_view bytes) {
  struct Content {
    std::string_view name;
    const char* what;
    const char* hint;
  };
  constexpr std::array kContents{
      Content{"xl/"sv, "an Excel workbook (.xlsx)", kSaveSheet},
      Content{"opendocument.spreadsheet"sv, "an OpenDocument spreadsheet (.ods)", kSaveSheet},
      Content{"word/"sv, "a Word document (.docx)", kSaveText},
      Content{"opendocument.text"sv, "an OpenDocument text (.odt)", kSaveText},
      Content{"data.pkl"sv, "a PyTorch file",
              "Save the numbers with numpy.savez, or the texts as a text file."},
      Content{".npy"sv, "a NumPy archive (.npz)",
              "It has arrays of numbers: it is for --task regression."},
  };
  for (const Content& content : kContents)
    if (bytes.find(content.name) != bytes.npos) return {content.what, content.hint};
  return {"a ZIP archive", kUnpack};
}

bool isPickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

/// Without a byte order mark: two letters of ASCII, each with a zero byte.
bool isUtf16(std::string_view bytes) {
  const auto is_letter = [](char c) { return c >= ' ' && c < '\x7F'; };
  const auto zeroes = [&](std::size_t at) {
    return bytes[at] == '\0' && bytes[at + 2] == '\0' && is_letter(bytes[1 - at]) &&
           is_letter(bytes[3 - at]);
  };
  return bytes.size() > 3 && (zeroes(0) || zeroes(1));
}

bool isTar(std::string_view bytes) {
  constexpr std::size_t kMagicAt = 257;
  return bytes.size() > kMagicAt && bytes.substr(kMagicAt).starts_with("ustar");
}

bool beginsLike(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::ranges::equal(text.substr(0, lower.size()), lower, {}, [](char c) {
           return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
         });
}

}  // namespace

std::optional<ForeignFormat> foreignFormat(std::string_view bytes) {
  constexpr std::size_t kHead = 4096;
  if (bytes.empty() || looksLikeText(bytes.substr(0, kHead))) return std::nullopt;
  for (const Signature& signature : kSignatures)
    if (bytes.starts_with(signature.begins)) return ForeignFormat{signature.what, signature.hint};
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) return zipFormat(bytes);
  if (looksLikeTensors(bytes))
    return ForeignFormat{"a file of tensors (.safetensors)",
                         "Open it as a model; to learn from, choose a text or a table."};
  if (isUtf16(bytes)) return ForeignFormat{"text in UTF-16", kSaveUtf8};
  if (isTar(bytes)) return ForeignFormat{"a tar archive", kUnpack};
  if (isPickle(bytes))
    return ForeignFormat{"a Python pickle",
                         "Pickles are never opened, since they can run programs. Save the table as "
                         "CSV, or the arrays with numpy.savez."};
  return std::nullopt;
}

std::optional<ForeignFormat> foreignTable(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  std::string_view line = text.substr(0, text.find('\n'));
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  if (line.starts_with('{') || line.starts_with('[')) {
    const bool object = line.starts_with('{');
    if (object && nlohmann::json::accept(line))
      return ForeignFormat{"JSON lines, not a table",
                           "Save it as CSV, e.g. in Python: pandas.read_json(FILE, lines=True)"
                           ".to_csv(OTHER, index=False)."};
    if (line == "{" || line == "[" || line == "[{" || nlohmann::json::accept(line))
      return ForeignFormat{"JSON, not a table",
                           "Save it as CSV, e.g. in Python: pandas.read_json(FILE).to_csv(OTHER, "
                           "index=False)."};
  }
  if (beginsLike(line, "<!doctype html") || beginsLike(line, "<html"))
    return ForeignFormat{"a web page, not a table", kSaveSheet};
  if (beginsLike(line, "<?xml")) return ForeignFormat{"XML, not a table", kSaveSheet};
  return std::nullopt;
}

}  // namespace tfm::io
