// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/Job.h"

namespace cudacc::devlink {

namespace {
constexpr std::string_view jobMagic = "cuda-cc devlink job 2\n";
constexpr std::string_view replyMagic = "cuda-cc devlink reply 1\n";

/// Integers little-endian; texts and lists with their length in front.
class Writer {
public:
  std::string out;

  explicit Writer(std::string_view magic) : out(magic) {}
  void u8(uint8_t value) { out.push_back(static_cast<char>(value)); }
  void u64(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      u8(static_cast<uint8_t>(value >> shift));
  }
  void text(std::string_view value) {
    u64(value.size());
    out.append(value);
  }
  void version(const LibraryVersion &value) {
    u64(value.major);
    u64(value.minor);
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

  uint8_t u8(uint8_t largest) {
    if (rest.empty() || static_cast<uint8_t>(rest[0]) > largest)
      return fail();
    uint8_t value = static_cast<uint8_t>(rest[0]);
    rest.remove_prefix(1);
    return value;
  }
  uint64_t u64() {
    if (rest.size() < 8)
      return fail();
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
      value |= uint64_t(static_cast<uint8_t>(rest[i])) << (8 * i);
    rest.remove_prefix(8);
    return value;
  }
  uint32_t u32() {
    uint64_t value = u64();
    return value <= UINT32_MAX ? static_cast<uint32_t>(value) : fail();
  }
  bool flag() { return u8(1); }
  std::string text() { return std::string(view()); }
  std::string_view view() {
    uint64_t size = u64();
    if (size > rest.size()) {
      fail();
      return {};
    }
    std::string_view value = rest.substr(0, size);
    rest.remove_prefix(size);
    return value;
  }
  LibraryVersion version() {
    uint32_t major = u32();
    return {major, u32()};
  }
  /// Calls \p element as often as the list has elements; each takes at least eight bytes, so that
  /// no number makes it allocate more than the bytes are worth.
  template <typename T, typename Element> void list(std::vector<T> &values, Element element) {
    uint64_t count = u64();
    if (count > rest.size() / 8)
      fail();
    for (uint64_t i = 0; good && i < count; ++i)
      values.push_back(element());
  }

private:
  uint8_t fail() {
    good = false;
    rest = {};
    return 0;
  }

  std::string_view rest;
  bool good;
};
} // namespace

static void write(Writer &to, const Link &link) {
  to.u64(link.options.size());
  for (const std::string &option : link.options)
    to.text(option);
  to.u8(static_cast<uint8_t>(link.emit));
  to.u64(link.inputs.size());
  for (uint32_t input : link.inputs)
    to.u64(input);
}

static Link readLink(Reader &from) {
  Link link;
  from.list(link.options, [&] { return from.text(); });
  link.emit = static_cast<Emit>(from.u8(static_cast<uint8_t>(Emit::LtoIr)));
  from.list(link.inputs, [&] { return from.u32(); });
  return link;
}

static JobInput readInput(Reader &from) {
  JobInput input;
  input.kind = static_cast<JobInputKind>(from.u8(static_cast<uint8_t>(JobInputKind::Library)));
  input.name = from.text();
  input.bytes = from.view();
  from.u8(0);
  return input;
}

static void write(Writer &to, const LinkResult &result) {
  to.u8(result.ok);
  to.text(result.output);
  to.text(result.infoLog);
  to.text(result.errorLog);
  to.text(result.failure);
  to.u8(result.refused.has_value());
  if (result.refused)
    to.u64(*result.refused);
  to.u64(result.microseconds);
}

static LinkResult readResult(Reader &from) {
  LinkResult result;
  result.ok = from.flag();
  result.output = from.text();
  result.infoLog = from.text();
  result.errorLog = from.text();
  result.failure = from.text();
  if (from.flag())
    result.refused = from.u32();
  result.microseconds = from.u64();
  return result;
}

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
  to.u8(static_cast<uint8_t>(job.backend));
  to.text(job.library);
  to.u8(job.expected.has_value());
  if (job.expected)
    to.version(*job.expected);
  to.version(job.entryPoints);
  to.u64(job.inputs.size());
  for (const JobInput &input : job.inputs) {
    to.u8(static_cast<uint8_t>(input.kind));
    to.text(input.name);
    to.text(input.bytes);
    to.u8(0);
  }
  to.u64(job.links.size());
  for (const Link &link : job.links)
    write(to, link);
  to.text(job.packer);
  return std::move(to.out);
}

std::string encode(const Reply &reply) {
  Writer to(replyMagic);
  to.u8(static_cast<uint8_t>(reply.opening));
  to.text(reply.failure);
  to.version(reply.version);
  to.u8(reply.asExpected);
  to.u64(reply.results.size());
  for (const LinkResult &result : reply.results)
    write(to, result);
  to.text(reply.fatbin);
  to.text(reply.fatbinFailure);
  to.u64(reply.openMicroseconds);
  return std::move(to.out);
}

std::optional<Job> decodeJob(std::string_view bytes) {
  Reader from(bytes, jobMagic);
  Job job;
  job.backend = static_cast<JobBackend>(from.u8(static_cast<uint8_t>(JobBackend::Driver)));
  job.library = from.text();
  if (from.flag())
    job.expected = from.version();
  job.entryPoints = from.version();
  from.list(job.inputs, [&] { return readInput(from); });
  from.list(job.links, [&] { return readLink(from); });
  job.packer = from.text();
  if (!from.isComplete() || !isSound(job))
    return std::nullopt;
  return job;
}

std::optional<Reply> decodeReply(std::string_view bytes) {
  Reader from(bytes, replyMagic);
  Reply reply;
  reply.opening = static_cast<Opening>(from.u8(static_cast<uint8_t>(Opening::NoContext)));
  reply.failure = from.text();
  reply.version = from.version();
  reply.asExpected = from.flag();
  from.list(reply.results, [&] { return readResult(from); });
  reply.fatbin = from.text();
  reply.fatbinFailure = from.text();
  reply.openMicroseconds = from.u64();
  if (!from.isComplete())
    return std::nullopt;
  return reply;
}

} // namespace cudacc::devlink
