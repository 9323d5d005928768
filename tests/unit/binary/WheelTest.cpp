#include "driver/binary/archive/Wheel.h"
#include "Support.h"
#include "ZipWriter.h"
#include "driver/binary/archive/Deflated.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

namespace {
std::string failure(llvm::Error error) { return core::toFinding(std::move(error)).message; }

std::vector<WheelEntry> list(MemoryFile &file) {
  auto entries = readWheel(file, "dist/x.whl");
  if (entries)
    return *entries;
  ADD_FAILURE() << failure(entries.takeError());
  return {};
}
std::string listError(const std::string &bytes) {
  MemoryFile file(bytes);
  auto entries = readWheel(file, "dist/x.whl");
  return entries ? "" : failure(entries.takeError());
}

std::string readAll(core::ReadableFile &file, size_t step = 1 << 20) {
  std::string out(file.size(), '\0');
  for (size_t at = 0; at < out.size(); at += step) {
    size_t count = std::min(step, out.size() - at);
    auto got = file.readAt(at, {out.data() + at, count});
    if (!got)
      return "error: " + failure(got.takeError());
    EXPECT_EQ(*got, count);
  }
  return out;
}
/// The contents, or "error: " and why not.
std::string contents(MemoryFile &file, const WheelEntry &entry) {
  auto opened = openEntry(file, entry);
  return opened ? readAll(**opened) : "error: " + failure(opened.takeError());
}
std::string firstOf(const std::string &bytes) {
  MemoryFile file(bytes);
  std::vector<WheelEntry> entries = list(file);
  return entries.empty() ? "" : contents(file, entries[0]);
}

/// Text that deflates by about a third and differs everywhere.
std::string noise(size_t size) {
  std::string out(size, '\0');
  uint64_t seed = 88172645463325252;
  for (char &c : out) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    c = 'a' + seed % 32;
  }
  return out;
}
} // namespace

TEST(Wheel, StoredAndDeflatedEntries) { // FB-28
  ZipWriter zip;
  zip.add("pkg/", "", Stored);
  zip.add("pkg/a.so", std::string(5000, 'a') + noise(300));
  zip.add("pkg/b.txt", "stored", Stored);
  zip.add("pkg/empty", "");
  MemoryFile file(zip.str());
  EXPECT_TRUE(looksLikeWheel(file));
  auto entries = list(file);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "pkg/a.so");
  EXPECT_EQ(entries[0].size, 5300u);
  EXPECT_EQ(contents(file, entries[0]), std::string(5000, 'a') + noise(300));
  EXPECT_EQ(contents(file, entries[1]), "stored");
  EXPECT_EQ(contents(file, entries[2]), "");
  auto part = llvm::cantFail(openEntry(file, entries[1]));
  char some[10];
  EXPECT_EQ(llvm::cantFail(part->readAt(4, some)), 2u);
  EXPECT_EQ(llvm::cantFail(part->readAt(6, some)), 0u);
}

TEST(Wheel, Zip64) { // FB-28
  ZipWriter zip;
  zip.zip64 = true;
  auto &entry = zip.add("a", "text", Stored);
  // Sizes and offset in the extra field, behind a field of another kind.
  uint64_t values[] = {4, 4, 0};
  entry.directory.size = entry.directory.compressedSize = entry.directory.offset = UINT32_MAX;
  entry.extra = std::string("\x99\x99\2\0??\1\0\x18\0", 10) +
                std::string(reinterpret_cast<char *>(values), sizeof(values));
  MemoryFile file(zip.str());
  auto entries = list(file);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].size, 4u);
  EXPECT_EQ(contents(file, entries[0]), "text");
  zip.entries[0].extra.resize(20);
  static const char lacking[] = "x.whl: an entry of the zip directory lacks its zip64 sizes";
  EXPECT_EQ(listError(zip.str()), lacking);
  zip.entries[0].extra.clear();
  EXPECT_EQ(listError(zip.str()), lacking);
}

TEST(Wheel, FilesOfPythonAndOfTheZip64Kind) { // FB-28
  NEED_TOOL("python3");
  Scratch scratch;
  std::string path = scratch / "x.whl";
  Ran ran = run({"python3", "-c",
                 "import sys, zipfile\n"
                 "with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:\n"
                 "  z.writestr('pkg/a.py', 'x = 1\\n' * 10000)\n"
                 "  with z.open('pkg/b.py', 'w', force_zip64=True) as f: f.write(b'y')\n"
                 "  z.writestr('pkg/c', 'c', zipfile.ZIP_STORED)\n"
                 "  z.comment = b'made by a test'\n",
                 path});
  ASSERT_EQ(ran.status, 0) << ran.text;
  MemoryFile file(slurp(path));
  auto entries = list(file);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(contents(file, entries[0]).size(), 60000u);
  EXPECT_EQ(contents(file, entries[1]), "y");
  EXPECT_EQ(contents(file, entries[2]), "c");
}

TEST(Wheel, NamesThatLeaveTheWheelAndDuplicates) { // FB-28
  auto named = [](std::vector<std::string> names) {
    ZipWriter zip;
    for (const std::string &name : names)
      zip.add(name, "x", Stored);
    return listError(zip.str());
  };
  for (const char *bad : {"../a", "a/../../b", "a/..", "/etc/passwd", "\\a", ""})
    EXPECT_EQ(named({bad}), "x.whl: an entry's name leaves the wheel") << bad;
  EXPECT_EQ(named({std::string("a\0b", 3)}), "x.whl: an entry's name leaves the wheel");
  EXPECT_EQ(named({"a", "b", "a"}), "x.whl: two entries have one name");
  EXPECT_EQ(named({"p/a", "./p//a"}), "x.whl: two entries have one name");
  EXPECT_EQ(named({"a", "b", "..a/b..", "a.b"}), "");
}

TEST(Wheel, EncryptedAndUnknownMethods) { // FB-28
  ZipWriter zip;
  auto &entry = zip.add("a", "text");
  entry.directory.flags = entry.local.flags = 1;
  EXPECT_EQ(firstOf(zip.str()), "error: a: it is encrypted");
  ZipWriter other;
  other.add("a", "text", 12);
  EXPECT_EQ(firstOf(other.str()), "error: a: it is compressed by the unknown method 12");
}

TEST(Wheel, HeadersThatContradictTheDirectory) { // FB-28
  for (int what = 0; what != 4; ++what) {
    ZipWriter zip;
    auto &entry = zip.add("name", "text");
    if (what == 0)
      entry.localName = "other";
    if (what == 1)
      entry.local.method = Stored;
    if (what == 2)
      entry.local.flags = 1;
    if (what == 3)
      entry.local.signature = 0;
    EXPECT_EQ(firstOf(zip.str()), "error: name: its header contradicts the directory") << what;
  }
  ZipWriter zip;
  zip.add("a", "text", Stored).local.extraSize = 8;
  EXPECT_EQ(firstOf(zip.str()), "error: a: its data reach into the next entry");
  ZipWriter sizes;
  sizes.add("a", "text", Stored).directory.size = 3;
  EXPECT_EQ(firstOf(sizes.str()), "error: a: it is stored, in another size than its own");
}

TEST(Wheel, BombsAndOverlaps) { // FB-28
  // A stream that begins inside another, and one under two names.
  ZipWriter inside;
  inside.add("a", std::string(100000, 'a'));
  inside.add("b", "b").directory.offset = 1;
  EXPECT_EQ(listError(inside.str()), "x.whl: two entries lie in one place");
  ZipWriter shared;
  shared.add("pad", "pad", Stored);
  shared.add("a", std::string(100000, 'a'));
  shared.str();
  shared.entries.push_back(shared.entries[1]);
  shared.entries[2].name = "b";
  EXPECT_EQ(listError(shared.str()), "x.whl: two entries lie in one place");
  ZipWriter ratio;
  ratio.add("a", "abc").directory.size = 1 << 20;
  EXPECT_EQ(firstOf(ratio.str()), "error: a: its stated size is more than its data can hold");
  ZipWriter large;
  for (const char *name :
       {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"})
    large.add(name, "x").directory.size = 0xfffffffe;
  EXPECT_EQ(listError(large.str()), "x.whl: more than 64 GiB when unpacked");
}

TEST(Wheel, TheMostThatDeflateSaysIsRead) {
  std::string zeros(16 << 20, '\0');
  ZipWriter zip;
  zip.add("a", zeros);
  EXPECT_GT(zeros.size() / zip.entries[0].data.size(), 1000u);
  EXPECT_TRUE(firstOf(zip.str()) == zeros);
}

TEST(Wheel, EndsThatLie) { // FB-28
  EXPECT_EQ(listError(""), "x.whl: it is no zip file");
  EXPECT_EQ(listError("no zip file, but long enough"),
            "x.whl: it is no zip file, or its end is missing");
  auto changed = [](auto change) {
    ZipWriter zip;
    zip.add("a", "text", Stored);
    change(zip);
    return listError(zip.str());
  };
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.end.directoryOffset = 1 << 30; }),
            "x.whl: the zip directory does not lie where the file's end says");
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.end.directorySize = 20; }),
            "x.whl: the zip directory does not lie where the file's end says");
  EXPECT_EQ(changed([](ZipWriter &zip) {
              zip.between = std::string(30, '\0');
              zip.end.directorySize = 20;
            }),
            "x.whl: the zip directory holds more than its entries");
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.end.entries = 1; }),
            "x.whl: the zip directory reaches beyond the end");
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.end.disk = 1; }),
            "x.whl: a zip file of several disks");
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.end.commentSize = 3; }),
            "x.whl: the end of the zip directory is ambiguous");
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.entries[0].directory.offset = 1 << 20; }),
            "x.whl: an entry reaches into the zip directory");
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.comment = "PK"; }), "");
}

TEST(Wheel, SizeAndChecksumAreHeldAtTheEnd) {
  std::string text = noise(200000);
  auto with = [&](auto change) {
    ZipWriter zip;
    change(zip.add("a", text));
    return firstOf(zip.str());
  };
  EXPECT_TRUE(with([](ZipWriter::Entry &) {}) == text);
  EXPECT_EQ(with([](ZipWriter::Entry &entry) { ++entry.directory.crc; }),
            "error: a: its checksum is wrong");
  EXPECT_EQ(with([](ZipWriter::Entry &entry) { --entry.directory.size; }),
            "error: a: it is longer than its stated size");
  EXPECT_EQ(with([](ZipWriter::Entry &entry) { ++entry.directory.size; }),
            "error: a: it is shorter than its stated size");
  EXPECT_EQ(with([](ZipWriter::Entry &entry) {
              entry.data.resize(entry.data.size() / 2);
              entry.directory.compressedSize = entry.data.size();
            }),
            "error: a: its data end early");
  EXPECT_EQ(with([](ZipWriter::Entry &entry) { entry.data[20] ^= 0x55; }).substr(0, 8), "error: a");
}

TEST(Wheel, DamageStays) {
  ZipWriter zip;
  ++zip.add("a", noise(300000)).directory.crc;
  MemoryFile file(zip.str());
  auto entries = list(file);
  auto opened = llvm::cantFail(openEntry(file, entries[0]));
  EXPECT_EQ(readAll(*opened), "error: a: its checksum is wrong");
  EXPECT_EQ(readAll(*opened), "error: a: its checksum is wrong");
}

TEST(Wheel, InflatesOnlyAsFarAsAsked) { // PF-A7
  ZipWriter zip;
  zip.add("a", noise(8 << 20));
  MemoryFile file(zip.str());
  auto entries = list(file);
  file.bytesRead = 0;
  auto opened = llvm::cantFail(openEntry(file, entries[0]));
  char head[64];
  ASSERT_EQ(llvm::cantFail(opened->readAt(0, head)), 64u);
  EXPECT_LT(file.bytesRead, 200000u);
}

TEST(Wheel, ReadsInAnyOrderCostLittle) {
  std::string text = noise(24 << 20);
  ZipWriter zip;
  zip.add("a", text);
  MemoryFile file(zip.str());
  auto entries = list(file);
  auto opened = llvm::cantFail(openEntry(file, entries[0]));
  std::string part(100000, '\0');
  // The end first, as for section headers; then anywhere.
  uint64_t at = text.size() - part.size();
  for (unsigned i = 0; i != 60; ++i) {
    ASSERT_EQ(llvm::cantFail(opened->readAt(at, {part.data(), part.size()})), part.size());
    ASSERT_TRUE(llvm::StringRef(text).substr(at, part.size()) == part) << at;
    at = (at * 6364136223846793005u + 1442695040888963407u) % (text.size() - part.size());
  }
  // Each goes back to the nearest restart point, a MiB apart, not to the beginning.
  EXPECT_LT(file.bytesRead, zip.entries[0].data.size() + 60 * (3 << 20) / 2);
}

TEST(Wheel, AWheelThatShrinksIsAnError) {
  ZipWriter zip;
  zip.add("a", noise(1 << 20));
  std::string bytes = zip.str();
  MemoryFile file(bytes);
  auto entries = list(file);
  auto opened = llvm::cantFail(openEntry(file, entries[0]));
  file.content.resize(bytes.size() / 2);
  EXPECT_EQ(readAll(*opened), "error: a: the wheel became shorter");
}

TEST(Wheel, EveryPrefixAndEveryByteCorrupted) { // RD-9
  ZipWriter zip;
  zip.zip64 = true;
  zip.add("pkg/a.so", "text that is deflated, deflated, deflated");
  zip.add("pkg/b", "stored", Stored);
  std::string bytes = zip.str();
  auto survives = [](std::string content) {
    MemoryFile file(std::move(content));
    auto entries = readWheel(file, "x");
    if (!entries) {
      EXPECT_FALSE(failure(entries.takeError()).empty());
      return;
    }
    for (const WheelEntry &entry : *entries)
      contents(file, entry);
  };
  for (size_t i = 0; i != bytes.size(); ++i) {
    survives(bytes.substr(0, i));
    survives(bytes.substr(i));
    for (size_t width : {1, 2, 4, 8})
      for (char value : {'\0', '\1', '\x7f', '\xff'}) {
        std::string bad = bytes;
        bad.replace(i, std::min(width, bytes.size() - i), std::min(width, bytes.size() - i), value);
        survives(std::move(bad));
      }
  }
  MemoryFile file(bytes);
  EXPECT_EQ(list(file).size(), 2u);
}

TEST(Wheel, TooManyEntries) { // AV-U03
  ZipWriter zip;
  zip.zip64 = true;
  zip.add("a", "", Stored);
  std::string bytes = zip.str();
  size_t end = bytes.size() - sizeof(EndRecord) - sizeof(Locator64) - sizeof(EndRecord64);
  uint64_t count = 1 << 20;
  std::memcpy(bytes.data() + end + offsetof(EndRecord64, entries), &count, 8);
  std::memcpy(bytes.data() + end + offsetof(EndRecord64, diskEntries), &count, 8);
  MemoryFile file(bytes);
  auto entries = readWheel(file, "x.whl");
  ASSERT_FALSE(bool(entries));
  EXPECT_EQ(core::toFinding(entries.takeError()).code, core::Code::LimitReached);
}

std::string limitOf(core::ReadableFile &file, uint64_t at) {
  char byte;
  auto got = file.readAt(at, {&byte, 1});
  if (got)
    return "";
  core::Finding finding = core::toFinding(got.takeError());
  EXPECT_EQ(finding.code, core::Code::LimitReached) << finding.message;
  return finding.message;
}

TEST(Wheel, WhatIsDenserThanAnyLibraryIsReadTo16MiB) { // AV-U03
  ZipWriter zip;
  zip.add("small", std::string(15 << 20, '\0'));
  zip.add("dense.so", std::string(20 << 20, '\0'));
  // A fiftieth, and most libraries are not even a tenth.
  std::string usual;
  for (std::string part = noise(4 << 10); usual.size() < 40 << 20;)
    usual += part + std::string(76 << 10, '\0');
  zip.add("usual.so", usual);
  MemoryFile file(zip.str());
  std::vector<WheelEntry> entries = list(file);
  EXPECT_LT(entries[2].compressedSize, usual.size() / 20);
  EXPECT_EQ(readAll(*llvm::cantFail(openEntry(file, entries[0]))).size(), size_t(15) << 20);
  EXPECT_EQ(readAll(*llvm::cantFail(openEntry(file, entries[2]))), usual);
  auto dense = llvm::cantFail(openEntry(file, entries[1]));
  EXPECT_EQ(limitOf(*dense, (16 << 20) - 1), "");
  const char *said = "dense.so: it unpacks to more than 16 MiB, and 64 times its size";
  EXPECT_EQ(limitOf(*dense, 16 << 20), said);
  // It stays so, also for what could be read before.
  EXPECT_EQ(limitOf(*dense, 0), said);
}

TEST(Wheel, AllMembersTogetherAreBounded) { // AV-U03
  constexpr uint64_t gib = uint64_t(1) << 30;
  for (auto [size, budget] :
       {std::pair(uint64_t(1), 4 * gib), std::pair(gib / 8, 8 * gib), std::pair(gib, 16 * gib)}) {
    InflateBudget left(size);
    EXPECT_TRUE(left.take(budget));
    EXPECT_FALSE(left.take(1));
  }
  ZipWriter zip;
  zip.add("first", noise(200 << 10));
  zip.add("second", noise(200 << 10));
  MemoryFile file(zip.str());
  std::vector<WheelEntry> entries = list(file);
  EXPECT_EQ(contents(file, entries[0]), noise(200 << 10));
  // As if members before them were large.
  EXPECT_TRUE(entries[0].budget->take(4 * gib - (300 << 10)));
  auto second = llvm::cantFail(openEntry(file, entries[1]));
  EXPECT_EQ(limitOf(*second, 0), "");
  EXPECT_EQ(limitOf(*second, 190 << 10),
            "second: the wheel unpacks to more than 4 GiB, and 64 times its size or 16 GiB");
}

TEST(Wheel, LibrariesAreReadInsideWheels) { // PF-A7
  NEED_TOOL("gcc");
  Scratch scratch;
  std::string so = scratch / "a.so";
  Ran ran = run({"gcc", "-shared", "-fPIC", "-Wl,-soname,liba.so.1",
                 scratch.write("a.c", "int a(void) { return 1; }\n"), "-o", so});
  ASSERT_EQ(ran.status, 0) << ran.text;
  ZipWriter zip;
  zip.add("pkg/a.so", slurp(so));
  zip.add("pkg/b.so", slurp(so), Stored);
  MemoryFile file(zip.str());
  ReadOptions options;
  options.exports = true;
  for (const WheelEntry &entry : list(file)) {
    auto opened = llvm::cantFail(openEntry(file, entry));
    auto facts = read(*opened, entry.name, options);
    ASSERT_TRUE(bool(facts));
    EXPECT_EQ(facts->soname, "liba.so.1");
    EXPECT_TRUE(llvm::any_of(facts->exports, [](auto &entry) { return entry.symbol == "a"; }));
  }
}
