// SPDX-License-Identifier: Apache-2.0
// Words forwarded by -Wl, and -Xlinker: options of GNU ld 2.40 (`ld --help`). gold, lld and mold
// agree for the options they support. Long names take one dash or two.

multiclass LinkerValue<list<string> names, Action action = Inert> {
  defm : Value<!foreach(name, names, "-"#name), action>;
  defm : Value<!foreach(name, names, "--"#name), action>;
}
multiclass LinkerFlag<list<string> names, Action action> {
  defm : Flag<!foreach(name, names, "-"#name), action>;
  defm : Flag<!foreach(name, names, "--"#name), action>;
}

defm : Either<["-o"], Output>;
defm : Value<["--output"], Output>;
defm : Either<["-l"], Library>;
defm : LinkerValue<["library"], Library>;
defm : Either<["-L"], LibraryDir>;
defm : LinkerValue<["library-path"], LibraryDir>;
defm : Either<["-R"], RpathDir>;
defm : LinkerValue<["rpath"], RpathDir>;
defm : LinkerFlag<["build-id"], BuildId>;
defm : Joined<["-build-id=", "--build-id="], BuildId>;
defm : LinkerFlag<["shared", "Bshareable"], Shared>;
defm : Flag<["-r", "-i"], Relocatable>;
defm : LinkerFlag<["relocatable"], Relocatable>;
defm : LinkerFlag<["version", "help", "target-help"], Probe>;

defm : Either<["-T"], LinkerScript>;
defm : LinkerValue<["script", "default-script"], LinkerScript>;
defm : Separate<["-dT"], LinkerScript>;
defm : LinkerValue<["oformat", "Tbss", "Tdata", "Ttext"], Freestanding>;
defm : LinkerFlag<["nostdlib"], Freestanding>;
defm : Either<["-A", "-b", "-e", "-f", "-F", "-h", "-I", "-m", "-P", "-u", "-y", "-Y", "-z"]>;
defm : Separate<["-a", "-c", "-G"]>;
defm : LinkerValue<["architecture", "assert", "audit", "auxiliary", "defsym",
                    "depaudit", "dependency-file", "dynamic-linker", "dynamic-list", "entry",
                    "error-handling-script", "exclude-libs", "export-dynamic-symbol",
                    "export-dynamic-symbol-list", "filter", "fini", "format", "gpsize",
                    "ignore-unresolved-symbol", "init", "just-symbols", "Map", "mri-script",
                    "out-implib", "plugin", "plugin-opt", "require-defined",
                    "retain-symbols-file", "rpath-link", "section-start", "soname",
                    "sort-section", "spare-dynamic-tags", "task-link", "Ttext-segment",
                    "Trodata-segment", "Tldata-segment", "trace-symbol", "undefined", "version-exports-section", "version-script", "wrap"]>;
