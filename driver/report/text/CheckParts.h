// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"

/// Functions shared by the reports on judgements.
namespace cudacc::report {

/// Order of outcomes: Reject, Unknown, Accept, from highest to lowest.
unsigned badness(core::Outcome outcome);
core::Outcome worse(core::Outcome one, core::Outcome other);
Paint paintOf(core::Outcome outcome);
Paint paintOf(core::Severity severity);
/// The finding's own message, or the title of its code.
llvm::StringRef messageOf(const core::Finding &finding);
/// `label:` and the text, made printable. An empty text becomes `unknown`.
std::vector<std::string> factRow(const core::Fact &fact);
/// The fixes of all findings except remarks, without duplicates.
std::vector<llvm::StringRef> fixesOf(const core::Verdict &verdict);
/// A fix from \p column on. A command is neither wrapped nor followed by \p ending, so that it can
/// be copied; where it is too long for the line of the words before it, it has a line of its own.
std::string fixText(llvm::StringRef fix, unsigned column, llvm::StringRef ending = "");
/// `fix: ...` lines, for below a diagnostic.
std::string fixLines(llvm::ArrayRef<llvm::StringRef> fixes, Style style);
/// The finding that determined the outcome. Null if the file is accepted.
const core::Finding *decisive(const core::Verdict &verdict);
/// `ext.so`; in a group of alternatives, the name of the selected file. \p skip is the length of
/// the path prefix that was printed before.
std::string subject(const core::Judgement &judgement, size_t skip = 0);
/// `dist/x.whl!pkg/`: the common folder of all paths. Empty unless printing it once shortens rows
/// with long names.
llvm::StringRef commonFolder(llvm::ArrayRef<core::Judgement> judgements);
/// `torch==2.5.1 (CUDA 12.4)`.
std::string runtime(const core::Judgement &judgement);
/// `libnvJitLink.so.12 >= 12.5`: the toolkit line if there is one, else the library's version.
std::string floorText(const core::LibraryFloor &floor);
/// The least toolkit line whose library of that name serves, in whichever major.
versions::CudaVersion lineOf(const core::LibraryFloor &floor);
/// floorText() of each, and `together CUDA >= 13.0` if a library is in several CUDA majors.
std::vector<std::string> floorTexts(llvm::ArrayRef<core::LibraryFloor> floors);
/// Floors with the newest toolkit lines first, because they decide on which runtimes a file loads.
std::vector<const core::LibraryFloor *> newestFirst(llvm::ArrayRef<core::LibraryFloor> floors);
/// `3 rejected, 1 unknown, 12 accepted`; counts of 0 are omitted.
std::string counts(llvm::ArrayRef<core::Judgement> judgements);
/// `1 file`, `3 files`.
std::string count(size_t number, llvm::StringRef noun);
/// Message and code of the decisive finding; for an accepted file the number of warnings.
std::string reason(const core::Judgement &judgement);
/// Number of distinct values of \p field in the judgements.
size_t distinct(llvm::ArrayRef<core::Judgement> judgements, std::string core::Judgement::*field);
/// `ext.so: reject on torch==2.5.1`; for several: `3 files on 2 runtimes: 1 rejected, 5 accepted`.
std::string headline(llvm::ArrayRef<core::Judgement> judgements);
/// Colours the word at \p column of each row by the verdict it names. With \p head, the first row
/// is a header and printed dim.
std::string paintedTable(llvm::StringRef text, bool head, unsigned column, Style style);

} // namespace cudacc::report
