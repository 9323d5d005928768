// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/text/Check.h"
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace report;
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr unsigned deepest = 7;
constexpr size_t copiesShown = 40;

} // namespace

/// Indexed by Diagnosis::Ends.
static constexpr llvm::StringLiteral endings[] = {"loads", "fails", "stops the process",
                                                  "ends at the call"};

/// The loader's words stay on one line if they fit, so that they can be pasted into a search.
static std::string predicted(const Diagnosis &diagnosis, Style style) {
  if (diagnosis.predicted.empty())
    return {};
  bool isOnDemand =
      llvm::any_of(diagnosis.judgement.verdict.findings,
                   [](const core::Finding &each) { return each.code == core::Code::OnDemand; });
  std::string label = fmt::format(
      "{}:", isOnDemand ? "opened on demand, cannot load here"
                        : versions::entryOf<Diagnosis::Ends::FirstCall>(endings, diagnosis.ends));
  return fmt::format("{:{}}{} {}\n", "", indent,
                     painted(label, isOnDemand ? Paint::Remark : Paint::Error, style),
                     wrapped(printable(diagnosis.predicted), indent + label.size() + 1, deeper));
}

static std::string loaded(const Diagnosis &diagnosis) {
  Rows rows;
  for (const core::LoadedCopy &copy : diagnosis.loaded)
    if (copy.isCuda && rows.size() < copiesShown)
      rows.push_back({printable(copy.name),
                      copy.version.empty() ? "unknown" : printable(copy.version),
                      printable(copy.broughtBy.empty() ? copy.because
                                                       : "loaded before, by " + copy.broughtBy)});
  if (rows.empty())
    return {};
  return fmt::format("{:{}}loaded\n{}", "", indent, table(rows, deeper));
}

static std::string remedies(const Diagnosis &diagnosis, Style style) {
  if (diagnosis.remedies.empty())
    return {};
  bool isSure = llvm::all_of(diagnosis.remedies, [](const policy::Remedy &remedy) {
    return remedy.after == core::Outcome::Accept;
  });
  std::string out =
      fmt::format("{:{}}{}, best first; after each of them: accept{}\n", "", indent,
                  painted("fix", Paint::Fix, style), isSure ? "" : ", once a driver is installed");
  unsigned number = 0;
  for (const policy::Remedy &remedy : diagnosis.remedies) {
    std::string head = fmt::format("{}. ", ++number);
    out += fmt::format("{:{}}{}{}\n", "", deeper, head,
                       wrapped(printable(remedy.text), deeper + head.size(), deepest));
    // Commands are never wrapped, so that they can be copied.
    for (const std::string &command : remedy.commands)
      out += fmt::format("{:{}}$ {}\n", "", deepest, printable(command));
    if (!remedy.price.empty())
      out += fmt::format("{:{}}but {}\n", "", deepest,
                         wrapped(printable(remedy.price), deepest + 4, deepest + 4));
  }
  return out;
}

static std::string driverText(const probe::RunningDriver &driver) {
  if (driver.isStub)
    return fmt::format("none: {} is the stub for linking", driver.path);
  if (driver.path.empty())
    return driver.kernel.empty() ? "none" : "none, but a kernel module " + driver.kernel;
  std::string out = driver.release.empty() ? "of unknown release" : driver.release;
  if (driver.cuda.known())
    out += fmt::format(" (CUDA {})", driver.cuda);
  if (!driver.kernel.empty() && driver.kernel != driver.release)
    out += ", kernel module " + driver.kernel;
  return fmt::format("{}, {}", out, driver.path);
}

/// The library that stands for a group: the CUDA runtime, or the main library of a family, such as
/// `libcudnn.so.9` for its parts.
static llvm::StringRef leader(llvm::ArrayRef<std::string> names) {
  for (llvm::StringRef known :
       {"libcudart.so", "libcublas.so", "libcudnn.so", "libcupti.so", "libnvrtc.so", "libnccl.so"})
    for (llvm::StringRef name : names)
      if (name.starts_with(known))
        return name;
  return names.front();
}

/// One row for the libraries of one wheel and folder.
static std::string copies(const DoctorReport &report) {
  struct Group {
    const policy::FoundCopy *first;
    std::vector<std::string> names;
  };
  auto folder = [](llvm::StringRef path) { return path.rsplit('/').first; };
  std::vector<Group> groups;
  for (const policy::FoundCopy &copy : report.copies) {
    auto same = llvm::find_if(groups, [&](const Group &group) {
      return group.first->dist == copy.dist && group.first->version == copy.version &&
             group.first->where == copy.where && folder(group.first->path) == folder(copy.path);
    });
    if (same == groups.end())
      same = groups.insert(same, Group{&copy, {}});
    same->names.push_back(copy.soname);
  }
  Rows rows;
  for (const Group &group : groups) {
    if (rows.size() == copiesShown)
      break;
    const policy::FoundCopy &copy = *group.first;
    std::string names = leader(group.names).str();
    if (group.names.size() > 1)
      names += fmt::format(" and {} more", group.names.size() - 1);
    std::string where;
    if (copy.where != "environment")
      where = fmt::format("{} {}", copy.where, folder(copy.path));
    rows.push_back({copy.dist.empty() ? "no wheel" : printable(copy.dist), printable(copy.version),
                    copy.cuda.known() ? fmt::format("CUDA {}", copy.cuda) : "", printable(names),
                    printable(where)});
  }
  std::string out;
  if (!rows.empty())
    out = fmt::format("{:{}}CUDA libraries\n{}", "", indent, table(rows, deeper));
  if (groups.size() > copiesShown)
    out += fmt::format("{:{}}and {} more; --format=json has all\n", "", deeper,
                       groups.size() - copiesShown);
  return out;
}

static std::string surroundings(const DoctorReport &report, bool all) {
  Rows rows;
  if (all)
    rows.push_back({"driver", printable(driverText(report.driver))});
  if (!report.python.empty())
    rows.push_back({"python", printable(report.python)});
  if (!report.before.empty())
    rows.push_back({"imported", "first: " + printable(llvm::join(report.before, ", "))});
  if (!report.libraryPath.empty()) {
    bool hasEmpty = llvm::is_contained(report.libraryPath, "");
    rows.push_back(
        {"search",
         fmt::format("LD_LIBRARY_PATH={}{}", printable(llvm::join(report.libraryPath, ":")),
                     hasEmpty ? " (an empty element is the working directory)" : "")});
  }
  if (all)
    for (const core::FoundToolkit &toolkit : report.toolkits)
      rows.push_back(
          {"toolkit", fmt::format("CUDA {}, {}", toolkit.cuda, printable(toolkit.root))});
  return table(rows, indent);
}

static std::string environmentHead(const DoctorReport &report) {
  std::string out = report.prefix.empty() ? "no Python environment" : printable(report.prefix);
  if (!report.torch.empty())
    out += ": torch " + printable(report.torch);
  if (report.line.known())
    out += fmt::format("{} CUDA {}", report.torch.empty() ? ":" : ",", report.line);
  else if (report.torch.empty() && !report.prefix.empty())
    out += ": no CUDA";
  return wrapped(out, 0, indent) + "\n";
}

static std::string fileText(const DoctorReport &report, const Diagnosis &diagnosis, Style style) {
  std::string out = checkHead(diagnosis.judgement, style);
  out += predicted(diagnosis, style);
  // What was tried comes before what was not.
  bool wasTried = !diagnosis.remedies.empty();
  out += checkBody(diagnosis.judgement, !wasTried, style);
  out += loaded(diagnosis);
  out += surroundings(report, false);
  out += remedies(diagnosis, style);
  return out + (wasTried ? fixLines(fixesOf(diagnosis.judgement.verdict), style) : "");
}

/// Errors of the environment, printed only if they left the files without a CUDA line.
static std::string environmentErrors(const DoctorReport &report, Style style) {
  if (report.line.known())
    return {};
  std::vector<core::Finding> errors;
  for (const core::Finding &each : report.problems)
    if (each.severity == core::Severity::Error)
      errors.push_back(each);
  return errors.empty() ? std::string() : "\n" + text(errors, style);
}

std::string doctorText(const DoctorReport &report, Style style) {
  std::string out;
  for (const Diagnosis &diagnosis : report.files)
    out += (out.empty() ? "" : "\n") + fileText(report, diagnosis, style);
  if (!report.files.empty())
    return out + environmentErrors(report, style);
  out = environmentHead(report) + surroundings(report, true) + copies(report);
  return out + text(report.problems, style);
}

} // namespace cudacc::commands
