# SPDX-License-Identifier: Apache-2.0
"""The exactness table: command lines whose results must not change when they run through cuda-cc (F1).

Class 1: the output equals the compiler's, byte for byte. Without a declared runtime this holds for every row. With
one, class 2: objects may contain a record, and lists of included files may have one more entry. Class 3: a link,
which may add search path entries, NEEDED entries, notes and a build-id; other files that the compiler writes
must have the same names and bytes.
"""

from dataclasses import dataclass, field


@dataclass
class Row:
    name: str
    """References held by the row: T, N, R and F numbers; `-` where it is only a phase."""
    ids: str
    """argv of the plain call. `nvcc` is the tests' nvcc by its absolute path; a word may hold
    {toolkit} or {work}."""
    argv: list
    cls: int = 1
    """Sources by name from SOURCES, or a dict of further names to text or bytes."""
    files: list = field(default_factory=list)
    """Plain calls made before the row, whose files it starts with."""
    prepare: list = field(default_factory=list)
    stdin: bytes = b""
    env: dict = field(default_factory=dict)
    """Exit status of the plain call: a row that does not do what it says is no test. A negative
    one is a signal; None: any."""
    status: int | None = 0
    """front: `cuda-cc ARGS` for nvcc; launcher: `cuda-cc COMPILER ARGS`."""
    call: str = "launcher"
    """Also with a runtime declared, which accepts."""
    declared: bool = True
    """Features that the row wants; without them it is left out and said so."""
    needs: tuple = ()
    """Outputs that are run (exe) or loaded (so) after a link."""
    exe: str = ""
    so: str = ""
    """Files whose bytes differ from one plain run to the next: only their existence counts."""
    volatile: tuple = ()
    """v: stderr of a link under -v, whose link line may differ; unordered: lines in any order;
    else a pattern of lines that may differ."""
    loose: str = ""
    """closed-stdin, jobserver, tty, signals, stdout-file: how the process is started."""
    start: str = ""


SOURCES = {
    "a.c": "int a(void) { return 3; }\n",
    "b.c": '#include "h.h"\nint b(void) { return H; }\n',
    "h.h": "#define H 5\n",
    "main.c": "int a(void);\nint main(void) { return a() - 3; }\n",
    "one.c": "int main(void) { return 0; }\n",
    "m.cpp": '#include "h.h"\ntemplate <class T> T twice(T x) { return x + x; }\n'
             "int m() { return twice(H); }\n",
    "main.cpp": 'extern "C" int puts(const char *);\nint main() { return puts("hello") < 0; }\n',
    "debug.c": "struct s { int i; };\nint debug(struct s *p) { int k = p->i; return k * k; }\n",
    "warn.c": "int w(void) { int unused; return 1; }\n",
    "bad.c": "int bad(void) { return missing; }\n",
    "ugly.cpp": "int f() { return 1 }\nint g() { return undeclared; }\n",
    "nofile.c": '#include "no such header.h"\n',
    "cuda.c": '#include <cuda.h>\n#include "h.h"\nstruct s { int i; };\n'
              "int c(struct s *p) { int k = p->i + H; return k * CUDA_VERSION; }\n",
    "asm.S": "#define V 7\n.globl v\nv: .long V\n.section .note.GNU-stack,\"\",@progbits\n",
    "raw.s": '.globl r\nr: .long 1\n.section .note.GNU-stack,"",@progbits\n',
    "string.c": "const char *s = S;\n",
    "pre.i": '# 1 "pre.c"\nint pre(void) { return 1; }\n',
    "pch.h": "#pragma once\ntemplate <class T> struct box { T t; };\n",
    "usepch.cpp": '#include "pch.h"\nint boxed() { return box<int>{4}.t; }\n',
    "mod.cpp": "export module mod;\nexport int answer() { return 42; }\n",
    "usemod.cpp": "import mod;\nint main() { return answer() - 42; }\n",
    "kept.c": "int k1(void) { return 1; }\nint k2(void) { return 2; }\n",
    "unresolved.c": "int cudaThreadSynchronize(void);\n"
                    "int u(void) { return cudaThreadSynchronize(); }\n",
    "sqrt.c": "double sqrt(double);\nvolatile double v = 4;\n"
              "int main(void) { return sqrt(v) != 2; }\n",
    "k.cu": "__global__ void k(int *p) { *p = 1; }\n",
    "k2.cu": '#include "h.h"\n__global__ void k2(int *p) { *p = H; }\n',
    "kmain.cu": "__global__ void k(int *p) { *p = 1; }\n"
                "int main(int n, char **) { if (n > 9) k<<<1, 1>>>(nullptr); return 0; }\n",
    "klib.cu": '__global__ void k(int *p) { *p = 1; }\n'
               'extern "C" void run(int *p) { k<<<1, 1>>>(p); }\n',
    "d.cu": "__device__ int f(int x) { return x + 1; }\n",
    "e.cu": "extern __device__ int f(int);\n__global__ void k(int *p) { *p = f(*p); }\n"
            "int main() { return 0; }\n",
    "empty.cu": "",
    "cuwarn.cu": "__global__ void k(int *p) { int unused; *p = 1; }\n",
    "cubad.cu": "__global__ void k(int *p) { *p = missing; }\n",
    "cudafe.cu": "__global__ void k(int *p) { *p = undeclared(1); }\n"
                 "__device__ int v = __host__only();\n",
    "hostbad.cu": "#ifndef __CUDA_ARCH__\nstatic_assert(sizeof(int) == 5);\n#endif\n",
    "cudef.cu": "__global__ void k(int *p) { *p = V; }\n",
}


def rows_by_group():
    import cuda_host
    import host
    import nvcc

    return {**host.GROUPS, **cuda_host.GROUPS, **nvcc.GROUPS}
