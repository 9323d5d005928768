// SPDX-License-Identifier: Apache-2.0
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
namespace json = llvm::json;

// Moves a release of torch, one of the toolkit and some of frameworks from the data files into a
// user's facts file: `move_rows DATA REMAINING FACTS-FILE`.

static constexpr llvm::StringLiteral toolkit = "13.2.2";

static void check(bool condition, const llvm::Twine &what) {
  if (condition)
    return;
  llvm::errs() << "move_rows: " << what << '\n';
  std::exit(1);
}

static bool isMoved(StringRef table, const json::Object &row) {
  auto is = [&](StringRef key, StringRef text) { return row.getString(key) == text; };
  if (table == "torch_platforms")
    return is("torch_version", "2.15.0");
  if (table == "ctk_component_versions" || table == "redist")
    return is("ctk", toolkit);
  if (table == "framework_targets")
    return (is("framework", "jax") && is("version", "0.11.2")) ||
           (is("framework", "onnxruntime-gpu") && is("cuda_major", "13"));
  return is("torch", "2.15");
}

/// The versions of the toolkit release; they stay as versions of no release.
static json::Object takeWheels(json::Object &row) {
  json::Object taken = row;
  json::Array versions;
  for (json::Value &each : *row.getArray("versions")) {
    json::Array &columns = *each.getAsArray();
    const json::Array *releases = columns[1].getAsArray();
    if (!releases || !llvm::is_contained(*releases, json::Value(toolkit)))
      continue;
    json::Array entry = columns, others;
    for (const json::Value &release : *releases)
      if (release != json::Value(toolkit))
        others.push_back(release);
    entry[1] = json::Array{toolkit};
    columns[1] = std::move(others);
    versions.push_back(std::move(entry));
  }
  taken["versions"] = std::move(versions);
  return taken;
}

static void write(const llvm::Twine &path, json::Value value) {
  std::error_code error;
  llvm::raw_fd_ostream out(path.str(), error);
  check(!error, path + ": " + error.message());
  out << value;
}

/// Removes rows from a table.
static json::Array move(StringRef table, json::Array &rows) {
  json::Array moved, remaining;
  for (json::Value &each : rows) {
    json::Object &row = *each.getAsObject();
    if (table == "nvidia_wheel_versions") {
      json::Object taken = takeWheels(row);
      if (!taken.getArray("versions")->empty())
        moved.push_back(std::move(taken));
    }
    bool isIt = table != "nvidia_wheel_versions" && isMoved(table, row);
    (isIt ? moved : remaining).push_back(std::move(each));
  }
  check(!moved.empty(), table + " has no row to move");
  rows = std::move(remaining);
  return moved;
}

int main(int argc, char **argv) {
  check(argc == 4, "usage: move_rows DATA REMAINING FACTS-FILE");
  std::string data = argv[1], remaining = argv[2];
  check(!llvm::sys::fs::create_directories(remaining), remaining + ": cannot be made");
  json::Object tables;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(data, error), end; it != end; it.increment(error)) {
    StringRef name = llvm::sys::path::filename(it->path()), table = name;
    std::string to = remaining + "/" + name.str();
    static constexpr llvm::StringLiteral changed[] = {
        "torch_wheel_pins",  "pytorch_cuda_lines",     "torch_pypi_default",    "torch_platforms",
        "framework_targets", "ctk_component_versions", "nvidia_wheel_versions", "redist"};
    llvm::sys::fs::remove(to);
    if (!table.consume_back(".json") || !llvm::is_contained(changed, table)) {
      check(!llvm::sys::fs::create_link(it->path(), to), to + ": cannot be linked");
      continue;
    }
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    check(bool(buffer), it->path());
    auto root = llvm::cantFail(json::parse((*buffer)->getBuffer()));
    json::Array moved = move(table, *root.getAsObject()->getArray("rows"));
    // A user's file has no archives.
    if (table != "redist")
      tables[table.str()] = std::move(moved);
    write(to, std::move(root));
  }
  check(!error, data + ": " + error.message());
  write(argv[3], json::Object{{"schema", 1}, {"tables", std::move(tables)}});
  return 0;
}
