// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace cudacc::binary::test {

llvm::Expected<size_t> MemoryFile::readAt(uint64_t offset, llvm::MutableArrayRef<char> out) {
  ++calls;
  if (offset >= content.size())
    return 0;
  size_t size = std::min<uint64_t>(out.size(), content.size() - offset);
  std::memcpy(out.data(), content.data() + offset, size);
  bytesRead += size;
  return size;
}

Scratch::Scratch() {
  llvm::SmallString<128> made;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("cudacc-elf", made));
  path = made.str().str();
}

Scratch::~Scratch() { llvm::sys::fs::remove_directories(path); }

std::string Scratch::write(llvm::StringRef name, llvm::StringRef content) const {
  std::string full = *this / name;
  std::error_code error;
  llvm::raw_fd_ostream out(full, error);
  EXPECT_FALSE(error) << full;
  out << content;
  return full;
}

std::string slurp(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::string tool(llvm::StringRef name) {
  auto found = llvm::sys::findProgramByName(name);
  if (!found)
    found = llvm::sys::findProgramByName(name, {"/usr/lib/llvm-19/bin"});
  return found ? *found : "";
}

Ran run(llvm::ArrayRef<std::string> argv) {
  setenv("LC_ALL", "C", 1);
  Scratch scratch;
  std::string program = tool(argv[0]), out = scratch / "out";
  std::vector<llvm::StringRef> words(argv.begin(), argv.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(out),
                                                llvm::StringRef(out)};
  Ran result;
  result.status = llvm::sys::ExecuteAndWait(program, words, std::nullopt, redirects);
  result.text = slurp(out);
  return result;
}

std::string opened(const std::string &library, const std::string &function) {
  static Scratch scratch;
  static const std::string opener = [] {
    std::string c = scratch.write("opens.c", R"(
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words) {
  int status = 0;
  if (fork()) {
    wait(&status);
    return WIFSIGNALED(status) ? printf("signal %d", WTERMSIG(status)), 0 : 0;
  }
  void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    printf("%s", dlerror());
  else if (count > 2)
    printf("%d", ((int (*)(void))dlsym(library, words[2]))());
  fflush(stdout);
  _exit(0);
}
)");
    Ran ran = run({"gcc", c, "-o", scratch / "opens"});
    EXPECT_EQ(ran.status, 0) << ran.text;
    return scratch / "opens";
  }();
  std::vector<std::string> words = {opener, library};
  if (!function.empty())
    words.push_back(function);
  std::string text = run(words).text;
  llvm::StringRef said = text;
  said.consume_front(library + ": ");
  return said.str();
}

core::BinaryFacts readBytes(const std::string &content, NotePositions *positions) {
  MemoryFile file(content);
  auto facts = read(file, "dir/file.so", positions);
  if (!facts) {
    core::Finding finding = core::toFinding(facts.takeError());
    ADD_FAILURE() << finding.message << ": " << finding.facts.back().text;
    return {};
  }
  return *facts;
}

core::BinaryFacts readFile(llvm::StringRef path, NotePositions *positions) {
  return readBytes(slurp(path), positions);
}

std::string readError(const std::string &content) {
  MemoryFile file(content);
  auto facts = read(file, "dir/file.so");
  if (facts)
    return "";
  core::Finding finding = core::toFinding(facts.takeError());
  EXPECT_TRUE(finding.code == core::Code::BrokenBinary ||
              finding.code == core::Code::LimitReached || finding.code == core::Code::Damaged)
      << finding.message;
  EXPECT_FALSE(finding.facts.empty());
  return finding.message;
}

core::ObjectRecord fullObject() { return {"cuda-cc-0.1.0", "12.4.131", "12.4", "gcc-12.2.0"}; }

core::LinkRecord fullLink() {
  core::LinkRecord record;
  record.tool = "cuda-cc-0.1.0";
  record.policy = "0123456789abcdef";
  record.targetCuda = "12.4";
  record.targetSpec = "torch==2.5.1";
  record.targetLibs = {{"libcublas.so.12", "12.4.5.8"}, {"libnvJitLink.so.12", "12.4.127"}};
  record.toolkitMax = record.toolkitMin = "12.4.131";
  record.host = "gcc-12.2.0";
  record.linker = "bfd-2.40";
  record.needed = {{"libcublas.so.12", "libnvJitLink.so.12"}};
  record.floor = {{"libnvJitLink.so.12", "12.4.99"}};
  record.rpath = "rpath";
  record.cudart = "static";
  record.noted = 3;
  record.unnoted = 0;
  record.waivers.emplace();
  return record;
}

} // namespace cudacc::binary::test
