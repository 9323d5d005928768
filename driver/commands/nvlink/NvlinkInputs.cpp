// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/nvlink/NvlinkInputs.h"
#include "driver/commands/link/LinkInputs.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::commands {

using namespace core;
using binary::LinkFile;
using llvm::StringRef;

namespace {

class InputReader {
public:
  InputReader(pipeline::System &system, const NvlinkCall &call) : system(system), call(call) {}

  llvm::Error read();
  NvlinkInputs inputs;

private:
  pipeline::System &system;
  const NvlinkCall &call;
  std::vector<NvlinkInput> fromArchives;
  llvm::StringSet<> seenArchives;

  llvm::Error readFile(const std::string &path, bool isNamed);
  llvm::Error readLibrary(StringRef name);
};

} // namespace

llvm::Error InputReader::readFile(const std::string &path, bool isNamed) {
  auto file = system.files.open(path);
  if (!file)
    return file.takeError();
  bool isSystem = support::nameOf(path) == "libcudadevrt.a";
  auto openMember = [&](StringRef member) {
    return system.files.open(support::resolvePath(support::parentOf(path), member));
  };
  std::vector<NvlinkInput> found;
  auto kind = binary::eachRelocatableObject(
      **file, path, openMember, [&](binary::RelocatableObject object) {
        std::string name =
            object.member.empty() ? path : fmt::format("{}({})", path, object.member);
        found.push_back({std::move(name), std::move(object)});
        return llvm::Error::success();
      });
  if (!kind)
    return kind.takeError();
  if (kind->kind == LinkFile::Kind::Foreign && isNamed)
    return makeError(Code::InputType, fmt::format("{} cannot be linked", path),
                     {{"because", "it is neither an object, an archive nor a shared library"}});
  if (kind->kind == LinkFile::Kind::Object)
    inputs.hasReferences &= kind->hasReferences;
  if (kind->kind != LinkFile::Kind::Archive) {
    llvm::move(found, std::back_inserter(inputs.objects));
    return llvm::Error::success();
  }
  if (!seenArchives.insert(system.files.realPath(path).value_or(path)).second)
    return llvm::Error::success();
  inputs.hasReferences &= isSystem || kind->hasReferences;
  llvm::move(found, std::back_inserter(isSystem ? inputs.system : fromArchives));
  return llvm::Error::success();
}

/// A linker script of that name is no archive.
static llvm::Expected<bool> isArchive(Files &files, const std::string &path) {
  auto start = support::readStart(files, path, 7);
  if (!start)
    return start.takeError();
  return *start == "!<arch>" || *start == "!<thin>";
}

/// A shared library of that name in any folder hides the archives, and has nothing to link. Else
/// the first archive is taken.
llvm::Error InputReader::readLibrary(StringRef name) {
  auto exists = [&](StringRef folder, StringRef suffix) {
    return system.files.stat(fmt::format("{}/lib{}{}", folder, name, suffix)).exists();
  };
  if (llvm::any_of(call.folders, [&](StringRef folder) { return exists(folder, ".so"); }))
    return llvm::Error::success();
  for (const std::string &folder : call.folders) {
    if (!exists(folder, ".a"))
      continue;
    std::string path = fmt::format("{}/lib{}.a", folder, name);
    auto found = isArchive(system.files, path);
    if (!found)
      return found.takeError();
    if (*found)
      return readFile(path, /*isNamed=*/false);
  }
  return llvm::Error::success();
}

llvm::Error InputReader::read() {
  for (const std::string &path : call.files)
    if (llvm::Error error = readFile(path, true))
      return error;
  for (const std::string &name : call.libraries)
    if (llvm::Error error = readLibrary(name))
      return error;
  llvm::move(fromArchives, std::back_inserter(inputs.objects));
  return llvm::Error::success();
}

llvm::Expected<NvlinkInputs> readNvlinkInputs(pipeline::System &system, const NvlinkCall &call) {
  InputReader reader(system, call);
  if (llvm::Error error = reader.read())
    return error;
  return std::move(reader.inputs);
}

/// The images that nvcc's device link sees. That they are relocatable is said by where they lie:
/// their own headers are not read.
static std::vector<DeviceImage> relocatableImages(const NvlinkInput &input) {
  std::vector<DeviceImage> images;
  for (const DeviceUnit &unit : input.object.device.units)
    if (unit.home == DeviceUnit::Home::Relocatable)
      llvm::append_range(images, unit.images);
  for (DeviceImage &image : images)
    image.relocatable = true;
  return images;
}

bool hasCodeFor(const NvlinkInput &input, versions::Arch arch) {
  // What the header of an image does not say, the linker decides.
  return llvm::any_of(relocatableImages(input), [&](const DeviceImage &image) {
    return image.kind == ImageKind::Unknown || !image.arch.known() ||
           policy::isLinkable(image, arch);
  });
}

bool hasLtoIr(const NvlinkInput &input) {
  return llvm::any_of(relocatableImages(input),
                      [](const DeviceImage &image) { return image.kind == ImageKind::LtoIr; });
}

policy::LinkImage linkInputFor(const NvlinkInput &input, versions::Arch arch, bool lto) {
  auto images = relocatableImages(input);
  const DeviceImage *linked = policy::linkableImage(images, arch, lto);
  return linkInputOf(input.name, linked ? *linked : DeviceImage(),
                     {recordedToolkit(input.object.manifest), {}});
}

static void addDistinct(std::vector<std::string> &options, StringRef option,
                        llvm::ArrayRef<std::string> patterns) {
  for (const std::string &pattern : patterns)
    if (std::string word = fmt::format("{}{}", option, pattern); !llvm::is_contained(options, word))
      options.push_back(std::move(word));
}

std::vector<std::string> referenceOptions(llvm::ArrayRef<const NvlinkInput *> inputs, bool lto) {
  std::vector<std::string> kernels, variables;
  for (const NvlinkInput *input : inputs) {
    addDistinct(kernels, "-kernels-used=", input->object.kernels);
    addDistinct(variables, "-variables-used=", input->object.variables);
  }
  if (kernels.empty() || !lto)
    return kernels;
  // Without link-time optimisation nvlink keeps all variables.
  if (variables.empty())
    kernels.push_back("-optimize-unused-variables");
  llvm::append_range(kernels, variables);
  return kernels;
}

} // namespace cudacc::commands
