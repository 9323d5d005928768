// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Note.h"
#include "driver/support/Sha256.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

/// The longest string literal that C89 guarantees; -pedantic warns beyond it.
static constexpr size_t C89Literal = 509;

static std::string nameOf(llvm::StringRef json) {
  auto digest = support::Sha256::of(json);
  return llvm::toHex(llvm::ArrayRef<uint8_t>(digest).take_front(8), true);
}

std::string recordName(const core::ObjectRecord &record) { return nameOf(toJson(record)); }

/// The lines of assembly for the record. `%note`, not `@note`: `@` starts a comment on arm.
static std::vector<std::string> assembly(llvm::StringRef json) {
  size_t size = encodeJsonRecord(ObjectNote, json).size() - NoteHeaderSize;
  std::string text;
  for (char c : json)
    text += c == '"' ? std::string("\\\"") : std::string(1, c);
  return {".pushsection .note.cuda-target,\"a\",%note",
          ".balign 4",
          fmt::format(".long 12,{},0x{:X}", size, ObjectNote),
          ".asciz \"cuda-target\"",
          fmt::format(".ascii \"{}\"", text),
          fmt::format(".zero {}", size - json.size()),
          ".popsection"};
}

static std::string literal(llvm::StringRef line) {
  std::string out = "\"";
  for (char c : line) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\\n\"";
}

std::string recordHeader(const core::ObjectRecord &record) {
  std::string json = toJson(record), name = nameOf(json), body;
  size_t length = 0;
  for (const std::string &line : assembly(json)) {
    body += "\n  " + literal(line);
    length += line.size() + 1;
  }
  // Compiler caches also hash the preprocessed device side (EM-1). A tag and not a typedef, which
  // would move the entry of `int` in gcc's debug information.
  std::string out =
      fmt::format(R"(/* Facts of this compile, for the note .note.cuda-target of cuda-cc. */
#ifndef __ASSEMBLER__
#ifndef CUDA_CC_NOTE_{0}
#define CUDA_CC_NOTE_{0}
struct cuda_cc_note_{0};
#ifndef __CUDA_ARCH__
)",
                  name);
  bool tooLong = length > C89Literal;
  if (tooLong)
    out += "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n";
  out += fmt::format("__asm__({});\n", body);
  if (tooLong)
    out += "#pragma GCC diagnostic pop\n";
  return out + "#endif\n#endif\n#endif\n";
}

} // namespace cudacc::binary
