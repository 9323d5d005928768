#include "driver/tables/generate/Input.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <map>
#include <memory>

namespace cudacc::tables::generate {

using llvm::StringRef;
namespace json = llvm::json;

void fail(const llvm::Twine &problem) {
  llvm::errs() << "cudacc-gen-tables: error: " << problem << '\n';
  std::exit(1);
}

void Row::reject(const llvm::Twine &problem) const { fail(place + ": " + problem); }

const json::Value &Row::value(StringRef key) const {
  const json::Value *found = object->get(key);
  if (!found)
    reject("no \"" + key + "\"");
  return *found;
}

StringRef Row::text(StringRef key) const {
  auto found = value(key).getAsString();
  if (!found || found->empty())
    reject("\"" + key + "\" is no text");
  return *found;
}

StringRef Row::textOrNull(StringRef key) const {
  return value(key).kind() == json::Value::Null ? StringRef() : asText(value(key));
}

bool Row::flag(StringRef key) const {
  auto found = value(key).getAsBoolean();
  if (!found)
    reject("\"" + key + "\" is neither true nor false");
  return *found;
}

std::optional<bool> Row::flagOrNull(StringRef key) const {
  return value(key).kind() == json::Value::Null ? std::nullopt : std::optional(flag(key));
}

const json::Array &Row::array(StringRef key) const {
  const json::Array *found = value(key).getAsArray();
  if (!found)
    reject("\"" + key + "\" is no list");
  return *found;
}

const json::Object &Row::map(StringRef key) const {
  const json::Object *found = value(key).getAsObject();
  if (!found)
    reject("\"" + key + "\" is no object");
  return *found;
}

std::vector<StringRef> Row::texts(StringRef key) const { return asTexts(value(key)); }

unsigned Row::number(StringRef key) const {
  auto found = value(key).getAsInteger();
  if (!found || *found < 0 || *found > std::numeric_limits<unsigned>::max())
    reject("\"" + key + "\" is no number");
  return unsigned(*found);
}

std::vector<Row> Row::rows(StringRef key) const {
  std::vector<Row> all;
  for (const json::Value &each : array(key)) {
    if (!each.getAsObject())
      reject("\"" + key + "\" holds something else than objects");
    all.emplace_back(*each.getAsObject(), place +
                                              (key == "rows" ? ": row " : ": " + key.str() + " ") +
                                              std::to_string(all.size() + 1));
  }
  return all;
}

StringRef Row::asText(const json::Value &value) const {
  auto found = value.getAsString();
  if (!found)
    reject("a text is expected");
  return *found;
}

std::vector<StringRef> Row::asTexts(const json::Value &value) const {
  if (!value.getAsArray())
    reject("a list is expected");
  std::vector<StringRef> all;
  for (const json::Value &each : *value.getAsArray())
    all.push_back(asText(each));
  return all;
}

unsigned Row::asIndex(const json::Value &value) const {
  auto found = value.getAsInteger();
  if (!found || *found < 0 || *found >= 65535)
    reject("an index is expected");
  return unsigned(*found);
}

versions::CudaVersion Row::asCuda(StringRef value) const {
  auto numbers = asNumbers(value, 2);
  return {numbers[0], numbers[1]};
}

versions::Version Row::asVersion(StringRef value) const {
  auto version = versions::Version::parse(value);
  if (!version)
    reject("\"" + value + "\" is no version");
  return *version;
}

std::vector<uint8_t> Row::asNumbers(StringRef value, size_t count) const {
  std::vector<uint8_t> numbers;
  llvm::SmallVector<StringRef, 4> parts;
  value.split(parts, '.');
  for (StringRef part : parts) {
    unsigned number;
    if (part.getAsInteger(10, number) || number >= 255)
      reject("\"" + value + "\" is no release number");
    numbers.push_back(uint8_t(number));
  }
  if (numbers.size() != count)
    reject("\"" + value + "\" does not have " + llvm::Twine(count) + " numbers");
  return numbers;
}

static const json::Object &load(StringRef path) {
  // Kept for the life of the program: rows point into the values.
  static std::vector<std::unique_ptr<json::Value>> kept;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    fail(path + ": " + buffer.getError().message());
  auto parsed = json::parse((*buffer)->getBuffer());
  if (!parsed)
    fail(path + ": " + llvm::toString(parsed.takeError()));
  kept.push_back(std::make_unique<json::Value>(std::move(*parsed)));
  const json::Object *object = kept.back()->getAsObject();
  if (!object)
    fail(path + ": the file is no object");
  return *object;
}

std::vector<Row> Input::rows(StringRef name, StringRef key) {
  std::vector<Row> all;
  for (const std::string &folder : folders) {
    std::string path = folder + "/" + name.str() + ".json";
    if (&folder != &folders.front() && !llvm::sys::fs::exists(path))
      continue;
    Row file(load(path), path);
    for (const Row &row : file.rows(key))
      all.push_back(row);
  }
  return all;
}

std::vector<Row> Input::files(StringRef folder) {
  std::map<std::string, std::string> paths;
  for (const std::string &each : folders) {
    std::error_code error;
    std::string inside = each + "/" + folder.str();
    llvm::sys::fs::directory_iterator it(inside, error), end;
    if (error && &each == &folders.front())
      fail(inside + ": " + error.message());
    for (; !error && it != end; it.increment(error))
      if (llvm::sys::path::extension(it->path()) == ".json")
        paths[llvm::sys::path::filename(it->path()).str()] = it->path();
  }
  std::vector<Row> all;
  for (const auto &[name, path] : paths)
    all.emplace_back(load(path), path);
  return all;
}

} // namespace cudacc::tables::generate
