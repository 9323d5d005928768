#include "driver/commands/explain/ExplanationJson.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace report;
using llvm::json::Object;
using llvm::json::Value;

static Value factJson(const core::Fact &fact) {
  return Object{{"label", fixed(fact.label)}, {"text", fixed(fact.text)}};
}

static Value messageJson(const explain::Explanation &message) {
  Object values;
  for (const auto &[name, value] : message.values)
    values[key(name)] = fixed(value);
  return Object{{"id", message.id},
                {"family", message.family},
                {"message", fixed(message.message)},
                {"line", int64_t(message.line)},
                {"count", int64_t(message.count)},
                {"what", fixed(message.what)},
                {"values", std::move(values)},
                {"facts", array(message.facts, factJson)},
                {"causes", strings(message.causes)},
                {"fixes", strings(message.fixes)},
                {"source", fixed(message.source)}};
}

Value explanationJson(const explain::Explained &explained, llvm::ArrayRef<std::string> next) {
  Object out{{"schema", 1}, {"messages", array(explained.messages, messageJson)}};
  put(out, "runtime", explained.runtime);
  if (explained.more)
    out["more"] = int64_t(explained.more);
  if (explained.messages.empty())
    out["next"] = strings(next);
  return out;
}

} // namespace cudacc::commands
