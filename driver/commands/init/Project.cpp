#include "driver/commands/init/Project.h"
#include "driver/support/LockValue.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using llvm::StringRef;

static const support::LockValue *at(const support::LockValue *value,
                                    llvm::ArrayRef<StringRef> path) {
  for (StringRef key : path)
    value = value ? value->find(key) : nullptr;
  return value;
}

static void addList(Project &project, const support::LockValue *list, const std::string &name) {
  if (!list || !list->isList())
    return;
  for (const support::LockValue &item : list->items)
    if (item.isText())
      project.requirements.push_back({item.text, name, item.line});
}

/// Poetry writes an exact version without operator; its carets and wildcards are no specifiers, and
/// are left to fail as such.
static std::string poetryRequirement(StringRef name, StringRef constraint) {
  bool bare = !constraint.empty() && llvm::isDigit(constraint.front());
  return (name +
          (bare                ? "=="
           : constraint == "*" ? ""
                               : " ") +
          (constraint == "*" ? "" : constraint))
      .str();
}

static void addPoetry(Project &project, const support::LockValue *table) {
  if (!table || !table->isTable())
    return;
  for (size_t i = 0; i < table->keys.size(); ++i) {
    const support::LockValue &item = table->items[i];
    StringRef constraint = item.isText() ? StringRef(item.text) : item.textAt("version");
    if (table->keys[i] == "python")
      continue;
    if (item.isText() || !constraint.empty())
      project.requirements.push_back({poetryRequirement(table->keys[i], constraint.trim()),
                                      "tool.poetry.dependencies", item.line});
  }
}

llvm::Expected<Project> readProject(StringRef text, StringRef shown) {
  auto tree = support::parseTomlLock(text, shown);
  if (!tree)
    return tree.takeError();
  Project project;
  project.shown = shown.str();
  if (const support::LockValue *own = at(&*tree, {"tool", "cuda-cc"}))
    project.declaredAt = std::max(own->line, 1u);
  if (const support::LockValue *python = at(&*tree, {"project", "requires-python"}))
    project.requiresPython = python->isText() ? python->text : "";
  addList(project, at(&*tree, {"project", "dependencies"}), "dependencies");
  addPoetry(project, at(&*tree, {"tool", "poetry", "dependencies"}));
  if (const support::LockValue *extras = at(&*tree, {"project", "optional-dependencies"}))
    for (size_t i = 0; extras->isTable() && i < extras->keys.size(); ++i)
      addList(project, &extras->items[i], "extra " + extras->keys[i]);
  addList(project, at(&*tree, {"build-system", "requires"}), "build-system.requires");
  return project;
}

} // namespace cudacc::commands
