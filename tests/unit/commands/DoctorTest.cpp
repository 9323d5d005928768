// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/json/Json.h"
#include "llvm/ADT/SmallVector.h"
#include "gmock/gmock.h"

using namespace cudacc;
using core::Code;
using testing::HasSubstr;
using testing::Not;

namespace {

commands::Diagnosis sick() {
  commands::Diagnosis diagnosis;
  diagnosis.judgement.path = "ext.so";
  diagnosis.judgement.runtime = "env:/w/.venv";
  diagnosis.judgement.line = {12, 4};
  core::Finding finding;
  finding.code = Code::NvJitLinkNewer;
  finding.message = "libcusparse.so.12 imports __nvJitLinkComplete_12_4";
  diagnosis.judgement.verdict.add(finding);
  diagnosis.ends = commands::Diagnosis::Ends::Fails;
  diagnosis.predicted = "/w/libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4, version "
                        "libnvJitLink.so.12";
  core::LoadedCopy copy;
  copy.name = "libnvJitLink.so.12";
  copy.path = "/old/libnvJitLink.so.12";
  copy.version = "12.0.140";
  copy.because = "LD_LIBRARY_PATH";
  copy.isCuda = true;
  diagnosis.loaded = {copy};
  copy.name = "libm.so.6";
  copy.isCuda = false;
  diagnosis.loaded.push_back(copy);
  policy::Remedy remedy;
  remedy.kind = policy::Remedy::Kind::Undo;
  remedy.text = "take /old out of LD_LIBRARY_PATH";
  remedy.commands = {"unset LD_LIBRARY_PATH"};
  remedy.price = "nothing";
  remedy.after = core::Outcome::Accept;
  diagnosis.remedies = {remedy};
  return diagnosis;
}

commands::DoctorReport surroundings() {
  commands::DoctorReport report;
  report.prefix = "/w/.venv";
  report.torch = "2.5.1+cu124";
  report.line = {12, 4};
  report.python = "/w/.venv/bin/python3";
  policy::FoundCopy copy;
  copy.soname = "libcublas.so.12";
  copy.path = "/w/s/nvidia/cublas/lib/libcublas.so.12";
  copy.where = "environment";
  copy.dist = "nvidia-cublas-cu12";
  copy.version = "12.4.5.8";
  copy.cuda = {12, 4};
  report.copies = {copy, copy};
  report.copies[1].soname = "libcublasLt.so.12";
  return report;
}

} // namespace

TEST(DoctorText, theVerdictThenTheLoadersWords) {
  commands::DoctorReport report = surroundings();
  report.files = {sick()};
  std::string text = commands::doctorText(report);
  EXPECT_THAT(text, testing::StartsWith("ext.so: reject on env:/w/.venv (CUDA 12.4)\n  fails: "));
  EXPECT_THAT(text, HasSubstr("[CC4002]"));
  EXPECT_THAT(text, HasSubstr("libnvJitLink.so.12  12.0.140  LD_LIBRARY_PATH\n"));
  EXPECT_THAT(text, HasSubstr("    1. take /old out of LD_LIBRARY_PATH\n"
                              "       $ unset LD_LIBRARY_PATH\n       but nothing\n"));
  EXPECT_THAT(text, Not(HasSubstr("libm.so.6")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(commands::doctorText(report, {true}), HasSubstr("\x1b"));
}

TEST(DoctorText, whatIsOpenedOnDemandIsNoFailure) {
  commands::DoctorReport report = surroundings();
  report.files = {sick()};
  commands::Diagnosis &file = report.files[0];
  file.judgement.verdict = {};
  core::Finding finding;
  finding.code = Code::OnDemand;
  finding.severity = core::Severity::Remark;
  file.judgement.verdict.add(finding);
  std::string text = commands::doctorText(report);
  EXPECT_THAT(text, HasSubstr("  opened on demand, cannot load here: /w/libcusparse.so.12:"));
  EXPECT_THAT(text, Not(HasSubstr("fails:")));
}

TEST(DoctorText, whatIsThere) {
  commands::DoctorReport report = surroundings();
  std::string text = commands::doctorText(report);
  EXPECT_THAT(text, testing::StartsWith("/w/.venv: torch 2.5.1+cu124, CUDA 12.4\n"));
  EXPECT_THAT(text, HasSubstr("  driver  none\n"));
  EXPECT_THAT(text,
              HasSubstr("nvidia-cublas-cu12  12.4.5.8  CUDA 12.4  libcublas.so.12 and 1 more\n"));
  report.driver.path = "/usr/lib/libcuda.so.1";
  report.driver.release = "550.54.15";
  report.driver.kernel = "535.104.05";
  report.driver.cuda = {12, 4};
  EXPECT_THAT(commands::doctorText(report),
              HasSubstr("550.54.15 (CUDA 12.4), kernel module 535.104.05, /usr/lib/libcuda.so.1"));
  report.driver.isStub = true;
  EXPECT_THAT(commands::doctorText(report), HasSubstr("none: /usr/lib/libcuda.so.1 is the stub"));
}

TEST(DoctorText, hostileNamesAreMadeSafe) {
  commands::DoctorReport report = surroundings();
  report.files = {sick()};
  report.files[0].predicted = "\x1b[31m\xff";
  report.files[0].remedies[0].commands = {"rm \x1b[0m"};
  report.copies[0].dist = "\x1b]0;";
  EXPECT_THAT(commands::doctorText(report), Not(HasSubstr("\x1b")));
  report.files.clear();
  EXPECT_THAT(commands::doctorText(report), Not(HasSubstr("\x1b")));
}

TEST(DoctorJson, hasTheKeysOfCheckAndItsOwn) {
  commands::DoctorReport report = surroundings();
  report.files = {sick()};
  std::string text = report::print(commands::doctorJson(report));
  for (const char *key :
       {"\"schema\": 1", "\"runtimes\"", "\"environment\"", "\"loaded\"", "\"predicted\"",
        "\"remedies\"", "\"ends\": \"fails\"", "\"kind\": \"undo\"", "\"after\": \"accept\"",
        "\"where\": \"environment\"", "\"driver\""})
    EXPECT_THAT(text, HasSubstr(key));
}

TEST(DoctorHtml, theEnvironmentHasItsSection) {
  commands::DoctorReport environment = surroundings();
  environment.copies[0].dist = "</dd><script>";
  report::HtmlReport page;
  page.title = commands::environmentTitle(environment);
  auto section = [&](report::HtmlWriter &html) { commands::environmentHtml(html, environment); };
  page.environment = section;
  std::string text = report::html(page);
  EXPECT_THAT(text, HasSubstr("<h1>/w/.venv: torch 2.5.1+cu124, CUDA 12.4</h1>"));
  EXPECT_THAT(text, HasSubstr("<h2>Environment</h2>"));
  EXPECT_THAT(text, HasSubstr("nvidia-cublas-cu12"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

TEST(DoctorHtml, aFileHasWhatItsProcessDoes) {
  commands::Diagnosis diagnosis = sick();
  report::HtmlProcess process = commands::processOf(diagnosis);
  EXPECT_EQ(process.predicted, diagnosis.predicted);
  EXPECT_EQ(process.loaded.size(), 2u);
  ASSERT_EQ(process.remedies.size(), 1u);
  EXPECT_EQ(process.remedies[0].commands, diagnosis.remedies[0].commands);
  EXPECT_EQ(process.remedies[0].after, core::Outcome::Accept);
}
