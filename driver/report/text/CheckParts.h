// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"

/// What the texts about judgements share.
namespace cudacc::report {

/// Reject above unknown above accept.
unsigned badness(core::Outcome outcome);
Paint paintOf(core::Outcome outcome);
Paint paintOf(core::Severity severity);
/// Its own, or the title of its code.
llvm::StringRef messageOf(const core::Finding &finding);
/// `label:` and the text, printable; a text that is not known is `unknown`.
std::vector<std::string> factRow(const core::Fact &fact);
/// Of all findings but remarks, each fix once.
std::vector<llvm::StringRef> fixesOf(const core::Verdict &verdict);
/// `fix: ...` lines, below a diagnostic.
std::string fixLines(llvm::ArrayRef<llvm::StringRef> fixes, Style style);
/// The finding that decided; null when the file is accepted.
const core::Finding *decisive(const core::Verdict &verdict);
/// `ext.so`; of a group of alternatives, the name of the one that counts. \p skip bytes of the path
/// were said before.
std::string subject(const core::Judgement &judgement, size_t skip = 0);
/// `dist/x.whl!pkg/`: the folder that all paths begin with, where saying it once makes rows of long
/// names shorter; else empty.
llvm::StringRef commonFolder(llvm::ArrayRef<core::Judgement> judgements);
/// `torch==2.5.1 (CUDA 12.4)`.
std::string runtime(const core::Judgement &judgement);
/// `libnvJitLink.so.12 >= 12.5`, by toolkit line where there is one.
std::string floorText(const core::LibraryFloor &floor);
/// Those of the newest toolkit lines first: they decide on which runtimes a file loads.
std::vector<const core::LibraryFloor *> newestFirst(llvm::ArrayRef<core::LibraryFloor> floors);
/// `3 rejected, 1 unknown, 12 accepted`; counts of 0 are left out.
std::string counts(llvm::ArrayRef<core::Judgement> judgements);
/// `1 file`, `3 files`.
std::string count(size_t number, llvm::StringRef noun);
/// The message of what decided, with its code; of an accepted file how many warnings it has.
std::string reason(const core::Judgement &judgement);
/// How many different values the judgements have.
size_t distinct(llvm::ArrayRef<core::Judgement> judgements, std::string core::Judgement::*field);
/// `ext.so: reject on torch==2.5.1`; of several: `3 files on 2 runtimes: 1 rejected, 5 accepted`.
std::string headline(llvm::ArrayRef<core::Judgement> judgements);
/// Every row after the first, or all without \p head: the word at \p column is painted by the
/// verdict it says; the first row is dim.
std::string paintedTable(llvm::StringRef text, bool head, unsigned column, Style style);

} // namespace cudacc::report
