// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/InspectParts.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

constexpr size_t symbolsShown = 3;

void Block::add(llvm::StringRef label, llvm::StringRef lines) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    text += std::string(indent, ' ') + painted(label, Paint::Dim, style);
    text.append(textColumn - indent - label.size(), ' ');
    text += line;
    text += '\n';
    label = "";
    lines = rest;
  }
}

void Block::addText(llvm::StringRef label, llvm::StringRef line) {
  add(label, wrapped(line, 0, 0, textColumns - textColumn) + "\n");
}

void Block::addTable(llvm::StringRef label, Rows rows) {
  size_t left = rows.size() > rowsShown ? rows.size() - rowsShown : 0;
  rows.resize(rows.size() - left);
  add(label, table(rows, 0, textColumns - textColumn));
  if (left)
    add("", fmt::format("and {} more\n", left));
}

void Block::addCounted(llvm::StringRef label,
                       llvm::ArrayRef<std::pair<uint64_t, std::string>> rows) {
  size_t widest = 0;
  for (const auto &[number, text] : rows)
    widest = std::max(widest, fmt::formatted_size("{}", number));
  Rows cells;
  for (const auto &[number, text] : rows)
    cells.push_back({fmt::format("{:>{}}x", number, widest), text});
  addTable(label, std::move(cells));
}

static std::string title(const core::BinaryFacts &file) {
  std::string out = fmt::format("{}: {}", printable(file.path), core::str(file.kind));
  if (file.machine)
    out += ", " + versions::describeMachine(file.machine);
  if (!file.soname.empty())
    out += ", SONAME " + printable(file.soname);
  return out;
}

std::string symbolsText(llvm::ArrayRef<llvm::StringRef> symbols) {
  std::string out = support::joined(symbols.take_front(symbolsShown), ", ", printable);
  if (symbols.size() > symbolsShown)
    out += fmt::format(" and {} more", symbols.size() - symbolsShown);
  return out;
}

static void addNeeded(Block &block, const core::BinaryFacts &file,
                      llvm::function_ref<bool(llvm::StringRef)> isNvidia) {
  std::map<llvm::StringRef, std::vector<llvm::StringRef>> byFile;
  for (const core::Import &import : file.imports)
    if (!import.file.empty())
      byFile[import.file].push_back(import.symbol);
  Rows rows;
  std::vector<std::string> others;
  for (const std::string &needed : file.needed) {
    if (!isNvidia(needed)) {
      others.push_back(printable(needed));
      continue;
    }
    auto symbols = byFile.find(needed);
    // An empty list does not mean that nothing is used: unversioned imports name no library (SY-1).
    rows.push_back(
        {printable(needed), symbols == byFile.end() ? "" : symbolsText(symbols->second)});
  }
  for (const auto &[name, symbols] : byFile)
    if (isNvidia(name) && !llvm::is_contained(file.needed, name))
      rows.push_back({printable(name), "not in NEEDED: " + symbolsText(symbols)});
  if (rows.empty() && others.empty())
    return block.addText("needs", "nothing");
  llvm::StringRef label = "needs";
  if (!rows.empty())
    block.addTable(std::exchange(label, ""), std::move(rows));
  if (!others.empty())
    block.addText(label, llvm::join(others, ", "));
}

static void addSearchPath(Block &block, llvm::StringRef tag, llvm::ArrayRef<std::string> elements) {
  Rows rows;
  for (const std::string &element : elements)
    rows.push_back(
        {"", element.empty() ? "(an empty element: the working directory)" : printable(element)});
  if (rows.empty())
    rows.push_back({"", "(an empty element: the working directory)"});
  rows.front()[0] = tag.str();
  block.addTable("search path", std::move(rows));
}

static bool isDynamic(const core::BinaryFacts &file) {
  return file.kind == core::BinaryKind::SharedObject || file.kind == core::BinaryKind::Executable;
}

static void addSearchPaths(Block &block, const core::BinaryFacts &file) {
  if (file.hasRpath)
    addSearchPath(block, "RPATH", file.rpath);
  if (file.hasRunpath)
    addSearchPath(block, "RUNPATH", file.runpath);
  if (!file.hasRpath && !file.hasRunpath)
    block.addText("search path", "none");
  if (!file.dlopens.empty())
    block.addText("opens", support::joined(file.dlopens, ", ", printable));
  if (file.executableStack)
    block.addText("stack", "executable [CC4010]");
}

/// Undefined symbols of an object or archive that CUDA libraries must define.
static void addUndefined(Block &block, const core::BinaryFacts &file) {
  if (file.compilerIr)
    block.addText("imports", "compiler IR: what it needs shows at the link only");
  else if (!file.imports.empty())
    block.addText("imports", count(file.imports.size(), "undefined symbol"));
}

static void addStableAbis(Block &block, const Inspected &file) {
  if (file.stableTorch)
    block.addText("torch", "stable ABI alone" +
                               (file.stableTorch->empty() ? "" : ", >=" + *file.stableTorch));
  if (file.pythonFloor.empty())
    return;
  block.addText("Python", "abi3, Python >= " + file.pythonFloor);
  Rows rows;
  for (const std::string &name : file.beyondLimitedApi)
    rows.push_back({fmt::format("beyond the limited API: {} [CC4128]", printable(name))});
  if (!rows.empty())
    block.addTable("", std::move(rows));
}

std::string inspect(const Inspected &inspected, llvm::function_ref<bool(llvm::StringRef)> isNvidia,
                    Style style) {
  const core::BinaryFacts &file = inspected.facts;
  Block block{title(file) + "\n", style};
  if (!file.notAudited.empty()) {
    block.addText("not audited", printable(file.notAudited));
    return block.text;
  }
  if (file.kind == core::BinaryKind::Archive) {
    addMembers(block, file.members);
    for (const std::string &problem : file.manifest.problems)
      block.addText("problem", printable(problem));
  } else if (file.kind != core::BinaryKind::DeviceCode) {
    // Files of all these kinds are inputs or outputs of ld and should have a manifest.
    addManifest(block, file.manifest);
  }
  if (isDynamic(file)) {
    addNeeded(block, file, isNvidia);
    if (inspected.torch.known() && !inspected.stableTorch)
      block.addText("torch", fmt::format("{}, by {} that it imports", inspected.torch.text(),
                                         count(inspected.torch.imports, "name")));
    addSearchPaths(block, file);
  } else {
    addUndefined(block, file);
  }
  addStableAbis(block, inspected);
  addEvidence(block, inspected);
  addDevice(block, file.device);
  addExports(block, inspected);
  return block.text;
}

} // namespace cudacc::report
