// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cudacc::rtld {

/// The file that cuda-cc creates before the program starts and that the audit library maps in each
/// of its processes: a header, the names that count as NVIDIA's, and records. Once it is mapped, a
/// process writes records without system calls, independent of what the program does with
/// descriptors. A forked child continues in the same file.
///
/// A record is a line of tab-separated fields; `%XX` encodes `%` and bytes below 0x21 or above
/// 0x7e. Its first byte is written last: a record that begins with NUL is incomplete. Space is
/// reserved by atomically increasing `used`, which may exceed `size`: records that do not fit are
/// lost.
struct TraceBuffer {
  char magic[16];
  uint64_t size;
  /// Offset of the next record.
  uint64_t used;
  /// Offsets of the names (between `lib` and `.so`), each followed by a newline.
  uint64_t names, namesEnd;
};

inline constexpr char magic[16] = {'c', 'u', 'd', 'a', '-', 'c', 'c', ' ',
                                   't', 'r', 'a', 'c', 'e', ' ', '1', '\n'};
/// The environment variable with the file's path.
inline constexpr char variable[] = "CUDA_CC_TRACE_BUFFER";

/// First field of a record; the second is the process ID. All numbers are decimal.
enum class Mark : char {
  /// Parent, path of the program, working directory, LD_LIBRARY_PATH, whether that was set (0, 1),
  /// LD_PRELOAD, words of the command.
  Start = 'S',
  /// The process this one was forked from, and how many records that one had written, not counting
  /// its own first record.
  Fork = 'F',
  /// The search for a name begins: requesting object, flag of la_objsearch, name. With a flag other
  /// than searchedName: a path that is tried, recorded for NVIDIA's libraries only.
  Search = 'Q',
  /// Object, link-map namespace, path.
  Open = 'O',
  Close = 'C',
  /// Flag of la_activity.
  Activity = 'A',
  /// The program's own code is about to run.
  Ready = 'R',
  /// From, to, flags of la_symbind, symbol. Recorded only for bindings from another object to
  /// NVIDIA's libraries.
  Bind = 'B',
};

} // namespace cudacc::rtld
