// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/Job.h"
#include <concepts>
#include <utility>

namespace cudacc::devlink {

namespace {
constexpr std::string_view jobMagic = "cuda-cc devlink job 2\n";
constexpr std::string_view replyMagic = "cuda-cc devlink reply 1\n";

/// The largest value of what is a byte.
template <typename T> constexpr auto last = true;
template <> constexpr auto last<JobBackend> = JobBackend::Driver;
template <> constexpr auto last<JobInputKind> = JobInputKind::Library;
template <> constexpr auto last<Emit> = Emit::LtoIr;
template <> constexpr auto last<Opening> = Opening::NoContext;
template <typename T>
concept IsByte = std::is_enum_v<T> || std::same_as<T, bool>;
template <typename T>
concept IsStruct = requires { T::members; };

/// Integers little-endian; texts and lists with their length in front. A NUL follows a view.
class Writer {
public:
  std::string out;

  explicit Writer(std::string_view magic) : out(magic) {}
  void put(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      out.push_back(static_cast<char>(value >> shift));
  }
  template <IsByte T> void put(T value) { out.push_back(static_cast<char>(value)); }
  void put(const std::string &value) {
    put(uint64_t(value.size()));
    out.append(value);
  }
  void put(std::string_view value) {
    put(uint64_t(value.size()));
    out.append(value).push_back('\0');
  }
  template <typename T> void put(const std::optional<T> &value) {
    put(value.has_value());
    if (value)
      put(*value);
  }
  template <typename T> void put(const std::vector<T> &values) {
    put(uint64_t(values.size()));
    for (const T &each : values)
      put(each);
  }
  template <IsStruct T> void put(const T &value) {
    std::apply([&](auto... member) { (put(value.*member), ...); }, T::members);
  }
};

/// After a failure every further value is empty.
class Reader {
public:
  Reader(std::string_view bytes, std::string_view magic) : rest(bytes), good(true) {
    if (rest.starts_with(magic))
      rest.remove_prefix(magic.size());
    else
      fail();
  }
  bool isComplete() const { return good && rest.empty(); }

  void take(uint64_t &value) {
    std::string_view bytes = cut(8);
    value = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
      value |= uint64_t(static_cast<uint8_t>(bytes[i])) << (8 * i);
  }
  void take(uint32_t &value) {
    uint64_t whole = 0;
    take(whole);
    value = whole <= UINT32_MAX ? static_cast<uint32_t>(whole) : fail();
  }
  template <IsByte T> void take(T &value) {
    std::string_view byte = cut(1);
    bool fits = !byte.empty() && static_cast<uint8_t>(byte[0]) <= static_cast<uint8_t>(last<T>);
    value = static_cast<T>(fits ? byte[0] : fail());
  }
  void take(std::string &value) {
    uint64_t size = 0;
    take(size);
    value = cut(size);
  }
  void take(std::string_view &value) {
    uint64_t size = 0;
    take(size);
    value = cut(size);
    if (std::string_view end = cut(1); !end.empty() && end[0])
      fail();
  }
  template <typename T> void take(std::optional<T> &value) {
    bool has = false;
    take(has);
    if (has)
      take(value.emplace());
  }
  /// Each element takes at least eight bytes, so that no number makes it allocate more than the
  /// bytes are worth.
  template <typename T> void take(std::vector<T> &values) {
    uint64_t count = 0;
    take(count);
    if (count > rest.size() / 8)
      fail();
    for (uint64_t i = 0; good && i < count; ++i)
      take(values.emplace_back());
  }
  template <IsStruct T> void take(T &value) {
    std::apply([&](auto... member) { (take(value.*member), ...); }, T::members);
  }

private:
  uint8_t fail() {
    good = false;
    rest = {};
    return 0;
  }
  std::string_view cut(uint64_t size) {
    if (size > rest.size()) {
      fail();
      return {};
    }
    std::string_view bytes = rest.substr(0, size);
    rest.remove_prefix(size);
    return bytes;
  }

  std::string_view rest;
  bool good;
};
} // namespace

/// What the reader takes of each value, and the linker relies on.
static bool isSound(const Job &job) {
  for (const JobInput &input : job.inputs)
    if (input.kind < JobInputKind::Cubin)
      return false;
  for (const Link &link : job.links)
    for (uint32_t input : link.inputs)
      if (input >= job.inputs.size())
        return false;
  return true;
}

std::string encode(const Job &job) {
  Writer to(jobMagic);
  size_t size = 1 << 10;
  for (const JobInput &input : job.inputs)
    size += input.bytes.size() + input.name.size() + 32;
  to.out.reserve(size);
  to.put(job);
  return std::move(to.out);
}

std::string encode(const Reply &reply) {
  Writer to(replyMagic);
  to.put(reply);
  return std::move(to.out);
}

std::optional<Job> decodeJob(std::string_view bytes) {
  Reader from(bytes, jobMagic);
  Job job;
  from.take(job);
  if (!from.isComplete() || !isSound(job))
    return std::nullopt;
  return job;
}

std::optional<Reply> decodeReply(std::string_view bytes) {
  Reader from(bytes, replyMagic);
  Reply reply;
  from.take(reply);
  if (!from.isComplete())
    return std::nullopt;
  return reply;
}

} // namespace cudacc::devlink
