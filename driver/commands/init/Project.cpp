// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/init/Project.h"
#include "driver/probe/lock/LockReader.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace probe;

using llvm::StringRef;

static const support::Value *at(const support::Value *value, llvm::ArrayRef<StringRef> path) {
  for (StringRef key : path)
    value = value ? value->find(key) : nullptr;
  return value;
}

static void addList(Project &project, const support::Value *list, const std::string &name) {
  if (!list || !list->isList())
    return;
  for (const support::Value &item : list->items)
    if (item.isScalar())
      project.requirements.push_back({item.text, name, item.line});
}

/// Poetry writes an exact version without an operator. Its carets and wildcards are not PEP 440
/// specifiers, and later fail to parse as such.
static std::string poetryRequirement(StringRef name, StringRef constraint) {
  bool bare = !constraint.empty() && llvm::isDigit(constraint.front());
  return constraint == "*" ? name.str()
                           : fmt::format("{}{}{}", name, bare ? "==" : " ", constraint);
}

static void addPoetry(Project &project, const support::Value *table) {
  if (!table || !table->isTable())
    return;
  for (size_t i = 0; i < table->keys.size(); ++i) {
    const support::Value &item = table->items[i];
    StringRef constraint = item.isScalar() ? StringRef(item.text) : item.textAt("version");
    if (table->keys[i] == "python")
      continue;
    if (item.isScalar() || !constraint.empty())
      project.requirements.push_back({poetryRequirement(table->keys[i], constraint.trim()),
                                      "tool.poetry.dependencies", item.line});
  }
}

llvm::Expected<Project> readProject(StringRef text, StringRef shown) {
  auto tree = parseTomlLock(text, shown);
  if (!tree)
    return tree.takeError();
  Project project;
  project.shown = shown.str();
  if (const support::Value *own = at(&*tree, {"tool", "cuda-cc"}))
    project.declaredAt = std::max(own->line, 1u);
  if (const support::Value *python = at(&*tree, {"project", "requires-python"}))
    project.requiresPython = python->isScalar() ? python->text : "";
  addList(project, at(&*tree, {"project", "dependencies"}), "dependencies");
  addPoetry(project, at(&*tree, {"tool", "poetry", "dependencies"}));
  if (const support::Value *extras = at(&*tree, {"project", "optional-dependencies"}))
    for (size_t i = 0; extras->isTable() && i < extras->keys.size(); ++i)
      addList(project, &extras->items[i], "extra " + extras->keys[i]);
  addList(project, at(&*tree, {"build-system", "requires"}), "build-system.requires");
  return project;
}

} // namespace cudacc::commands
