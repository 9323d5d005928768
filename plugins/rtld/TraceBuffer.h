// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cudacc::rtld {

/// The file that cuda-cc makes before the program starts and that the audit library maps in every
/// process of it: a head, the names that count as NVIDIA's, and records. A process that has it
/// mapped writes without a system call, whatever the program does with descriptors; a forked child
/// goes on in the same file.
///
/// A record is a line of fields with tabs between and a newline at the end; `%XX` stands for bytes
/// below 0x21, above 0x7e and `%`. Its first byte is written last: a record that begins with NUL
/// was never finished. The room is taken from `used` at once, which may pass `size`: records that
/// had no room are lost.
struct TraceBuffer {
  char magic[16];
  uint64_t size;
  /// Offset of the next record.
  uint64_t used;
  /// Names between `lib` and `.so`, a newline behind each.
  uint64_t names, namesEnd;
};

inline constexpr char magic[16] = {'c', 'u', 'd', 'a', '-', 'c', 'c', ' ',
                                   't', 'r', 'a', 'c', 'e', ' ', '1', '\n'};
/// The variable that names the file.
inline constexpr char variable[] = "CUDA_CC_TRACE_BUFFER";

/// First field of a record. All numbers are decimal; the second field is the process.
enum class Mark : char {
  /// parent, path of the program, working directory, LD_LIBRARY_PATH, whether that was set (0, 1),
  /// LD_PRELOAD, words of the command.
  Start = 'S',
  /// The process this one was forked from, and how many records that had written, without its own
  /// first one.
  Fork = 'F',
  /// The search for a name begins: object that asks, flag of la_objsearch, name. With another flag
  /// than LA_SER_ORIG: a path that is tried; only of NVIDIA's libraries.
  Search = 'Q',
  /// Object, link-map namespace, path.
  Open = 'O',
  Close = 'C',
  /// Flag of la_activity.
  Activity = 'A',
  /// The program's own code is about to run.
  Ready = 'R',
  /// From, to, flags of la_symbind, symbol. Only to NVIDIA's libraries, and from another object.
  Bind = 'B',
};

} // namespace cudacc::rtld
