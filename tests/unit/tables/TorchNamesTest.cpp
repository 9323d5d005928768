// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/TorchNames.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/generate/TorchNamesWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <gmock/gmock.h>

using namespace cudacc;
using tables::TorchNames;
using tables::TorchNamesWriter;
using testing::HasSubstr;
using versions::Exported;
using Names = std::vector<TorchNamesWriter::Name>;

namespace {

constexpr uint16_t x86 = 62, arm = 183;
enum : uint8_t { C10 = 1, Cpu = 4, Python = 64 };

TorchNames::Build build(const char *release, uint16_t machine = x86, bool oldStrings = false) {
  return {release, machine, oldStrings, 0, "cp310 cp313"};
}

TorchNamesWriter::Name name(const char *text, uint8_t libraries = C10, bool isVariable = false,
                            bool everyPython = true) {
  return {text, {isVariable, everyPython, libraries}};
}

std::string bytesOf(const TorchNamesWriter &writer) { return llvm::cantFail(writer.bytes()); }

/// 2.5.1, 2.8.0, 2.9.0, 2.10.0 for x86-64, 2.10.0 for aarch64.
TorchNamesWriter example() {
  TorchNamesWriter writer;
  // Not in order: 2.10 is after 2.9.
  llvm::cantFail(writer.add(build("2.10.0"), Names{name("always"), name("from29", Cpu), name("gap"),
                                                   name("moves", C10 | Cpu)}));
  llvm::cantFail(
      writer.add(build("2.5.1", x86, true), Names{name("always"), name("gone", Cpu), name("gap"),
                                                  name("moves", Cpu), name("data", C10, true)}));
  llvm::cantFail(writer.add(build("2.10.0", arm), Names{name("always"), name("arm", Python)}));
  llvm::cantFail(writer.add(build("2.8.0"), Names{name("always"), name("moves", Cpu),
                                                  name("some", Python, false, false)}));
  llvm::cantFail(writer.add(build("2.9.0"), Names{name("always"), name("from29", Cpu), name("gap"),
                                                  name("moves", Python)}));
  return writer;
}

TorchNames readNames(llvm::StringRef bytes) { return llvm::cantFail(TorchNames::view(bytes)); }

std::string namesProblem(llvm::StringRef bytes) {
  auto names = TorchNames::view(bytes);
  if (names)
    return "";
  core::Finding finding = core::toFinding(names.takeError());
  EXPECT_EQ(finding.code, core::Code::BrokenFacts);
  return finding.message + ": " + finding.facts.front().text;
}

/// The bytes with a 32-bit number replaced at an offset, and a matching checksum.
std::string with(std::string bytes, size_t offset, uint32_t number) {
  llvm::support::endian::write32le(bytes.data() + offset, number);
  llvm::support::endian::write64le(bytes.data() + 16,
                                   llvm::xxh3_64bits(llvm::StringRef(bytes).drop_front(24)));
  return bytes;
}

void askEverything(const TorchNames &names) {
  for (const char *name : {"always", "from29", "gone", "gap", "moves", "data", "some", "arm", "no"})
    for (uint16_t machine : {x86, arm}) {
      for (const char *release : {"2.5.1", "2.8.0", "2.9.0", "2.10.0"}) {
        names.exported(name, release, machine);
        names.entry(name, release, machine);
      }
      names.library(name);
      names.known(name);
    }
}

} // namespace

TEST(TorchNames, listsTheBuildsThatWereRead) {
  std::string bytes = bytesOf(example());
  TorchNames names = readNames(bytes);
  std::string text;
  for (const TorchNames::Build &each : names.builds())
    text += each.release + (each.oldStrings ? " old " : " new ") + std::to_string(each.machine) +
            " " + std::to_string(each.names) + " " + each.pythons + "\n";
  EXPECT_EQ(text, "2.5.1 old 62 5 cp310 cp313\n"
                  "2.8.0 new 62 3 cp310 cp313\n"
                  "2.9.0 new 62 4 cp310 cp313\n"
                  "2.10.0 new 62 4 cp310 cp313\n"
                  "2.10.0 new 183 2 cp310 cp313\n");
  ASSERT_NE(names.find("2.5.1", x86), nullptr);
  EXPECT_TRUE(names.find("2.5.1", x86)->oldStrings);
  EXPECT_EQ(names.find("2.10", x86), names.find("2.10.0", x86));
  EXPECT_EQ(names.find("2.5.1", arm), nullptr);
  EXPECT_EQ(names.find("2.7.0", x86), nullptr);
}

TEST(TorchNames, ExportedIsSaidPerReleaseAndMachine) {
  std::string bytes = bytesOf(example());
  TorchNames names = readNames(bytes);
  EXPECT_EQ(names.exported("always", "2.5.1", x86), Exported::Yes);
  EXPECT_EQ(names.exported("always", "2.10.0", arm), Exported::Yes);
  EXPECT_EQ(names.exported("from29", "2.8.0", x86), Exported::No);
  EXPECT_EQ(names.exported("from29", "2.9.0", x86), Exported::Yes);
  EXPECT_EQ(names.exported("from29", "2.10.0", arm), Exported::No);
  EXPECT_EQ(names.exported("in no release", "2.9.0", x86), Exported::No);
  EXPECT_TRUE(names.known("from29"));
  EXPECT_FALSE(names.known("in no release"));
}

TEST(TorchNames, UnknownWhereNothingWasRead) {
  TorchNamesWriter writer;
  llvm::cantFail(writer.add(build("2.8.0"), Names{name("always")}));
  llvm::cantFail(writer.add(build("2.10.0"), Names{name("always")}));
  std::string bytes = bytesOf(writer);
  TorchNames names = readNames(bytes);
  // 2.9.0 is left out, so it is unknown also for a name that its neighbours have.
  EXPECT_EQ(names.exported("always", "2.9.0", x86), Exported::Unknown);
  EXPECT_EQ(names.exported("in no release", "2.9.0", x86), Exported::Unknown);
  EXPECT_EQ(names.exported("always", "2.8.0", arm), Exported::Unknown);
  // A wheel that is not PyPI's, and an unknown release.
  EXPECT_EQ(names.exported("always", "2.8.0+cu126", x86), Exported::Unknown);
  EXPECT_EQ(names.exported("always", "2.8.0rc1", x86), Exported::Unknown);
  EXPECT_EQ(names.exported("always", "", x86), Exported::Unknown);
  EXPECT_EQ(names.exported("always", "nightly", x86), Exported::Unknown);
  EXPECT_EQ(names.entry("always", "2.9.0", x86), std::nullopt);
}

TEST(TorchNames, UnknownWhereItDependsOnThePython) {
  std::string bytes = bytesOf(example());
  TorchNames names = readNames(bytes);
  EXPECT_EQ(names.exported("some", "2.8.0", x86), Exported::Unknown);
  EXPECT_EQ(names.exported("some", "2.9.0", x86), Exported::No);
  auto entry = names.entry("some", "2.8.0", x86);
  ASSERT_TRUE(entry);
  EXPECT_FALSE(entry->everyPython);
  EXPECT_TRUE(names.known("some"));
}

// Every build exports thousands of them, with other hashes.
TEST(TorchNames, UnknownForWhatTheTableLeavesOut) {
  std::string bytes = bytesOf(example());
  TorchNames names = readNames(bytes);
  for (const char *name :
       {"_ZN2at6native57_GLOBAL__N__c0eda84e_23_Flatten_cu_0e863432_28846214fillEv",
        "__fatbinwrap_0fd7ac14_25_NVSHMEM_cu_652c493b_13050",
        "__cudaRegisterLinkedBinary_0fd7ac14_25_NVSHMEM_cu_652c493b_13050"})
    EXPECT_EQ(names.exported(name, "2.9.0", x86), Exported::Unknown) << name;
  EXPECT_EQ(names.exported("_ZN12_GLOBAL__N_14fillEv", "2.9.0", x86), Exported::No);
}

// A name that libstdc++ may define is not torch's, though torch's libraries export it too.
TEST(TorchNames, UnknownForNamesOfTheCxxRuntime) {
  const char *runtime[] = {"_ZNSt20bad_array_new_lengthD1Ev", "_ZTVSt20bad_array_new_length",
                           "_ZTISt20bad_array_new_length", "_ZNKSt6vectorIiSaIiEE4sizeEv",
                           "_ZNSsC1EPKcRKSaIcE", "_ZSt4cout",
                           // In parentheses, since it is one name.
                           ("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6insertEN9__gnu_"
                            "cxx17__normal_iteratorIPcS4_EEc"),
                           "_ZN9__gnu_cxx18stdio_filebufIcSt11char_traitsIcEED1Ev",
                           "_ZGVNSt10moneypunctIcLb0EE2idE"};
  const char *own[] = {"_ZNSt6vectorIN2at6TensorESaIS1_EE9push_backERKS1_",
                       "_ZNKSt8functionIFvRKN3c106DeviceEEE4callEv",
                       "_ZNK3c1010TensorImpl15decref_pyobjectEv",
                       "_ZTVN3c1010TensorImplE",
                       "_ZN2at4_ops5empty4callEv",
                       "_ZSt4moveIRN2at6TensorEEvOT_",
                       "St3std",
                       "_Z",
                       "_ZN",
                       "_ZT",
                       "_ZN8StrangerC1Ev",
                       "aoti_torch_empty_strided"};
  Names all;
  for (auto list : {llvm::ArrayRef<const char *>(runtime), llvm::ArrayRef<const char *>(own)})
    for (const char *each : list)
      all.push_back(name(each));
  TorchNamesWriter writer;
  llvm::cantFail(writer.add(build("2.9.0"), all));
  std::string bytes = bytesOf(writer);
  TorchNames names = readNames(bytes);
  for (const char *each : runtime) {
    EXPECT_EQ(names.exported(each, "2.9.0", x86), Exported::Unknown) << each;
    EXPECT_FALSE(names.known(each)) << each;
    EXPECT_EQ(names.library(each), "") << each;
  }
  for (const char *each : own)
    EXPECT_EQ(names.exported(each, "2.9.0", x86), Exported::Yes) << each;
}

TEST(TorchNames, SaysWhichLibraryAndWhetherItIsData) {
  std::string bytes = bytesOf(example());
  TorchNames names = readNames(bytes);
  EXPECT_EQ(names.library("always"), "libc10.so");
  EXPECT_EQ(names.library("gone"), "libtorch_cpu.so");
  EXPECT_EQ(names.library("moves"), "libc10.so");
  EXPECT_EQ(names.library("arm"), "libtorch_python.so");
  EXPECT_EQ(names.library("in no release"), "");
  EXPECT_EQ(names.entry("moves", "2.9.0", x86)->library(), "libtorch_python.so");
  EXPECT_EQ(names.entry("moves", "2.10.0", x86)->libraries, C10 | Cpu);
  EXPECT_TRUE(names.entry("data", "2.5.1", x86)->isVariable);
  EXPECT_FALSE(names.entry("always", "2.5.1", x86)->isVariable);
}

TEST(TorchNames, HasNoBuildsAndManyNames) {
  std::string none = bytesOf(TorchNamesWriter());
  EXPECT_TRUE(readNames(none).builds().empty());
  EXPECT_EQ(readNames(none).exported("always", "2.5.1", x86), Exported::Unknown);
  Names many;
  for (unsigned i = 0; i != 200000; ++i)
    many.push_back(name(("name" + std::to_string(i)).c_str()));
  TorchNamesWriter writer;
  llvm::cantFail(writer.add(build("2.5.1"), many));
  std::string bytes = bytesOf(writer);
  TorchNames names = readNames(bytes);
  for (unsigned i = 0; i < 200000; i += 7)
    ASSERT_EQ(names.exported("name" + std::to_string(i), "2.5.1", x86), Exported::Yes) << i;
  for (unsigned i = 0; i < 200000; i += 7)
    ASSERT_EQ(names.exported("nome" + std::to_string(i), "2.5.1", x86), Exported::No) << i;
}

TEST(TorchNames, RefusesWhatIsNoTable) {
  std::string bytes = bytesOf(example());
  EXPECT_EQ(namesProblem(bytes), "");
  EXPECT_THAT(namesProblem("{\"schema\": 1, \"rows\": []}"), HasSubstr("is not such a table"));
  EXPECT_THAT(namesProblem(std::string(4096, '\0')), HasSubstr("is not such a table"));
  EXPECT_THAT(namesProblem(""), HasSubstr("is cut off"));
  EXPECT_EQ(namesProblem(with(bytes, 8, 1)),
            "the table of torch's names has schema 1, not 2: it was made for another cuda-cc");
  EXPECT_THAT(namesProblem(bytes + "x"), HasSubstr("is too long"));
}

TEST(TorchNames, RefusesItTruncatedAtEveryLength) {
  std::string bytes = bytesOf(example());
  auto refused = [&](size_t length) {
    // In separate memory, so that a sanitizer detects a read beyond the end.
    std::vector<char> part(bytes.begin(), bytes.begin() + length);
    return !namesProblem(llvm::StringRef(part.data(), part.size())).empty();
  };
  // The index has 256 KiB: its beginning, its end and the bytes around.
  for (size_t length = 0; length < bytes.size(); length += length < 1024 ? 1 : 509)
    ASSERT_TRUE(refused(length)) << length;
  for (size_t length = bytes.size() - 1024; length != bytes.size(); ++length)
    ASSERT_TRUE(refused(length)) << length;
}

TEST(TorchNames, RefusesAByteThatChanged) {
  const std::string bytes = bytesOf(example());
  for (size_t at = 0; at < bytes.size(); at += at < 1024 ? 1 : 509) {
    std::string other = bytes;
    other[at] ^= 1;
    ASSERT_NE(namesProblem(other), "") << at;
  }
}

// With a matching checksum: no read beyond the end, whatever the numbers are.
TEST(TorchNames, StaysInsideWhateverTheNumbersSay) {
  const std::string bytes = bytesOf(example());
  unsigned accepted = 0;
  for (size_t at = 8; at + 4 <= bytes.size(); at += at < 512 ? 1 : 4) {
    // Only some bytes of the index, which is nearly all of the file.
    if (at > 512 && at + 1024 < bytes.size() && at % 4096)
      continue;
    for (uint32_t number : {0u, 1u, 7u, 0x7fffffffu, 0xffffffffu}) {
      std::string other = with(bytes, at, number);
      std::vector<char> part(other.begin(), other.end());
      auto names = TorchNames::view({part.data(), part.size()});
      if (!names) {
        llvm::consumeError(names.takeError());
        continue;
      }
      ++accepted;
      askEverything(*names);
      TorchNamesWriter writer;
      llvm::consumeError(writer.add(*names));
    }
  }
  EXPECT_GT(accepted, 100u);
}

TEST(TorchNames, CountsThatContradictAreRefused) {
  const std::string bytes = bytesOf(example());
  for (size_t at : {24, 28, 32, 36, 40})
    EXPECT_THAT(namesProblem(with(bytes, at, 3)), HasSubstr("is broken: ")) << at;
  // Releases that are not in order: the first one becomes 9.5.1.
  std::string other = bytes;
  size_t at = other.find("2.5.1");
  EXPECT_THAT(namesProblem(with(other, at, 0x2e352e39)), HasSubstr("not in order"));
}

TEST(TorchNamesWriter, TheSameBytesInAnyOrder) {
  std::string whole = bytesOf(example()), later;
  {
    TorchNamesWriter first, second;
    llvm::cantFail(first.add(build("2.9.0"), Names{name("always"), name("from29", Cpu), name("gap"),
                                                   name("moves", Python)}));
    llvm::cantFail(
        first.add(build("2.5.1", x86, true), Names{name("always"), name("gone", Cpu), name("gap"),
                                                   name("moves", Cpu), name("data", C10, true)}));
    std::string begun = bytesOf(first);
    llvm::cantFail(second.add(readNames(begun)));
    llvm::cantFail(second.add(build("2.10.0", arm), Names{name("arm", Python), name("always")}));
    llvm::cantFail(
        second.add(build("2.10.0"), Names{name("always"), name("gap"), name("from29", Cpu),
                                          name("moves", C10 | Cpu)}));
    llvm::cantFail(second.add(build("2.8.0"), Names{name("always"), name("moves", Cpu),
                                                    name("some", Python, false, false)}));
    later = bytesOf(second);
  }
  EXPECT_EQ(whole, later);
}

TEST(TorchNamesWriter, ReplacesABuild) {
  TorchNamesWriter writer = example();
  llvm::cantFail(writer.add(build("2.8.0"), Names{name("other")}));
  llvm::cantFail(writer.add(build("2.8.0"), Names{name("always"), name("moves", Cpu),
                                                  name("some", Python, false, false)}));
  // No build has `other` any more, and nothing of it is left.
  EXPECT_EQ(bytesOf(writer), bytesOf(example()));
}

TEST(TorchNamesWriter, RefusesWhatTheFormatCannotStore) {
  TorchNamesWriter writer;
  auto refused = [&](TorchNames::Build build, const Names &names) {
    llvm::Error error = writer.add(std::move(build), names);
    bool failed = bool(error);
    llvm::consumeError(std::move(error));
    return failed;
  };
  EXPECT_TRUE(refused(build("nightly"), {}));
  EXPECT_TRUE(refused(build("2.6.0+cu126"), {}));
  EXPECT_TRUE(refused(build("2.6.0"), {name("twice"), name("twice", Cpu)}));
  EXPECT_TRUE(refused(build("2.6.0"), {name("nowhere", 0)}));
  EXPECT_TRUE(refused(build("2.6.0"), {name("__fatbinwrap_0fd7ac14_1_a_cu_652c493b_13050")}));
  EXPECT_FALSE(refused(build("2.6.0"), {name("once")}));
}
