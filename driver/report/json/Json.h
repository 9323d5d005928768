// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Declaration.h"
#include "driver/core/FetchPlan.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/Invocation.h"
#include "driver/core/Judgement.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Plan.h"
#include "driver/core/Target.h"
#include "driver/core/Toolkit.h"
#include "driver/core/Verdict.h"
#include "driver/report/text/Check.h"
#include "driver/report/text/Fetch.h"
#include "driver/report/text/Inspect.h"
#include "driver/report/text/Toolchain.h"
#include "driver/report/text/Trust.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// JSON for --cudacc-print, --format=json and CUDA_CC_LOG. Versions are strings. An absent key
/// means unknown, or none for a name such as `soname`. Keys are sorted. Bytes that are not UTF-8
/// become U+FFFD. Keys are never renamed; new ones may be added.

/// Indents by two spaces and ends in a newline. With \p compact, one line.
std::string print(const llvm::json::Value &value, bool compact = false);

/// A document with an array that is printed row by row: as values, a million findings need 15 GB.
struct RowsDocument {
  /// Null in place of the array.
  llvm::json::Value head;
  llvm::StringLiteral key;
  size_t count;
  std::function<llvm::json::Value(size_t)> row;
};
std::string print(const RowsDocument &document);

/// Documents: objects with "schema":1.
llvm::json::Value toJson(const core::Invocation &invocation);
llvm::json::Value toJson(const core::Declaration &declaration);
llvm::json::Value toJson(const core::Target &target);
/// The toolkit's keys, and `headers`, `host` and `torch_headers`. \p host is null if there is none.
llvm::json::Value toJson(const core::Toolkit *toolkit, llvm::ArrayRef<core::FoundHeader> headers,
                         const core::HostCompiler *host,
                         llvm::ArrayRef<core::FoundTorch> torch = {});
/// With \p strict, `exit` is 3 instead of 4 (F8).
llvm::json::Value toJson(const core::Verdict &verdict, bool strict = false);
llvm::json::Value toJson(const core::Plan &plan);
/// `check`: {"schema":1,"runtimes":[...],"files":[...]}, one row per file and runtime, as defined
/// in docs/schema/check.json. \p problems belong to no file; `problems` is omitted if there are
/// none. \p requirements becomes `requires_dist`, the requirements for the metadata.
RowsDocument checkJson(llvm::ArrayRef<core::Judgement> judgements,
                       llvm::ArrayRef<core::Finding> problems,
                       std::optional<std::vector<std::string>> requirements = {});
/// The same as a value, for few judgements.
llvm::json::Value toJson(llvm::ArrayRef<core::Judgement> judgements,
                         llvm::ArrayRef<core::Finding> problems);
/// \p document with `manifest`; without it if there are no files that use CUDA.
RowsDocument withManifests(RowsDocument document, const Manifests &manifests);
/// `inspect`: {"schema":1,"files":[...]}, as defined in docs/schema/inspect.json.
llvm::json::Value toJson(llvm::ArrayRef<Inspected> files);

/// `toolchain`: {"schema":1,"directory","did","fingerprint","entries":[{"path","kind","target"}],
/// ...}; `entries` only if \p all is set.
llvm::json::Value toJson(const DirectoryReport &report, bool all);
/// What is fetched, also for the program that fetches.
llvm::json::Value toJson(const core::FetchPlan &plan);
/// `toolchain --fetch --print`, as defined in docs/schema/fetch.json.
llvm::json::Value toJson(const FetchReport &report);
/// `trust`, as defined in docs/schema/trust.json.
llvm::json::Value toJson(const TrustReport &report);

/// Parts of documents.
llvm::json::Value toJson(const core::Finding &finding);
llvm::json::Value toJson(const core::LinkedLibrary &library);
llvm::json::Value toJson(const core::TargetLibrary &library);
llvm::json::Value toJson(const core::BinaryFacts &file);

} // namespace cudacc::report
