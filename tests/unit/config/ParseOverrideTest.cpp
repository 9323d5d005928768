// SPDX-License-Identifier: Apache-2.0
#include "driver/config/ParseOverride.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

llvm::Expected<SeverityChange> parseAs(llvm::StringRef text, const SeverityChange *) {
  return config::parseSeverityChange(text);
}

llvm::Expected<Waiver> parseAs(llvm::StringRef text, const Waiver *) {
  return config::parseWaiver(text);
}

template <typename T> Finding refused(llvm::StringRef text) {
  auto parsed = parseAs(text, static_cast<const T *>(nullptr));
  if (parsed) {
    ADD_FAILURE() << text.str() << " was accepted";
    return {};
  }
  return toFinding(parsed.takeError());
}

std::string because(const Finding &finding) {
  for (const Fact &fact : finding.facts)
    if (fact.label == "because")
      return fact.text;
  return "";
}

SeverityChange severity(llvm::StringRef text) {
  return llvm::cantFail(config::parseSeverityChange(text));
}
Waiver waiver(llvm::StringRef text) { return llvm::cantFail(config::parseWaiver(text)); }

} // namespace

TEST(SeverityChange, namesOfARule) {
  for (const char *text : {"CC3005=warning", "cc3005 = warning", "3005=warning", "E_FLOOR=warning"})
    EXPECT_THAT(severity(text).rule.codes, ElementsAre(Code::Floor)) << text;
  EXPECT_EQ(severity("cc3005= warning").str(), "CC3005=warning");
  EXPECT_EQ(severity("e_floor=remark").str(), "E_FLOOR=remark");
  EXPECT_EQ(severity("AV-W01=error").rule.codes, std::vector{Code::NewerButUnused});
}

// A class that several codes share stands for all of them, not for the first.
TEST(SeverityChange, aClassOfSeveralCodes) {
  EXPECT_THAT(severity("E_TARGET_NEWER=warning").rule.codes,
              ElementsAre(Code::TargetNewer, Code::HeadersNewer, Code::LibraryNewer));
}

TEST(SeverityChange, rulesThatAreNone) {
  EXPECT_THAT(refused<SeverityChange>("E_FLOR=warning").fixes, ElementsAre("write E_FLOOR"));
  EXPECT_THAT(refused<SeverityChange>("CC3999=warning").message, HasSubstr("\"CC3999\""));
  EXPECT_EQ(refused<SeverityChange>("").code, Code::BadValue);
  EXPECT_EQ(refused<SeverityChange>("=error").code, Code::BadValue);
}

TEST(SeverityChange, severitiesThatAreNone) {
  EXPECT_THAT(refused<SeverityChange>("CC3005=warn").fixes, ElementsAre("write CC3005=warning"));
  EXPECT_THAT(refused<SeverityChange>("CC3005=eror").fixes, ElementsAre("write CC3005=error"));
  EXPECT_THAT(refused<SeverityChange>("CC3005").message, HasSubstr("no severity"));
  EXPECT_THAT(refused<SeverityChange>("CC3005=off").fixes, IsEmpty());
}

TEST(SeverityChange, unknownIsNeverLess) { // MD-3
  EXPECT_EQ(severity("CC2101=error").severity, Severity::Error) << "a remark by itself";
  EXPECT_EQ(severity("U_CONFLICT=error").severity, Severity::Error);
  for (const char *text : {"CC2001=warning", "U_CONFLICT=remark", "AV-U04=warning", "2013=remark"})
    EXPECT_THAT(because(refused<SeverityChange>(text)), HasSubstr("never accepted")) << text;
}

TEST(SeverityChange, whatIsWrongWithTheCallIsNotUpForChoice) {
  for (const char *text : {"CC1003=warning", "CC1001=error", "E_USAGE=remark", "CC9001=warning"})
    EXPECT_THAT(because(refused<SeverityChange>(text)), HasSubstr("the call failed")) << text;
}

TEST(SeverityChange, lowersIsAgainstTheRulesOwn) {
  EXPECT_TRUE(severity("CC3005=warning").lowers());
  EXPECT_TRUE(severity("CC4102=remark").lowers());
  EXPECT_FALSE(severity("CC4102=warning").lowers());
  EXPECT_FALSE(severity("CC4102=error").lowers());
  EXPECT_FALSE(severity("CC4203=remark").lowers());
}

TEST(Waiver, parts) {
  Waiver one = waiver("CC4003 libfoo.so.1: the application loads it: always");
  EXPECT_THAT(one.rule.codes, ElementsAre(Code::NotFound));
  EXPECT_EQ(one.what, "libfoo.so.1");
  EXPECT_EQ(one.reason, "the application loads it: always");
  EXPECT_EQ(one.str(), "CC4003 libfoo.so.1: the application loads it: always");
  EXPECT_EQ(waiver("av-e03 :x").str(), "AV-E03: x");
  EXPECT_EQ(waiver("CC4106:  why  ").what, "");
}

TEST(Waiver, needsAReason) {
  for (const char *text : {"CC4003", "CC4003 libfoo.so", "CC4003:", "CC4003 libfoo.so:  "})
    EXPECT_THAT(refused<Waiver>(text).message, HasSubstr("needs a reason")) << text;
  EXPECT_THAT(refused<Waiver>("CC4003: a\nb").message, HasSubstr("one line"));
}

TEST(Waiver, unknownAndUsageCannotBeWaived) { // MD-3
  for (const char *text : {"CC2001: x", "U_CONFLICT libx.so: x", "AV-U04: x"})
    EXPECT_THAT(because(refused<Waiver>(text)), HasSubstr("never accepted")) << text;
  for (const char *text : {"CC1006: x", "CC9001: x"})
    EXPECT_THAT(because(refused<Waiver>(text)), HasSubstr("the call failed")) << text;
  EXPECT_THAT(refused<Waiver>("CC4003libfoo.so: x").message, HasSubstr("no rule"));
}

// F22: with `cuda-cc: error: ` and the code.
TEST(Override, firstLineStaysWithin77Columns) {
  std::string word(200, 'X');
  constexpr size_t around = 25;
  for (const Finding &finding :
       {refused<SeverityChange>(word), refused<SeverityChange>("E_LTO_MAJOR_MISMATCH=" + word),
        refused<Waiver>("E_LTO_MAJOR_MISMATCH"), refused<Waiver>(word + ": x"),
        refused<Waiver>("E_LTO_MAJOR_MISMATCH: a\nb"),
        refused<SeverityChange>("U_DRIVER_NEW_MAJOR=remark")})
    EXPECT_LE(finding.message.size() + around, 77u) << finding.message;
}
