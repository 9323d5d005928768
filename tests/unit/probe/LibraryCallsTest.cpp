// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/LibraryCalls.h"
#include <gmock/gmock.h>

using namespace cudacc;
using probe::libraryCalls;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

/// The line of the call that may open the library; 0 if none may.
unsigned lineFor(llvm::StringRef source, llvm::StringRef library) {
  auto calls = libraryCalls(source, "p/load.py");
  const core::LibraryCall *call = probe::callFor(calls, library);
  return call ? call->line : 0;
}

TEST(LibraryCalls, ALiteralOfTheCallSaysWhich) {
  auto calls =
      libraryCalls("import ctypes\n\nlib = ctypes.CDLL(\"libfoo.so.1\")  # once\n", "p/a.py");
  ASSERT_THAT(calls, SizeIs(1));
  EXPECT_EQ(calls[0].file, "p/a.py");
  EXPECT_EQ(calls[0].line, 3u);
  EXPECT_EQ(calls[0].text, "lib = ctypes.CDLL(\"libfoo.so.1\")  # once");
  EXPECT_THAT(calls[0].names, ElementsAre("libfoo.so.1"));
  EXPECT_EQ(probe::callFor(calls, "libbar.so.1"), nullptr);
}

TEST(LibraryCalls, ElseThoseOfTheFileDo) {
  const char *source = "soname = 'librmm.so'\n"
                       "def load(name):\n"
                       "    return ctypes.CDLL(os.path.join(here, 'lib64', name), FLAG)\n";
  EXPECT_EQ(lineFor(source, "librmm.so"), 3u);
  EXPECT_EQ(lineFor(source, "librmm.so.26"), 3u);
  EXPECT_EQ(lineFor(source, "libcudf.so"), 0u);
}

TEST(LibraryCalls, PlaceholdersAndGlobsStandForAnything) {
  EXPECT_EQ(lineFor("ct.cdll.LoadLibrary(f'{here}/libbits_cuda{v.major}{v.minor}.so')",
                    "libbits_cuda124.so"),
            1u);
  EXPECT_EQ(lineFor("CDLL('libbits_%s.so' % x)", "libbits_cpu.so"), 1u);
  EXPECT_EQ(lineFor("CDLL('libbits_{}.so'.format(x))", "libbits_cpu.so"), 1u);
  EXPECT_EQ(lineFor("CDLL('lib/libcublas.so.' + major)", "libcublas.so.12"), 1u);
  EXPECT_EQ(lineFor("CDLL('lib/libcublas.so.' + major)", "libcublasLt.so.12"), 0u);
  EXPECT_EQ(lineFor("for f in glob('libcublas.so.*[0-9]'):\n  CDLL(f)", "libcublas.so.12"), 2u);
  const char *all = "for f in glob(site + '/nvidia/*/lib/lib*.so.*'):\n  CDLL(f)";
  EXPECT_EQ(lineFor(all, "libcublas.so.12"), 2u);
  EXPECT_EQ(lineFor(all, "libbits_cpu.so.1"), 0u);
  EXPECT_EQ(lineFor("CDLL(f'{site}/nvidia/{x}/lib/lib{x}.so.{n}')", "libcublas.so.12"), 1u);
  // None of these calls shows which library it opens.
  EXPECT_EQ(lineFor("CDLL(f'{name}.so')", "libbits_cpu.so"), 0u);
  EXPECT_EQ(lineFor("for f in glob('lib*.so'):\n  CDLL(f)", "libbits_cpu.so"), 0u);
}

TEST(LibraryCalls, ThoseOfOtherSystemsOpenNothingHere) {
  const char *source = "name = 'libcublas.so.12'\n"
                       "CDLL('vcruntime140.dll')\n"
                       "CDLL(name)\n";
  EXPECT_EQ(lineFor(source, "libcublas.so.12"), 3u);
  EXPECT_EQ(lineFor("CDLL('libfoo.dylib' if mac else 'libfoo.so')", "libfoo.so"), 1u);
}

TEST(LibraryCalls, PathfindersNamesAreShort) {
  EXPECT_EQ(lineFor("load_nvidia_dynamic_lib(\"cufile\")", "libcufile.so.0"), 1u);
  EXPECT_EQ(lineFor("load_nvidia_dynamic_lib(\"cublas\")", "libcublasLt.so.12"), 0u);
  EXPECT_EQ(lineFor("CDLL(\"cufile\")", "libcufile.so.0"), 0u);
}

TEST(LibraryCalls, OthersOpenLibrariesToo) {
  EXPECT_EQ(lineFor("torch.ops.load_library(path / 'libtorchaudio.so')", "libtorchaudio.so"), 1u);
  EXPECT_EQ(lineFor("_load('libtorchaudio')\ntorch.ops.load_library(p)", "libtorchaudio.so"), 2u);
  EXPECT_EQ(lineFor("lib = ffi.dlopen(\n    'libfoo.so'\n)", "libfoo.so"), 1u);
  EXPECT_EQ(lineFor("PyDLL ('libfoo.so')", "libfoo.so"), 1u);
}

TEST(LibraryCalls, WhatOnlyLooksLikeACallIsNone) {
  EXPECT_THAT(libraryCalls("# ctypes.CDLL('libfoo.so')\n", ""), IsEmpty());
  EXPECT_THAT(libraryCalls("\"\"\"ctypes.CDLL('libfoo.so')\"\"\"\n", ""), IsEmpty());
  EXPECT_THAT(libraryCalls("text = \"ctypes.CDLL('libfoo.so')\"\n", ""), IsEmpty());
  EXPECT_THAT(libraryCalls("def load_library(name='libfoo.so'):\n  pass\n", ""), IsEmpty());
  EXPECT_THAT(libraryCalls("class CDLL(Base):\n  pass\n", ""), IsEmpty());
  EXPECT_THAT(libraryCalls("lib: ctypes.CDLL = None\n", ""), IsEmpty());
}

TEST(LibraryCalls, TheOpenedNameCountsMoreThanTheSearchedFolder) {
  EXPECT_EQ(lineFor("os.add_dll_directory(d)\nfor f in glob('libcupti.so.*'):\n  CDLL(f)",
                    "libcupti.so.12"),
            3u);
  EXPECT_EQ(lineFor("os.add_dll_directory('libfoo.so')", "libfoo.so"), 1u);
}

TEST(LibraryCalls, TheFunctionAroundItIsNamed) {
  auto functionOf = [](llvm::StringRef source) {
    auto calls = libraryCalls(source, "");
    return calls.empty() ? "none" : calls.back().function;
  };
  EXPECT_EQ(functionOf("CDLL('libfoo.so')"), "");
  EXPECT_EQ(functionOf("def a(x=f(1)):\n  def b():\n    pass\n  CDLL('libfoo.so')"), "a");
  EXPECT_EQ(functionOf("def a():\n  pass\ndef b():\n  CDLL('libfoo.so')"), "b");
  EXPECT_EQ(functionOf("def a():\n  pass\nCDLL('libfoo.so')"), "");
  EXPECT_EQ(functionOf("def a():\n  pass\nif x:\n  CDLL('libfoo.so')"), "");
  // Any code may call a method.
  EXPECT_EQ(functionOf("class A:\n  def a(self):\n    CDLL('libfoo.so')"), "");
}

TEST(LibraryCalls, APlainNameIsWhatTheLoaderLooksFor) {
  auto isOpened = [](llvm::StringRef source) {
    return probe::callFor(libraryCalls(source, ""), "libtbb.so.12", /*byName=*/false) != nullptr;
  };
  EXPECT_FALSE(isOpened("CDLL('libtbb.so.12')"));
  EXPECT_FALSE(isOpened("ctypes.CDLL( \"libtbb.so.12\", mode=RTLD_GLOBAL)"));
  EXPECT_TRUE(isOpened("CDLL('lib/libtbb.so.12')"));
  EXPECT_TRUE(isOpened("CDLL(here / 'libtbb.so.12')"));
  EXPECT_TRUE(isOpened("CDLL('libtbb.so.12'.join(x))"));
  EXPECT_TRUE(isOpened("CDLL(f'libtbb.so.{n}')"));
  EXPECT_TRUE(isOpened("load_library('libtbb.so.12')"));
  EXPECT_TRUE(isOpened("CDLL('libtbb.so.12')\nCDLL(os.path.join(d, 'libtbb.so.12'))"));
  EXPECT_EQ(lineFor("CDLL('libtbb.so.12')", "libtbb.so.12"), 1u);
  EXPECT_THAT(libraryCalls("CDLL('", ""), SizeIs(1));
}

TEST(LibraryCalls, LibrariesOfOtherSystemsAreNoMatter) {
  EXPECT_EQ(lineFor("CDLL('vcruntime140.dll')\nfor f in glob('libcupti.so.*'):\n  CDLL(f)",
                    "libcupti.so.12"),
            3u);
  EXPECT_THAT(libraryCalls("x = 'libfoo.so'\nCDLL('libfoo.dylib')", ""), IsEmpty());
  EXPECT_EQ(lineFor("CDLL('foo.dll' if w else 'libfoo.so')", "libfoo.so"), 1u);
}

TEST(LibraryCalls, WhatIsNoTextIsNotSearched) {
  EXPECT_EQ(probe::whyUnsearchable("CDLL('libfoo.so')  # \xc3\xa9\n"), "");
  EXPECT_EQ(probe::whyUnsearchable("CDLL('libfoo.so')  # \xe9\n"), "it is not UTF-8");
  // Such bytes are not part of a call in any encoding that contains ASCII's letters.
  EXPECT_EQ(probe::whyUnsearchable("x = 1  # \xe9\n"), "");
  EXPECT_EQ(probe::whyUnsearchable("# -*- coding: latin-1 -*-\nCDLL('libfoo.so')  # \xe9\n"), "");
  EXPECT_EQ(probe::whyUnsearchable("#!/usr/bin/python\n# vim: fileencoding=Windows_1252\n"
                                   "CDLL('l')  # \xe9"),
            "");
  EXPECT_EQ(probe::whyUnsearchable("\n# coding=utf-7\n"), "its encoding is utf-7");
  EXPECT_EQ(probe::whyUnsearchable("\n\n# coding=utf-7\n"), "");
  EXPECT_EQ(probe::whyUnsearchable("x = 'coding=utf-7'\n"), "");
  EXPECT_EQ(probe::whyUnsearchable(""), "");
}

TEST(LibraryCalls, BrokenSourceEndsNothing) {
  EXPECT_EQ(lineFor("x = 'never closed\nCDLL('libfoo.so')\n", "libfoo.so"), 2u);
  EXPECT_EQ(lineFor("CDLL(f'{'\nlibfoo", "libfoo.so"), 0u);
  EXPECT_THAT(libraryCalls("CDLL(", ""), SizeIs(1));
  EXPECT_THAT(libraryCalls("CDLL('\\", ""), SizeIs(1));
  EXPECT_THAT(libraryCalls("CDLL('[", ""), SizeIs(1));
}

// Neither takes quadratic time or memory.
TEST(LibraryCalls, LargeSourcesEnd) {
  std::string many = "CDLL(x)\n'libfoo.so'\n", all;
  for (int i = 0; i < 2000; ++i)
    all += many;
  EXPECT_THAT(libraryCalls(all, ""), SizeIs(1000));
  EXPECT_THAT(libraryCalls("CDLL('libfoo.so." + std::string(1 << 18, '?') + "')", ""), SizeIs(1));
}

TEST(LibraryCalls, LinesAreCounted) {
  EXPECT_EQ(lineFor("'''a\nb'''\nx = 'c\\\nd'\nCDLL('libfoo.so')", "libfoo.so"), 5u);
}

} // namespace
