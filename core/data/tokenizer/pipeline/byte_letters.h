// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tfm::data {

// Byte-level tokenizers (Radford et al. 2019, released code) write each byte as one letter:
// printable Latin-1 characters stand for themselves, the other 68 bytes, in their order, are U+0100
// and following. A space is Ġ, a line feed Ċ.

/// The bytes in letters.
std::string byteLetters(std::string_view bytes);
/// The bytes that letters stand for; nullopt if a character is none of them.
std::optional<std::string> lettersToBytes(std::string_view letters);

/// "<0x0A>", as tokens of single bytes are named where characters are not letters.
std::string byteName(unsigned char byte);
/// The byte of such a name, or nullopt.
std::optional<unsigned char> namedByte(std::string_view name);

/// The bytes as people read them: as text, where they are text in UTF-8, else as names of bytes.
/// Also where the text looks like the name of a byte, so that bytesOfShown() gives them back.
std::string shownBytes(std::string_view bytes);
/// What shownBytes() was given.
std::string bytesOfShown(std::string_view shown);

}  // namespace tfm::data
