// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/target/TargetDiff.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/TargetTable.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::json::Object;
using namespace report;

static std::string lineOf(const Target &target) {
  return target.line.known() ? target.line.str() : "";
}

static std::string gpusOf(const Target &target) {
  return support::joined(target.gpus, ", ", [](Arch arch) { return arch.str(); });
}

/// A release without a local version equals each of its builds, which the CUDA line distinguishes.
static bool sameTorch(llvm::StringRef a, llvm::StringRef b) {
  return a == b || (a.contains('+') != b.contains('+') && a.split('+').first == b.split('+').first);
}

static bool alike(const TargetLibrary &a, const TargetLibrary &b) {
  if (a.dist != b.dist || a.floats != b.floats || a.folder != b.folder ||
      a.otherFolders != b.otherFolders)
    return false;
  if (a.version.release.empty() || b.version.release.empty())
    return !a.path.empty() && a.path == b.path;
  return a.version == b.version;
}

TargetDiff diff(const Target &a, const Target &b) {
  TargetDiff diff;
  auto compare = [&](const char *name, std::string left, std::string right) {
    if (left != right)
      diff.settings.push_back({name, std::move(left), std::move(right)});
  };
  compare("CUDA", lineOf(a), lineOf(b));
  if (!sameTorch(a.torch, b.torch))
    diff.settings.push_back({"torch", a.torch, b.torch});
  compare("driver floor", a.driverFloor, b.driverFloor);
  compare("driver", a.driver, b.driver);
  compare("GPUs", gpusOf(a), gpusOf(b));
  for (const TargetLibrary &left : a.libraries) {
    const TargetLibrary *right = b.find(left.soname);
    if (right && alike(left, *right))
      ++diff.same;
    else
      diff.libraries.push_back({left.soname, &left, right});
  }
  for (const TargetLibrary &right : b.libraries)
    if (!a.find(right.soname))
      diff.libraries.push_back({right.soname, nullptr, &right});
  llvm::stable_sort(diff.libraries, [](const LibraryDiff &left, const LibraryDiff &right) {
    return left.soname < right.soname;
  });
  return diff;
}

static llvm::json::Value sideJson(const core::Target &target) {
  Object out{{"declared", declaredJson(target.declaredAs)}};
  put(out, "line", target.line);
  put(out, "torch", target.torch);
  return out;
}

static llvm::json::Value differenceJson(const LibraryDiff &each) {
  Object out{{"soname", fixed(each.soname)}};
  if (each.a)
    out["a"] = toJson(*each.a);
  if (each.b)
    out["b"] = toJson(*each.b);
  return out;
}

static llvm::json::Value settingJson(const SettingDiff &each) {
  Object out{{"name", each.name}};
  put(out, "a", each.a);
  put(out, "b", each.b);
  return out;
}

llvm::json::Value targetDiffJson(const core::Target &a, const core::Target &b,
                                 const TargetDiff &diff) {
  return Object{{"schema", 1},
                {"equal", diff.equal()},
                {"a", sideJson(a)},
                {"b", sideJson(b)},
                {"same", int64_t(diff.same)},
                {"settings", array(diff.settings, settingJson)},
                {"libraries", array(diff.libraries, differenceJson)}};
}

static std::string librariesText(size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "library" : "libraries");
}

static std::string knownOr(llvm::StringRef text, llvm::StringRef otherwise) {
  return text.empty() ? otherwise.str() : printable(text);
}

/// "the same: CUDA 12.4, 24 libraries", "different: 12 of 25 libraries that both have, 1 only in A;
/// CUDA 12.4 and 12.6".
static std::string summary(const core::Target &a, const TargetDiff &diff) {
  if (diff.equal())
    return fmt::format("the same: CUDA {}, {}", a.line.known() ? a.line.str() : "unknown",
                       librariesText(diff.same));
  size_t onlyA = 0, onlyB = 0;
  for (const LibraryDiff &each : diff.libraries) {
    onlyA += !each.b;
    onlyB += !each.a;
  }
  size_t both = diff.libraries.size() - onlyA - onlyB;
  std::string out =
      fmt::format("different: {} of {} that both have", both, librariesText(both + diff.same));
  if (onlyA)
    out += fmt::format(", {} only in A", onlyA);
  if (onlyB)
    out += fmt::format(", {} only in B", onlyB);
  // All settings are listed below; those that no library shows are repeated here.
  for (const SettingDiff &each : diff.settings)
    if (each.name == "CUDA" || diff.libraries.empty())
      out += fmt::format("; {} {} and {}", each.name, knownOr(each.a, "unknown"),
                         knownOr(each.b, "unknown"));
  return out;
}

static std::string versionOf(const core::TargetLibrary *row) {
  if (!row)
    return "none";
  std::string version = row->version.release.empty() ? "unknown" : row->version.str();
  return printable((row->floats ? ">=" : "") + version);
}

/// A difference that equal versions do not show.
static std::string beside(const LibraryDiff &each) {
  if (!each.a || !each.b)
    return each.a ? "only in A" : "only in B";
  if (each.a->dist != each.b->dist)
    return printable(fmt::format("{} and {}", each.a->dist, each.b->dist));
  if (each.a->folder != each.b->folder)
    return printable(fmt::format("{} and {}", each.a->folder, each.b->folder));
  return "";
}

std::string targetDiffText(const core::Target &a, const core::Target &b, const TargetDiff &diff,
                           Style style) {
  std::string out = fmt::format("{}\n  A: {}\n  B: {}\n", summary(a, diff),
                                wrapped(targetHead(a), 5, 5), wrapped(targetHead(b), 5, 5));
  if (diff.equal())
    return out;
  std::vector<std::vector<std::string>> rows = {{"", "A", "B", ""}};
  for (const SettingDiff &each : diff.settings)
    rows.push_back({each.name, knownOr(each.a, "none"), knownOr(each.b, "none"), ""});
  for (const LibraryDiff &each : diff.libraries)
    rows.push_back({printable(each.soname), versionOf(each.a), versionOf(each.b), beside(each)});
  std::string text = table(rows, 2);
  auto [head, body] = llvm::StringRef(text).split('\n');
  return fmt::format("{}{}\n{}", out, painted(head, Paint::Dim, style), body);
}

} // namespace cudacc::commands
