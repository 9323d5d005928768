// SPDX-License-Identifier: Apache-2.0
// gcc 12 and clang 14 to 19. Whether an option takes its value joined or in the next word was
// tested with gcc 12.2, clang 14.0 and 19.1: every option that they complete was run under -###
// with and without a value.

// Files and languages.
defm : Either<["-o"], Output>;
defm : Value<["--output"], Output>;
defm : Either<["-x"], Language>;
defm : Value<["--language"], Language>;
defm : Either<["-D", "-U", "-A", "-include", "-imacros", "-MF", "-MT", "-MQ"]>;
defm : Value<["--define-macro", "--undefine-macro", "--assert", "--include", "--imacros"]>;

// Include directories.
defm : Either<["-I"], Angle>;
defm : Value<["--include-directory"], Angle>;
defm : Either<["-iquote"], Quote>;
defm : Either<["-isystem"], System>;
defm : Either<["-idirafter"], After>;
defm : Value<["--include-directory-after"], After>;
defm : Either<["-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-F"]>;
defm : Value<["--include-prefix", "--include-with-prefix", "--include-with-prefix-after",
              "--include-with-prefix-before", "--sysroot"]>;
defm : Flag<["-nostdinc", "--no-standard-includes"], NoStdInc>;

// Linking.
defm : Either<["-L"], LibraryDir>;
defm : Value<["--library-directory"], LibraryDir>;
defm : Either<["-l"], Library>;
defm : Separate<["-Xlinker"], LinkerWord>;
defm : Value<["--for-linker"], LinkerWord>;
defm : Joined<["-Wl,"], LinkerList>;
defm : Joined<["-fuse-ld="], UseLinker>;
defm : Flag<["-shared", "--shared"], Shared>;
defm : Flag<["-static", "--static", "-static-pie"], Static>;
defm : Flag<["-nostdlib", "--no-standard-libraries"], NoStdLib>;
defm : Flag<["-nostartfiles", "-ffreestanding"], Freestanding>;
defm : Either<["-T"], LinkerScript>;
defm : Either<["-Tbss", "-Tdata", "-Ttext"], Freestanding>;
defm : Either<["-u", "-z", "-e", "-B"]>;
defm : Value<["--force-link", "--prefix"]>;
defm : Flag<["-r"], Relocatable>;

// Compilation phases.
defm : Flag<["-E", "--preprocess", "-M", "--dependencies", "-MM", "--user-dependencies"],
            Preprocess>;
defm : Flag<["-S", "--assemble", "-fsyntax-only"], NoObject>;
defm : Flag<["-c", "--compile"], Compile>;
defm : Flag<["-v", "--verbose"], Verbose>;
defm : Flag<["-###"], DryRun>;
defm : Flag<["--version", "-dumpversion", "-dumpmachine", "--help", "--target-help"], Probe>;
defm : Joined<["--help=", "-print-", "--print-"], Probe>;
defm : Separate<["--print-file-name", "--print-prog-name"], Probe>;
defm : Flag<["-fmodules", "-fmodules-ts"], ModuleUnit>;
defm : Joined<["-fmodule-", "-fdeps-format"], ModuleUnit>;
defm : Flag<["-MD", "--write-dependencies", "-MMD", "--write-user-dependencies"], Depfile>;
defm : Flag<["-MP"], PhonyTargets>;
defm : Joined<["-Wp,-MD", "-Wp,-MMD"], Depfile>;
// gcc writes macros with -g3, clang with -fdebug-macro.
defm : Flag<["-g3", "-ggdb3", "-gstabs3", "-gvms3", "-gxcoff3", "-fdebug-macro"], NamesHeaders>;

// Further options; clang alone, but nvcc's host compiler may be one.
defm : Value<["--config"], ConfigFile>;

// Values that cuda-cc ignores.
defm : Separate<["-Xassembler", "-Xpreprocessor", "--param"]>;
defm : Value<["--specs"]>;
defm : Separate<["-specs"]>;

#ifdef GCC
defm : Flag<["--pie"]>;
defm : Flag<["--static-pie"], Static>;
defm : Flag<["-dumpfullversion", "-dumpspecs"], Probe>;
defm : Either<["-R"], RpathDir>;
defm : Value<["--entry", "--for-assembler", "--dump"]>;
defm : Either<["-h", "-J", "-Hd", "-Hf", "-Xf", "-imultilib"]>;
defm : Separate<["-aux-info", "-gnatO", "-wrapper", "-dumpbase", "-dumpbase-ext", "-dumpdir",
                 "--dumpbase", "--dumpbase-ext", "--dumpdir", "-imultiarch",
                 "-fintrinsic-modules-path", "--intrinsic-modules-path", "--output-pch="]>;
#endif

#ifdef CLANG
defm : Flag<["--"], RestAreInputs>;
defm : Joined<["--cuda-path="], CudaPath>;
defm : Joined<["--ld-path="], UseLinker>;
defm : Separate<["-rpath"], RpathDir>;
defm : Either<["-isystem-after"], After>;
defm : Either<["-cxx-isystem", "-stdlib++-isystem"], System>;
defm : Flag<["-nostdlibinc"], NoStdInc>;
defm : Flag<["--analyze", "-emit-llvm", "-emit-ast", "-emit-interface-stubs", "-extract-api",
             "-rewrite-objc", "-verify-pch", "--migrate", "--cuda-device-only",
             "--offload-device-only", "-fdriver-only", "-module-file-info",
             "--precompile"], NoObject>;
defm : Flag<["-fcxx-modules"], ModuleUnit>;
defm : Flag<["-frecord-command-line", "-grecord-command-line", "-frecord-gcc-switches",
             "-grecord-gcc-switches"], NamesCommand>;
defm : Flag<["--emit-static-lib"], Archive>;
defm : Flag<["-cc1", "-cc1as", "-cc1gen-reproducer", "-help", "--help-hidden"], Probe>;
defm : Joined<["--autocomplete=", "-ccc-print-"], Probe>;
defm : Separate<["-ccc-gcc-name", "-ccc-install-dir", "-ccc-arcmt-migrate",
                 "-ccc-objcmt-migrate"]>;
defm : Separate<["-Xclang", "-Xanalyzer", "-Xcuda-fatbinary", "-Xcuda-ptxas", "-Xopenmp-target",
                 "-Xoffload-linker", "-mllvm", "-mmlir", "-target", "-arch", "-framework",
                 "-resource-dir", "-serialize-diagnostics", "-meabi", "-mthread-model", "-V",
                 "-fdebug-compilation-dir", "-fmodules-user-build-path", "-ftrapv-handler",
                 "-fxray-instruction-threshold", "-fexperimental-openacc-macro-override",
                 "-gen-cdb-fragment-path", "-module-dependency-dir", "-working-directory",
                 "-arcmt-migrate-report-output", "-filelist", "-force_load", "-image_base", "-init",
                 "-install_name", "-multiply_defined", "-read_only_relocs", "-weak_framework",
                 "-weak_library", "-weak_reference_mismatches", "-exported_symbols_list",
                 "-allowable_client", "-validator-version", "-hlsl-entry", "-imultilib"]>;
defm : Both<["-Xarch_", "-Xopenmp-target=", "-Xoffload-linker-"]>;
defm : Value<["--analyzer-output", "--resource", "--rtlib", "--serialize-diagnostics",
              "--std", "--stdlib", "--system-header-prefix", "--vfsoverlay"]>;
defm : Either<["-MJ", "-G", "-b", "-bundle_loader", "-client_name", "-compatibility_version",
               "-current_version", "-darwin-target-variant", "-darwin-target-variant-triple",
               "-dependency-dot", "-dependency-file", "-dsym-dir", "-dumpdir",
               "-dylib_file", "-dylinker_install_name",
               "-iapinotes-modules", "-iframework", "-iframeworkwithsysroot", "-include-pch",
               "-ivfsoverlay", "-iwithsysroot", "-lazy_framework", "-lazy_library", "-seg1addr",
               "-segs_read_only_addr", "-sub_library", "-sub_umbrella", "-umbrella", "-undefined",
               "-unexported_symbols_list", "-vfsoverlay"]>;
def : Several<"-sectobjectsymbols", 2>;
def : Several<"-segaddr", 2>;
def : Several<"-sectalign", 3>;
def : Several<"-sectcreate", 3>;
def : Several<"-sectorder", 3>;
def : Several<"-segcreate", 3>;
def : Several<"-segprot", 3>;
#endif
