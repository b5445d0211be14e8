// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace tfm::io {
namespace {

/// The content of compressed bytes, piece by piece.
class Inflater {
 public:
  explicit Inflater(std::string_view bytes) : left_(bytes) {
    constexpr int kOfGzip = 16;  // added to the size of the window
    ready_ = inflateInit2(&stream_, MAX_WBITS + kOfGzip) == Z_OK;
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Appends the next piece, at most `most` bytes. Returns false at the end, or where the bytes are
  /// damaged or cut off.
  bool append(std::string& content, std::size_t most) {
    while (ready_ && !ended_) {
      if (stream_.avail_in == 0) feed();
      const std::size_t filled = content.size();
      content.resize(filled + most);
      stream_.next_out = reinterpret_cast<Bytef*>(content.data() + filled);
      stream_.avail_out = uInt(most);
      const int result = inflate(&stream_, Z_NO_FLUSH);
      content.resize(filled + most - stream_.avail_out);
      if (result == Z_STREAM_END)
        beginNextPart();
      else if (result != Z_OK)
        ready_ = false;
      if (content.size() > filled) return true;
    }
    return false;
  }

  /// Whether all was read.
  bool ended() const { return ended_; }

 private:
  void feed() {
    const std::size_t piece = std::min<std::size_t>(left_.size(), std::numeric_limits<uInt>::max());
    // zlib does not write through it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
    stream_.avail_in = uInt(piece);
    left_.remove_prefix(piece);
  }

  /// gzip ignores zeros after the last part.
  void beginNextPart() {
    if (stream_.avail_in == 0) feed();
    const std::string_view rest(reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    ended_ = left_.empty() && rest.find_first_not_of('\0') == rest.npos;
    if (!ended_) ready_ = inflateReset(&stream_) == Z_OK;
  }

  std::string_view left_;
  z_stream stream_ = {};
  bool ready_ = false, ended_ = false;
};

constexpr std::size_t kPiece = std::size_t{1} << 16;

}  // namespace

bool isGzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

std::string gunzip(std::string_view bytes, std::uint64_t maxBytes, const std::string& where) {
  Inflater inflater(bytes);
  std::string content;
  while (inflater.append(content, kPiece))
    if (content.size() > maxBytes)
      throw Error(
          "the file unpacks to more than the " + std::to_string(maxBytes) + " bytes that are read",
          where, "Choose a smaller file.");
  if (!inflater.ended())
    throw Error("the file is compressed by gzip and damaged or cut off", where,
                "Unpack it with gunzip to see more, or choose another copy.");
  return content;
}

std::string gunzipBeginning(std::string_view bytes, std::size_t maxBytes) {
  Inflater inflater(bytes);
  std::string content;
  while (content.size() < maxBytes && inflater.append(content, maxBytes - content.size())) {
  }
  return content;
}

}  // namespace tfm::io
