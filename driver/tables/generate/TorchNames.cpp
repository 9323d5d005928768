// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/tables/generate/TorchNamesWriter.h"
#include "driver/versions/Format.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudacc;
using llvm::StringRef;
using tables::TorchNames;
using tables::TorchNamesWriter;

[[noreturn]] static void failWith(StringRef problem) {
  llvm::errs() << "cudacc-torch-names: error: " << problem << '\n';
  std::exit(1);
}

[[noreturn]] static void failWith(StringRef path, llvm::Error error) {
  failWith(fmt::format("{}: {}", path, core::toFinding(std::move(error)).message));
}

static std::unique_ptr<llvm::MemoryBuffer> readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    failWith(fmt::format("{}: {}", path, buffer.getError().message()));
  return std::move(*buffer);
}

/// Reads a listing of one build, as written by torch_names.py:
///
///   build RELEASE MACHINE old|new PYTHONS...
///   LIBRARIES FLAGS NAME      the libraries' bits in hex; v for a variable, p for a name that not
///                             every Python has, - for neither
static void addListing(TorchNamesWriter &writer, StringRef path) {
  auto buffer = readFile(path);
  StringRef rest = buffer->getBuffer(), line;
  std::tie(line, rest) = rest.split('\n');
  llvm::SmallVector<StringRef, 8> words;
  line.split(words, ' ');
  TorchNames::Build build;
  if (words.size() < 5 || words[0] != "build" || words[2].getAsInteger(10, build.machine) ||
      (words[3] != "old" && words[3] != "new"))
    failWith(fmt::format("{}: is not a listing", path));
  build.release = words[1].str();
  build.oldStrings = words[3] == "old";
  build.pythons = llvm::join(llvm::ArrayRef(words).drop_front(4), " ");
  std::vector<TorchNamesWriter::Name> names;
  while (!rest.empty()) {
    std::tie(line, rest) = rest.split('\n');
    auto [libraries, more] = line.split(' ');
    auto [flags, name] = more.split(' ');
    TorchNamesWriter::Name each;
    if (libraries.getAsInteger(16, each.entry.libraries) || name.empty() ||
        flags.find_first_not_of("vp-") != StringRef::npos)
      failWith(fmt::format("{}: is not a listing: '{}'", path, line));
    each.name = name.str();
    each.entry.isVariable = flags.contains('v');
    each.entry.everyPython = !flags.contains('p');
    names.push_back(std::move(each));
  }
  if (llvm::Error error = writer.add(std::move(build), names))
    failWith(path, std::move(error));
}

/// Replaces a file atomically.
static void replace(const std::string &path, StringRef bytes) {
  std::string aside = path + ".new";
  std::error_code error;
  {
    llvm::raw_fd_ostream out(aside, error);
    if (!error)
      out << bytes;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (!error)
    error = llvm::sys::fs::rename(aside, path);
  if (error) {
    llvm::sys::fs::remove(aside);
    failWith(fmt::format("{}: {}", path, error.message()));
  }
}

/// Prints a line per build: RELEASE MACHINE old|new NAMES PYTHONS...
static void list(const TorchNames &names) {
  for (const TorchNames::Build &each : names.builds())
    llvm::outs() << each.release << ' ' << each.machine << ' ' << (each.oldStrings ? "old" : "new")
                 << ' ' << each.names << ' ' << each.pythons << '\n';
}

/// Prints a line per name of a file: `yes`, `no` or `unknown`, the library, the name.
static void ask(const TorchNames &names, StringRef release, StringRef machine, StringRef path) {
  uint16_t elf = 0;
  if (machine.getAsInteger(10, elf))
    failWith(fmt::format("'{}' is not an ELF machine", machine));
  auto buffer = readFile(path);
  for (StringRef name : llvm::split(buffer->getBuffer().rtrim('\n'), '\n')) {
    auto entry = names.entry(name, release, elf);
    switch (names.exported(name, release, elf)) {
    case versions::Exported::Yes:
      llvm::outs() << "yes";
      break;
    case versions::Exported::No:
      llvm::outs() << "no";
      break;
    case versions::Exported::Unknown:
      llvm::outs() << "unknown";
    }
    llvm::outs() << ' ' << (entry ? entry->library() : "-") << ' ' << name << '\n';
  }
}

/// cudacc-torch-names TABLE LISTING...: adds or replaces builds in the table; without a listing,
/// prints the builds it has. cudacc-torch-names TABLE ask RELEASE MACHINE FILE: looks up the names
/// in FILE.
int main(int argc, char **argv) {
  if (argc < 2)
    failWith("usage: cudacc-torch-names TABLE LISTING...");
  std::string path = argv[1];
  TorchNamesWriter writer;
  if (llvm::sys::fs::exists(path)) {
    auto buffer = readFile(path);
    auto names = TorchNames::view(buffer->getBuffer());
    if (!names)
      failWith(path, names.takeError());
    if (argc == 2)
      list(*names);
    if (argc == 6 && StringRef(argv[2]) == "ask") {
      ask(*names, argv[3], argv[4], argv[5]);
      return 0;
    }
    if (llvm::Error error = writer.add(*names))
      failWith(path, std::move(error));
  }
  if (argc == 2)
    return 0;
  for (int i = 2; i != argc; ++i)
    addListing(writer, argv[i]);
  auto bytes = writer.bytes();
  if (!bytes)
    failWith(path, bytes.takeError());
  // Do not write anything that cuda-cc could not read.
  if (auto names = TorchNames::view(*bytes); !names)
    failWith(path, names.takeError());
  replace(path, *bytes);
  return 0;
}
