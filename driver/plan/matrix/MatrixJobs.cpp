// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/MatrixJobs.h"
#include "driver/versions/Format.h"

namespace cudacc::plan {

using llvm::StringRef;

/// \p text in single quotes of YAML.
static std::string quoted(StringRef text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

/// The call of a job in a block of YAML that is indented by \p indent.
static std::string callOf(StringRef options, StringRef toolkit, StringRef build, unsigned indent) {
  std::string text = fmt::format("{0:{1}}cuda-cc matrix ", "", indent);
  for (char c : options)
    text += c == '\n' ? fmt::format("\n{:{}}", "", indent) : std::string(1, c);
  return fmt::format("{}{}--toolkit {} {}\n", text, options.empty() ? "" : " ", toolkit, build);
}

/// What the images lack; gcc and g++ for those without nvcc.
static constexpr StringRef packages = "git python3-venv ninja-build cmake", compilers = " gcc g++";

/// A line of YAML for each of \p kept, in the folder of \p build.
static std::string linesOf(llvm::ArrayRef<std::string> kept, StringRef build, unsigned indent,
                           bool isList) {
  std::string text;
  for (const std::string &each : kept) {
    std::string path = fmt::format(".cuda-cc/matrix/{}/{}", build, each);
    text += fmt::format("{:{}}{}\n", "", indent, isList ? "- " + quoted(path) : path);
  }
  return text;
}

/// As an option of the job's call names it.
static std::string toolkitOf(const MatrixPlan &plan, const MatrixBuild &build,
                             const MatrixJobs &jobs) {
  return jobs.fetch ? "fetch" : plan.inputs.toolkits[build.toolkit].cuda.str();
}

static constexpr StringRef acceptName = "CUDA_CC_ACCEPT_LICENSE", baseName = "CUDA_CC_REDIST_URL";

/// The variables of jobs that fetch, as a mapping of YAML that is indented by \p indent. \p base:
/// where the archives lie, as the CI system writes its own variable.
static std::string fetchVariables(const MatrixJobs::Fetch &fetch, StringRef key, StringRef base,
                                  unsigned indent) {
  std::string text = fmt::format("{:{}}{}:\n", "", indent, key);
  text += fmt::format("{:{}}# NVIDIA's license of the CUDA toolkit: {} accepts it.\n", "",
                      indent + 2, fetch.isAccepted ? "this" : "'1'");
  text += fmt::format("{:{}}{}: '{}'\n", "", indent + 2, acceptName, fetch.isAccepted ? "1" : "");
  if (fetch.hasArchives && !base.empty())
    text += fmt::format("{:{}}# NVIDIA's redistributable archives, or a mirror of them.\n"
                        "{:{}}{}: {}\n",
                        "", indent + 2, "", indent + 2, baseName, base);
  return text;
}

std::string githubWorkflow(const MatrixPlan &plan, const MatrixJobs &jobs) {
  std::string text = "# Made by: cuda-cc matrix --github\n"
                     "name: matrix\n"
                     "on: [push, pull_request]\n"
                     "permissions:\n"
                     "  contents: read\n"
                     "\n"
                     "jobs:\n"
                     "  matrix:\n"
                     "    runs-on: ubuntu-latest\n";
  if (jobs.fetch)
    text += "    container: ubuntu:22.04\n" +
            fetchVariables(*jobs.fetch, "env", "${{ vars.CUDA_CC_REDIST_URL }}", 4);
  else
    text += "    # Any image with nvcc of that version will do.\n"
            "    container: nvidia/cuda:${{ matrix.toolkit }}.0-devel-ubuntu22.04\n";
  text += "    strategy:\n"
          "      fail-fast: false\n"
          "      matrix:\n"
          "        include:\n";
  for (const MatrixBuild &build : plan.builds)
    text += fmt::format("          - build: {}\n"
                        "            toolkit: {}\n",
                        quoted(plan.nameOf(build)), quoted(toolkitOf(plan, build, jobs)));
  text += fmt::format(
      "    steps:\n"
      "      - run: apt-get update && apt-get install -y {}{}\n"
      "      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2\n"
      "      - run: |\n"
      "          python3 -m venv /opt/cuda-cc\n"
      "          /opt/cuda-cc/bin/python -m pip install --quiet cuda-cc\n"
      "          echo /opt/cuda-cc/bin >> \"$GITHUB_PATH\"\n"
      "      - run: |\n{}"
      "      - if: always()\n"
      "        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2\n"
      "        with:\n"
      "          name: ${{{{ matrix.build }}}}\n"
      "          path: |\n{}"
      "          include-hidden-files: true\n",
      packages, jobs.fetch ? compilers : "",
      callOf(jobs.options, "${{ matrix.toolkit }}", "${{ matrix.build }}", 10),
      linesOf(jobs.kept, "${{ matrix.build }}", 12, /*isList=*/false));
  return text;
}

std::string gitlabJob(const MatrixPlan &plan, const MatrixJobs &jobs) {
  std::string text = "# Made by: cuda-cc matrix --gitlab\n"
                     "matrix:\n";
  if (jobs.fetch)
    // CUDA_CC_REDIST_URL is a variable of the project.
    text += "  image: ubuntu:22.04\n" + fetchVariables(*jobs.fetch, "variables", "", 2);
  else
    text += "  # Any image with nvcc of that version will do.\n"
            "  image: nvidia/cuda:$TOOLKIT.0-devel-ubuntu22.04\n";
  text += "  parallel:\n"
          "    matrix:\n";
  for (const MatrixBuild &build : plan.builds)
    text += fmt::format("      - BUILD: {}\n"
                        "        TOOLKIT: {}\n",
                        quoted(plan.nameOf(build)), quoted(toolkitOf(plan, build, jobs)));
  text += fmt::format("  before_script:\n"
                      "    - apt-get update && apt-get install -y {}{}\n"
                      "    - python3 -m venv /opt/cuda-cc\n"
                      "    - /opt/cuda-cc/bin/python -m pip install --quiet cuda-cc\n"
                      "    - export PATH=\"/opt/cuda-cc/bin:$PATH\"\n"
                      "  script:\n"
                      "    - |\n{}"
                      "  artifacts:\n"
                      "    when: always\n"
                      "    paths:\n{}",
                      packages, jobs.fetch ? compilers : "",
                      callOf(jobs.options, "$TOOLKIT", "$BUILD", 6),
                      linesOf(jobs.kept, "$BUILD", 6, /*isList=*/true));
  return text;
}

} // namespace cudacc::plan
