// SPDX-License-Identifier: Apache-2.0
// Every option that takes a value or determines the kind of call, in every spelling. Options that
// do neither need no row: an unknown word that begins with a dash is passed on unchanged.
//
// One file, four tables: llvm-tblgen runs once for each of NVCC, GCC, CLANG and LINKER, because the
// same spelling has different meanings (-G, -t, -m, -e, -r). A row's group says what cuda-cc does
// with it. Inert is for options whose values must not be mistaken for inputs, and for nvcc's flags,
// all of which are listed.

include "llvm/Option/OptParser.td"

class Action : OptionGroup<"">;
def Inert : Action;
// Files and languages.
def Output : Action;
def Language : Action;
// Include directories, as in core::IncludeDir::Kind.
def Angle : Action;
def Quote : Action;
def System : Action;
def After : Action;
def NoStdInc : Action;
// Linking.
def LibraryDir : Action;
def Library : Action;
def LinkerWord : Action;
def LinkerList : Action;
def RpathDir : Action;
def BuildId : Action;
def UseLinker : Action;
def Shared : Action;
def Static : Action;
def NoStdLib : Action;
// The output is no ordinary program or library.
def Freestanding : Action;
def LinkerScript : Action;
def Cudart : Action;
// Compilation phases. NoObject stops before a host object or makes another kind of file.
def Preprocess : Action;
def NoObject : Action;
def Compile : Action;
def DeviceLink : Action;
def Relocatable : Action;
def Archive : Action;
def Run : Action;
def Probe : Action;
def DryRun : Action;
def Verbose : Action;
def ModuleUnit : Action;
// A depfile is written beside the object; its prerequisites are targets without rules.
def Depfile : Action;
def PhonyTargets : Action;
// The object contains the paths of headers, or the command line.
def NamesHeaders : Action;
def NamesCommand : Action;
// nvcc only.
def HostWords : Action;
def Ccbin : Action;
def OptionsFile : Action;
// Its value may be left out: an option does not count as one.
def MayLackValue : Action;
def Forward : Action;
// clang only, also as nvcc's host compiler.
def ConfigFile : Action;
// clang only.
def CudaPath : Action;
def RestAreInputs : Action;

class Spelling<string word, OptionKind kind, Action action>
    : Option<!if(!eq(!substr(word, 0, 2), "--"), ["--"], ["-"]),
             !if(!eq(!substr(word, 0, 2), "--"), !substr(word, 2), !substr(word, 1)), kind>,
      Group<action>;

multiclass Flag<list<string> words, Action action = Inert> {
  foreach word = words in def : Spelling<word, KIND_FLAG, action>;
}
/// `-o=X`, `-Wl,X`: the word includes everything before the value.
multiclass Joined<list<string> words, Action action = Inert> {
  foreach word = words in def : Spelling<word, KIND_JOINED, action>;
}
/// `--switch` and `--switch=true`.
multiclass Switch<list<string> words, Action action> {
  foreach word = words in {
    def : Spelling<word, KIND_FLAG, action>;
    def : Spelling<word#"=", KIND_JOINED, action>;
  }
}
/// `-o X`.
multiclass Separate<list<string> words, Action action = Inert> {
  foreach word = words in def : Spelling<word, KIND_SEPARATE, action>;
}
/// `-oX` and `-o X`.
multiclass Either<list<string> words, Action action = Inert> {
  foreach word = words in def : Spelling<word, KIND_JOINED_OR_SEPARATE, action>;
}
/// `--long X` and `--long=X`.
multiclass Value<list<string> words, Action action = Inert> {
  foreach word = words in {
    def : Spelling<word, KIND_SEPARATE, action>;
    def : Spelling<word#"=", KIND_JOINED, action>;
  }
}
/// `-IX`, `-I X` and `-I=X`.
multiclass Any<list<string> words, Action action = Inert> {
  foreach word = words in {
    def : Spelling<word, KIND_JOINED_OR_SEPARATE, action>;
    def : Spelling<word#"=", KIND_JOINED, action>;
  }
}
/// `-Xarch_device X`: an option with a joined and a separate value.
multiclass Both<list<string> words, Action action = Inert> {
  foreach word = words in def : Spelling<word, KIND_JOINED_AND_SEPARATE, action>;
}
/// `-sectcreate X Y Z`.
class Several<string word, int count> : Spelling<word, KIND_MULTIARG, Inert> {
  let NumArgs = count;
}

#ifdef NVCC
include "NvccOptions.td"
#endif
#ifdef GCC
include "HostOptions.td"
#endif
#ifdef CLANG
include "HostOptions.td"
#endif
#ifdef LINKER
include "LinkerOptions.td"
#endif
