// SPDX-License-Identifier: Apache-2.0
// devdump [--deep] [--verify] [--all] [--totals] FILE...
// Prints the device code of each file as one line of JSON. --all also reads everything else in the
// file, --totals prints sums over all files instead.
#include "driver/binary/Reader.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/RealFiles.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace cudacc;

static const char *str(core::ImageKind kind) {
  static const char *names[] = {"ptx", "cubin", "ltoir", "unknown"};
  return names[unsigned(kind)];
}

static llvm::json::Object json(const core::DeviceImage &image) {
  static const char *compressions[] = {"none", "zstd", "lz4", "unknown"};
  static const char *codes[] = {"no", "yes", "unknown"};
  return llvm::json::Object{{"kind", str(image.kind)},
                            {"arch", image.arch.str()},
                            {"version", image.version.str()},
                            {"compression", compressions[unsigned(image.compression)]},
                            {"code", codes[unsigned(image.code)]},
                            {"relocatable", image.relocatable}};
}

static llvm::json::Object json(const core::DeviceCode &device) {
  static const char *homes[] = {"fatbin", "relocatable", "elsewhere"};
  llvm::json::Array units;
  for (const core::DeviceUnit &unit : device.units) {
    llvm::json::Array images;
    for (const core::DeviceImage &image : unit.images)
      images.push_back(json(image));
    units.push_back(llvm::json::Object{{"home", homes[unsigned(unit.home)]},
                                       {"linked", unit.linked},
                                       {"count", unit.count},
                                       {"images", std::move(images)}});
  }
  return llvm::json::Object{{"units", std::move(units)},
                            {"otherSections", device.otherSections},
                            {"brokenWrappers", device.brokenWrappers},
                            {"unknown", device.unknown},
                            {"limits", device.limits},
                            {"disagreements", device.disagreements},
                            {"byNvcc", device.byNvcc},
                            {"relocatable", device.relocatable},
                            {"managed", device.managed}};
}

int main(int argc, char **argv) {
  binary::ReadOptions options;
  options.device = true;
  options.imports = options.thorough = false;
  bool totals = false, failed = false;
  std::vector<std::string> paths;
  for (llvm::StringRef word : llvm::ArrayRef(argv + 1, argc - 1)) {
    if (word == "--deep")
      options.deep = true;
    else if (word == "--verify")
      options.verify = true;
    else if (word == "--all")
      options.imports = options.thorough = options.exports = true;
    else if (word == "--totals")
      totals = true;
    else
      paths.push_back(word.str());
  }
  run::RealFiles files;
  std::map<std::string, uint64_t> sums;
  for (const std::string &path : paths) {
    auto file = files.open(path);
    auto facts = file ? binary::read(**file, path, options) : file.takeError();
    if (!facts) {
      llvm::errs() << path << ": " << core::toFinding(facts.takeError()).message << '\n';
      failed = true;
      continue;
    }
    if (!totals) {
      llvm::outs() << llvm::json::Value(json(facts->device)) << '\n';
      continue;
    }
    for (const auto *clauses : {&facts->device.unknown, &facts->device.brokenWrappers,
                                &facts->device.limits, &facts->device.disagreements})
      for (const std::string &clause : *clauses)
        llvm::outs() << path << ": " << clause << '\n';
    for (const core::DeviceUnit &unit : facts->device.units) {
      sums["containers"] += unit.count;
      for (const core::DeviceImage &image : unit.images) {
        sums[str(image.kind)] += unit.count;
        if (image.kind == core::ImageKind::Cubin)
          sums[std::string("cubins, code ") + (image.code == core::HasCode::Yes  ? "yes"
                                               : image.code == core::HasCode::No ? "no"
                                                                                 : "unknown")] +=
              unit.count;
      }
    }
  }
  for (const auto &[what, sum] : sums)
    llvm::outs() << what << ": " << sum << '\n';
  return failed;
}
