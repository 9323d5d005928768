#include "driver/report/Inspect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr unsigned indent = 2, textColumn = 15;
constexpr size_t symbolsShown = 3, rowsShown = 40;

/// A block of labelled lines: the label stands in front of the first line of its part.
struct Block {
  std::string text;
  Style style;

  /// \p lines may hold several lines, each ended.
  void add(llvm::StringRef label, llvm::StringRef lines) {
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
  void addText(llvm::StringRef label, llvm::StringRef line) {
    add(label, wrapped(line, 0, 0, textColumns - textColumn) + "\n");
  }
  void addTable(llvm::StringRef label, Rows rows) {
    size_t left = rows.size() > rowsShown ? rows.size() - rowsShown : 0;
    rows.resize(rows.size() - left);
    add(label, table(rows, 0, textColumns - textColumn));
    if (left)
      add("", "and " + std::to_string(left) + " more\n");
  }
};

} // namespace

static std::string joined(llvm::ArrayRef<std::string> parts) { return llvm::join(parts, ", "); }

static std::string title(const core::BinaryFacts &file) {
  std::string out = printable(file.path) + ": " + core::str(file.kind);
  if (file.machine == 62)
    out += ", x86_64";
  else if (file.machine == 183)
    out += ", aarch64";
  else if (file.machine)
    out += ", machine " + std::to_string(file.machine);
  if (!file.soname.empty())
    out += ", SONAME " + printable(file.soname);
  return out;
}

static std::string targetText(const core::LinkRecord &link) {
  if (link.targetSpec.empty() && link.targetCuda.empty())
    return "no runtime was declared";
  if (link.targetSpec.empty())
    return "for CUDA " + printable(link.targetCuda);
  std::string out = "for " + printable(link.targetSpec);
  return link.targetCuda.empty() ? out : out + " (CUDA " + printable(link.targetCuda) + ")";
}

static void addLink(Block &block, const core::LinkRecord &link, bool sealed) {
  std::string head = targetText(link) + (sealed ? ", sealed" : ", not sealed");
  if (!link.tool.empty())
    head += ", by " + printable(link.tool);
  block.addText("manifest", head);
  if (!link.enforce.empty())
    block.addText("", "enforce = " + printable(link.enforce));
  if (link.waivers && !link.waivers->empty())
    block.addText("", "waived: " + printable(joined(*link.waivers)));
  std::vector<std::string> built;
  if (!link.toolkitMax.empty())
    built.push_back("CUDA " +
                    (link.toolkitMin.empty() || link.toolkitMin == link.toolkitMax
                         ? ""
                         : printable(link.toolkitMin) + " to ") +
                    printable(link.toolkitMax));
  if (!link.host.empty())
    built.push_back(printable(link.host));
  if (!link.linker.empty())
    built.push_back(printable(link.linker));
  if (!link.cudart.empty())
    built.push_back("cudart " + printable(link.cudart));
  if (!built.empty())
    block.addText("built with", joined(built));
  Rows floor;
  for (const auto &[soname, version] : link.floor)
    floor.push_back({printable(soname), ">= " + printable(version)});
  block.addTable("floor", std::move(floor));
}

static std::string recordText(const core::ObjectRecord &record) {
  std::vector<std::string> parts;
  if (!record.toolkit.empty())
    parts.push_back("nvcc " + printable(record.toolkit));
  if (!record.headers.empty())
    parts.push_back("headers " + printable(record.headers));
  if (!record.host.empty())
    parts.push_back(printable(record.host));
  if (!record.tool.empty())
    parts.push_back(printable(record.tool));
  return parts.empty() ? "a record without facts" : joined(parts);
}

static void addManifest(Block &block, const core::Manifest &manifest) {
  if (manifest.empty())
    block.addText("manifest", "none");
  for (const core::LinkRecord &link : manifest.links)
    addLink(block, link, manifest.sealed);
  if (manifest.links.size() > 1)
    block.addText("", "more than one link record [CC4110]");
  if (manifest.onlyInSections)
    block.addText("", "in sections only: nothing of it is seen at run time");
  Rows objects;
  for (const auto &[record, count] : manifest.objects)
    objects.push_back({std::to_string(count) + "x", recordText(record)});
  size_t widest = 0;
  for (const auto &row : objects)
    widest = std::max(widest, row[0].size());
  for (auto &row : objects)
    row[0].insert(0, widest - row[0].size(), ' ');
  block.addTable("objects", std::move(objects));
  if (!manifest.links.empty() && manifest.links.front().unnoted.value_or(0))
    block.addText("", std::to_string(*manifest.links.front().unnoted) + " without a record");
  for (const std::string &problem : manifest.problems)
    block.addText("problem", printable(problem));
}

static std::string symbolsText(llvm::ArrayRef<llvm::StringRef> symbols) {
  std::vector<std::string> shown;
  for (llvm::StringRef symbol : symbols.take_front(symbolsShown))
    shown.push_back(printable(symbol));
  std::string out = joined(shown);
  if (symbols.size() > symbolsShown)
    out += " and " + std::to_string(symbols.size() - symbolsShown) + " more";
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
    // Unversioned imports name no library (SY-1): nothing here is not nothing used.
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
    block.addText(label, joined(others));
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

static void addMembers(Block &block, llvm::ArrayRef<core::BinaryFacts::Member> members) {
  Rows rows;
  for (const core::BinaryFacts::Member &member : members) {
    std::string name = printable(member.name);
    for (const auto &[record, count] : member.manifest.objects)
      rows.push_back({std::exchange(name, ""),
                      (count > 1 ? std::to_string(count) + "x " : "") + recordText(record)});
    if (member.manifest.objects.empty())
      rows.push_back({name, "no object record"});
  }
  if (rows.empty())
    block.addText("members", "none with a record");
  block.addTable("members", std::move(rows));
}

std::string inspect(const core::BinaryFacts &file,
                    llvm::function_ref<bool(llvm::StringRef)> isNvidia, Style style) {
  Block block{title(file) + "\n", style};
  if (file.kind == core::BinaryKind::Archive) {
    addMembers(block, file.members);
    for (const std::string &problem : file.manifest.problems)
      block.addText("problem", printable(problem));
    return block.text;
  }
  addManifest(block, file.manifest);
  if (file.kind == core::BinaryKind::SharedObject || file.kind == core::BinaryKind::Executable) {
    addNeeded(block, file, isNvidia);
    if (file.hasRpath)
      addSearchPath(block, "RPATH", file.rpath);
    if (file.hasRunpath)
      addSearchPath(block, "RUNPATH", file.runpath);
    if (!file.hasRpath && !file.hasRunpath)
      block.addText("search path", "none");
    if (file.executableStack)
      block.addText("stack", "executable [CC4010]");
  }
  return block.text;
}

} // namespace cudacc::report
