// SPDX-License-Identifier: Apache-2.0
// Secrets: the store, references in settings, and keeping values out of text (SET-005).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "redaction.h"
#include "sandproof/errors.h"
#include "sandproof/secret_store.h"
#include "secret_resolution.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using List = std::vector<std::string>;
using Map = std::map<std::string, std::string>;

TEST(MemorySecretStore, GivesWhatWasPut) {
  MemorySecretStore store;
  EXPECT_EQ(store.get("db", "password"), std::nullopt);
  store.put("db", "password", "one");
  store.put("db", "user", "u");
  store.put("db", "password", "two");
  EXPECT_EQ(store.get("db", "password"), "two");
  EXPECT_EQ(store.get("db", "user"), "u");
  EXPECT_EQ(store.get("db", "nothing"), std::nullopt);
  EXPECT_EQ(store.get("nothing", "password"), std::nullopt);
}

// ---- References ---------------------------------------------------------------------------

class SecretResolution : public testing::Test {
 protected:
  SecretResolution() {
    store_.put("db", "password", "hunter2");
    store_.put("db", "user", "{{db.password}}");
    store_.put("db", "empty", "");
    store_.put("db", "nul", "hunter2\0"s);
    store_.put("tls", "ca.crt", "PEM");
    store_.put("a-b_1", "K", "dash");
  }

  std::string resolve(const std::string& text) {
    const Settings resolved =
        resolve_secrets(Settings().set("field", text), &store_, resolved_values_);
    return setting<std::string>(resolved, "field");
  }

  std::string refusal(const std::string& text) {
    return thrown_message<InvalidArgumentError>([&] { (void)resolve(text); });
  }

  MemorySecretStore store_;
  std::vector<std::string> resolved_values_;
};

TEST_F(SecretResolution, ReplacesAnyNumberPerText) {
  EXPECT_EQ(resolve("{{db.password}}"), "hunter2");
  EXPECT_EQ(resolve("a{{db.password}}b{{tls.ca.crt}}c"), "ahunter2bPEMc");
  EXPECT_EQ(resolve("{{db.password}}{{db.password}}"), "hunter2hunter2");
  EXPECT_EQ(resolve("{{a-b_1.K}}"), "dash");
  EXPECT_EQ(resolve("{{ db.password\t}}"), "hunter2");
  EXPECT_EQ(resolve("[{{db.empty}}]"), "[]");
}

TEST_F(SecretResolution, LeavesOtherTextAlone) {
  for (const char* text : {"", "plain", "{", "}", "}}", "{a.b}", "{ {a.b} }", R"({"a":{"b":1}})"}) {
    EXPECT_EQ(resolve(text), text);
  }
  EXPECT_THAT(resolved_values_, IsEmpty());
}

TEST_F(SecretResolution, FourBracesAreTwo) {
  EXPECT_EQ(resolve("{{{{"), "{{");
  EXPECT_EQ(resolve("{{{{db.password}}"), "{{db.password}}");
  EXPECT_EQ(resolve("{{{{{{db.password}}"), "{{hunter2");
  EXPECT_EQ(resolve("{{{{{{{{"), "{{{{");
  EXPECT_EQ(resolve("{{{{a{{db.password}}}}"), "{{ahunter2}}");
}

TEST_F(SecretResolution, DoesNotSearchWhatASecretHolds) {
  EXPECT_EQ(resolve("{{db.user}}"), "{{db.password}}");
  EXPECT_THAT(resolved_values_, ElementsAre("{{db.password}}"));
}

TEST_F(SecretResolution, ReachesListsAndMapsAndLeavesOtherTypes) {
  const Settings settings = Settings()
                                .set("environment", Map{{"A", "x{{db.password}}"}, {"B", "b"}})
                                .set("extra", List{"{{tls.ca.crt}}", "y"})
                                .set("flag", true)
                                .set("count", std::int64_t{1})
                                .set("cores", 1.5);
  const Settings copy = settings;
  EXPECT_EQ(resolve_secrets(settings, &store_, resolved_values_),
            Settings()
                .set("environment", Map{{"A", "xhunter2"}, {"B", "b"}})
                .set("extra", List{"PEM", "y"})
                .set("flag", true)
                .set("count", std::int64_t{1})
                .set("cores", 1.5));
  EXPECT_EQ(settings, copy);
  EXPECT_THAT(resolved_values_, testing::UnorderedElementsAre("hunter2", "PEM"));
}

TEST_F(SecretResolution, GivesEachResolvedValueOnce) {
  (void)resolve("{{db.password}}{{db.password}}");
  (void)resolve("{{db.password}}");
  EXPECT_THAT(resolved_values_, ElementsAre("hunter2"));
}

TEST_F(SecretResolution, RefusesUnknownSecretsByReference) {
  for (const char* reference : {"{{db.nothing}}", "{{nothing.password}}", "{{db.user.x}}"}) {
    EXPECT_THAT(refusal("abc "s + reference),
                AllOf(HasSubstr("setting `field`"), HasSubstr("`"s + reference + "`"),
                      HasSubstr("there is no such secret"), Not(HasSubstr("abc"))));
  }
}

TEST_F(SecretResolution, RefusesMalformedReferences) {
  for (const char* reference : {"{{name}}", "{{}}", "{{.}}", "{{.key}}", "{{name.}}", "{{ }}",
                                "{{a b.c}}", "{{a.b c}}", "{{{a.b}}", "{{a{.b}}", "{{a.b\n}}"}) {
    EXPECT_THAT(refusal(reference),
                AllOf(HasSubstr("setting `field`"), HasSubstr("malformed secret reference")))
        << reference;
  }
  EXPECT_THAT(refusal("{{name}}"), HasSubstr("`{{name}}`"));
}

TEST_F(SecretResolution, NamesOnlyThePlaceOfAReferenceThatIsNeverClosed) {
  EXPECT_THAT(refusal("abc{{a.b"),
              AllOf(HasSubstr("setting `field` opens a secret reference at byte 3"),
                    HasSubstr("never closed"), Not(HasSubstr("a.b"))));
  EXPECT_THAT(refusal("{{a.b}"), HasSubstr("at byte 0 that is never closed"));
  EXPECT_THAT(refusal("{{{{{{"), HasSubstr("at byte 4 that is never closed"));
}

TEST_F(SecretResolution, NamesTheElement) {
  const auto refusal_of = [&](const std::string& name, SettingValue value) {
    return thrown_message<InvalidArgumentError>([&] {
      (void)resolve_secrets(Settings().set(name, std::move(value)), &store_, resolved_values_);
    });
  };
  EXPECT_THAT(refusal_of("environment", Map{{"A", "{{x.y}}"}}), HasSubstr("`environment.A`"));
  EXPECT_THAT(refusal_of("extra", List{"", "{{x.y}}"}), HasSubstr("`extra[1]`"));
}

TEST_F(SecretResolution, RefusesAReferenceWithoutAStore) {
  const Settings settings = Settings().set("field", "{{db.password}}"s);
  EXPECT_THAT(thrown_message<InvalidArgumentError>(
                  [&] { (void)resolve_secrets(settings, nullptr, resolved_values_); }),
              AllOf(HasSubstr("`{{db.password}}`"), HasSubstr("there is no secret store")));
  const Settings escaped = Settings().set("field", "{{{{a"s);
  EXPECT_EQ(resolve_secrets(escaped, nullptr, resolved_values_), Settings().set("field", "{{a"s));
}

TEST_F(SecretResolution, RefusesASecretWithANulWithoutShowingIt) {
  EXPECT_THAT(refusal("{{db.nul}}"), AllOf(HasSubstr("has a NUL"), Not(HasSubstr("hunter2"))));
}

// ---- Redaction ----------------------------------------------------------------------------

std::string redacted(const std::vector<std::string>& values, const std::string& text) {
  return Redactor(values).redacted(text);
}

TEST(Redactor, ReplacesEveryOccurrence) {
  EXPECT_EQ(redacted({"hunter2"}, "hunter2"), "***");
  EXPECT_EQ(redacted({"hunter2"}, "a hunter2 b hunter2"), "a *** b ***");
  EXPECT_EQ(redacted({"hunter2"}, "hunter2hunter2"), "******");
  EXPECT_EQ(redacted({"hunter2", "secret"}, "secret=hunter2"), "***=***");
  EXPECT_EQ(redacted({"a\0bc"s}, "xa\0bcy"s), "x***y");
}

TEST(Redactor, LeavesOtherTextAlone) {
  EXPECT_EQ(redacted({"hunter2"}, ""), "");
  EXPECT_EQ(redacted({"hunter2"}, "hunter"), "hunter");
  EXPECT_EQ(redacted({"hunter2"}, "Hunter2"), "Hunter2");
  EXPECT_EQ(redacted({}, "text"), "text");
}

TEST(Redactor, ReplacesValuesOfFourBytesAndMore) {
  EXPECT_EQ(redacted({"abc"}, "abc"), "abc");
  EXPECT_EQ(redacted({""}, "abc"), "abc");
  EXPECT_EQ(redacted({"abcd"}, "abcd"), "***");
  EXPECT_EQ(redacted({"éé"}, "éé"), "***") << "bytes, not characters";
  EXPECT_TRUE(Redactor({"abc", ""}).empty());
  EXPECT_FALSE(Redactor({"abcd"}).empty());
}

TEST(Redactor, LeavesNoEndOfWhatOverlaps) {
  EXPECT_EQ(redacted({"abcd", "cdef"}, "xabcdefy"), "x***y");
  EXPECT_EQ(redacted({"cdef", "abcd"}, "xabcdefy"), "x***y");
  EXPECT_EQ(redacted({"pass", "password"}, "password pass passw"), "*** *** ***w");
  EXPECT_EQ(redacted({"word", "password"}, "password"), "***");
  EXPECT_EQ(redacted({"aaaa"}, "aaaaaaa"), "***") << "a value that overlaps itself";
  EXPECT_EQ(redacted({"abab"}, "xababab"), "x***");
  EXPECT_EQ(redacted({"abcd", "bc12", "12yz"}, "abc12yz"), "a***") << "a chain";
}

TEST(Redactor, TakesALongValueLineByLineToo) {
  const Redactor redactor({"-----BEGIN\r\nMIIEvQ\nab\n\nlast line"});
  EXPECT_EQ(redactor.redacted("key: MIIEvQ"), "key: ***");
  EXPECT_EQ(redactor.redacted("-----BEGIN"), "***") << "without its CR";
  EXPECT_EQ(redactor.redacted("last line"), "***");
  EXPECT_EQ(redactor.redacted("ab"), "ab") << "too short a line";
  EXPECT_EQ(redactor.redacted("<-----BEGIN\r\nMIIEvQ\nab\n\nlast line>"), "<***>");
  EXPECT_EQ(Redactor({"abcd\n"}).redacted("abcd"), "***") << "a newline at the end";
  EXPECT_EQ(Redactor({"\nabcd"}).redacted("abcd"), "***");
}

TEST(Redactor, ReturnsTheTextItselfWhereThereIsNothingToReplace) {
  const std::string text = "some text";
  std::string buffer;
  for (const Redactor& redactor : {Redactor(), Redactor({"hunter2"})}) {
    const std::string_view result = redactor.redact(text, buffer);
    EXPECT_EQ(result.data(), text.data());
    EXPECT_EQ(result.size(), text.size());
  }
}

TEST(Redactor, TheBufferMayHoldTheText) {
  std::string buffer = "a hunter2 b";
  EXPECT_EQ(Redactor({"hunter2"}).redact(buffer, buffer), "a *** b");
}

}  // namespace
}  // namespace sandproof
