// SPDX-License-Identifier: Apache-2.0
#include "WheelReading.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

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
  // Sizes and offset in the extra field, after a field of another kind.
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

TEST(Wheel, EndsThatLie) { // FB-28
  EXPECT_EQ(listError(""), "x.whl: it is not a zip file");
  EXPECT_EQ(listError("no zip file, but long enough"),
            "x.whl: it is not a zip file, or its end is missing");
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
              zip.between = std::string(20, '\0');
              zip.end.directorySize = 20;
            }),
            "x.whl: the zip directory contains more than its entries");
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

TEST(Wheel, DirectoriesThatInstallersReadElsewhere) { // FB-28
  static const char elsewhere[] = "x.whl: the zip directory does not lie where the file's end says";
  auto changed = [](auto change) {
    ZipWriter zip;
    zip.add("a", "text", Stored);
    change(zip);
    return listError(zip.str());
  };
  // A second directory, which they find in front of the end.
  EXPECT_EQ(changed([](ZipWriter &zip) { zip.between = std::string(47, '\0'); }), elsewhere);
  // One of zip64, which they obey although the other end says all.
  auto both = [](ZipWriter &zip) { zip.zip64 = zip.statesBoth = true; };
  EXPECT_EQ(changed(both), "");
  EXPECT_EQ(changed([&](ZipWriter &zip) { both(zip), ++zip.end.entries; }), elsewhere);
  EXPECT_EQ(changed([&](ZipWriter &zip) { both(zip), ++zip.end.directorySize; }), elsewhere);
  EXPECT_EQ(changed([&](ZipWriter &zip) { both(zip), --zip.end.directoryOffset; }), elsewhere);
  // A record that does not lie in front of its locator, where they look.
  EXPECT_EQ(changed([](ZipWriter &zip) {
              zip.zip64 = true;
              zip.between = std::string(56, '\0');
              zip.end64Moved = -56;
            }),
            "x.whl: the zip64 end of the directory is damaged");
}

TEST(Wheel, NamesOfAnExtraField) { // FB-28
  auto named = [](const std::string &name) {
    ZipWriter zip;
    zip.add("a", "text", Stored).extra =
        std::string("up", 2) + char(5 + name.size()) + std::string("\0\1crc?", 6) + name;
    return listError(zip.str());
  };
  EXPECT_EQ(named("a"), "");
  EXPECT_EQ(named("b"), "x.whl: an entry of the zip directory has two names");
}

TEST(Wheel, SizeAndChecksumAreCheckedAtTheEnd) {
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

TEST(Wheel, VerifiesWhatWasNotRead) { // WR-10
  std::string text = noise(200000);
  for (uint16_t method : {Stored, Deflated})
    for (uint32_t change : {0, 1}) {
      ZipWriter zip;
      zip.add("a", text, method).directory.crc += change;
      zip.add("empty", "", method).directory.crc += change;
      MemoryFile file(zip.str());
      auto entries = list(file);
      ASSERT_EQ(entries.size(), 2u);
      for (const WheelEntry &entry : entries)
        // Nothing, the begin, and the end are read before.
        for (uint64_t at : {entry.size, uint64_t(0), entry.size / 2}) {
          auto opened = llvm::cantFail(openEntry(file, entry));
          char some[10];
          EXPECT_EQ(llvm::cantFail(opened->readAt(at, some)),
                    std::min(entry.size - at, uint64_t(10)));
          llvm::Error error = opened->verify();
          EXPECT_EQ(error ? failure(std::move(error)) : "",
                    change ? entry.name + ": its checksum is wrong" : "");
        }
    }
}

TEST(Wheel, ReadingAStoredEntryInAnyPiecesComparesItsChecksum) {
  std::string text = noise(1000);
  for (uint32_t change : {0, 1}) {
    ZipWriter zip;
    zip.add("a", text, Stored).directory.crc += change;
    MemoryFile file(zip.str());
    auto entries = list(file);
    for (size_t step : {1, 7, 400, 1000})
      EXPECT_EQ(readAll(*llvm::cantFail(openEntry(file, entries[0])), step),
                change ? "error: a: its checksum is wrong" : text);
    // Overlapping, and the end first.
    auto opened = llvm::cantFail(openEntry(file, entries[0]));
    std::string part(600, '\0');
    for (uint64_t at : {400, 0})
      EXPECT_EQ(llvm::cantFail(opened->readAt(at, {part.data(), part.size()})), 600u);
    auto last = opened->readAt(400, {part.data(), part.size()});
    EXPECT_EQ(last ? "" : failure(last.takeError()), change ? "a: its checksum is wrong" : "");
  }
}

TEST(Wheel, HeadersThatStateOtherSizes) {
  auto with = [](auto change) {
    ZipWriter zip;
    change(zip.add("a", "text").local);
    return firstOf(zip.str());
  };
  const char *said = "error: a: its header contradicts the directory";
  EXPECT_EQ(with([](LocalRecord &local) { local.crc = 1; }), said);
  EXPECT_EQ(with([](LocalRecord &local) { local.size = 1; }), said);
  EXPECT_EQ(with([](LocalRecord &local) { local.compressedSize = 1; }), said);
  // They follow the data, or are those of a zip64 field.
  EXPECT_EQ(with([](LocalRecord &local) { local.crc = local.size = local.flags = DescriptorFlag; }),
            "text");
  EXPECT_EQ(with([](LocalRecord &local) { local.size = local.compressedSize = UINT32_MAX; }),
            "text");
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
  // The end first, as for section headers; then random positions.
  uint64_t at = text.size() - part.size();
  for (unsigned i = 0; i != 60; ++i) {
    ASSERT_EQ(llvm::cantFail(opened->readAt(at, {part.data(), part.size()})), part.size());
    ASSERT_TRUE(llvm::StringRef(text).substr(at, part.size()) == part) << at;
    at = (at * 6364136223846793005u + 1442695040888963407u) % (text.size() - part.size());
  }
  // Each read restarts at the nearest restart point, which are a MiB apart, not at the beginning.
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
