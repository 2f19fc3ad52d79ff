// SPDX-License-Identifier: Apache-2.0
// Stack files and the table of flavors: what is read, and every way to be wrong.
#include "sandproof/stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "sandproof/errors.h"
#include "thrown_message.h"

namespace sandproof {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::HasSubstr;

Flavor flavor(const std::string& name) {
  return {name,
          "",
          SettingsDescription({{"image", SettingType::kString, "x"s, "", {}, {}, {}}}),
          {},
          {}};
}

const FlavorTable& table() {
  static const FlavorTable flavors({flavor("local"), flavor("docker")});
  return flavors;
}

Stack parse(const std::string& json) { return parse_stack(json, "the stack file s.json", table()); }

std::string stack_refusal(const std::string& json) {
  return thrown_message<InvalidArgumentError>([&] { (void)parse(json); });
}

// ---- The table of flavors -------------------------------------------------------------------

TEST(FlavorTable, FindsByName) {
  EXPECT_EQ(table().at("docker").name, "docker");
  EXPECT_EQ(table().rows().size(), 2u);
}

TEST(FlavorTable, RefusesAnUnknownNameWithTheKnownOnes) {
  EXPECT_THAT(thrown_message<InvalidArgumentError>([] { (void)table().at("dokcer"); }),
              HasSubstr("there is no flavor `dokcer`: did you mean `docker`?"));
  EXPECT_THAT(thrown_message<InvalidArgumentError>([] { (void)table().at("kubernetes"); }),
              HasSubstr("the flavors are local and docker"));
  EXPECT_THAT(thrown_message<InvalidArgumentError>([] { (void)FlavorTable({}).at("x"); }),
              HasSubstr("there are no flavors"));
}

TEST(FlavorTable, RefusesATableThatIsWrong) {
  EXPECT_THROW(FlavorTable({flavor("a"), flavor("b"), flavor("a")}), std::logic_error);
  EXPECT_THROW(FlavorTable({flavor("")}), std::logic_error);
}

// ---- Stacks ---------------------------------------------------------------------------------

TEST(Stack, ReadsEntriesInOrder) {
  const Stack stack = parse(R"({"sandboxes": [
    {"name": "dev", "flavor": "local", "id": "component-1",
     "config": {"drain_grace": 2, "image": "{{a.b}}"}},
    {"name": "ci", "flavor": "docker"}]})");
  ASSERT_EQ(stack.entries().size(), 2u);
  const StackEntry& dev = stack.default_entry();
  EXPECT_EQ(dev.name, "dev");
  EXPECT_EQ(dev.flavor, "local");
  EXPECT_EQ(dev.id, "component-1");
  EXPECT_EQ(dev.config, Settings().set("drain_grace", 2.0).set("image", "{{a.b}}"s))
      << "only what was set, secret references as they were written";
  const StackEntry& ci = stack.at("ci");
  EXPECT_EQ(ci.flavor, "docker");
  EXPECT_EQ(ci.id, "docker-ci") << "stable, and different for each entry";
  EXPECT_EQ(ci.config, Settings());
  EXPECT_EQ(&stack.at("dev"), &dev);
}

TEST(Stack, AnUnknownNameListsTheOthers) {
  const Stack stack = parse(R"({"sandboxes": [{"name": "dev", "flavor": "local"},
                                              {"name": "ci", "flavor": "docker"}]})");
  EXPECT_THAT(thrown_message<InvalidArgumentError>([&] { (void)stack.at("prod"); }),
              "there is no sandbox `prod` in the stack file s.json: the sandboxes are dev and ci");
  EXPECT_THROW((void)stack.at(""), InvalidArgumentError);
}

TEST(Stack, NamesMayHoldWhatLabelsMay) {
  for (const std::string& name : {"a"s, "A.b_c-9"s, std::string(63, 'x')}) {
    const Stack stack =
        parse(R"({"sandboxes": [{"name": ")" + name + R"(", "flavor": "local", "id": "i"}]})");
    EXPECT_EQ(stack.default_entry().name, name);
  }
}

struct BadStack {
  const char* json;
  const char* message;
};

TEST(Stack, EveryFaultIsOneSentenceWithItsPlace) {
  const std::vector<BadStack> rows = {
      {"", "cannot use the stack file s.json: line 1, column 1: it is not JSON"},
      {"{\n \"sandboxes\": [,]\n}", "cannot use the stack file s.json: line 2, column 16"},
      {"[]", "it is an array; it must be an object with the keys sandboxes"},
      {"{}", "the key `sandboxes` is missing"},
      {R"({"sandbox": []})", "there is no key `sandbox`: did you mean `sandboxes`?"},
      {R"({"sandboxes": [], "x": 1})", "there is no key `x`: the keys are sandboxes"},
      {R"({"sandboxes": []})", "it names no sandbox; `sandboxes` must have at least one"},
      {R"({"sandboxes": {}})", "`sandboxes`: it is an object; it must be a list of objects"},
      {R"({"sandboxes": ["dev"]})", "`sandboxes[0]`: it is a string; it must be an object"},
      {R"({"sandboxes": [{"flavor": "local"}]})", "`sandboxes[0]`: the key `name` is missing"},
      {R"({"sandboxes": [{"name": 1, "flavor": "local"}]})", "`name` is a number"},
      {R"({"sandboxes": [{"name": "", "flavor": "local"}]})", "`name` is ``; it must be 1 to 63"},
      {R"({"sandboxes": [{"name": "a b", "flavor": "local"}]})", "`name` is `a b`; it must be"},
      {R"({"sandboxes": [{"name": "-a", "flavor": "local"}]})", "`name` is `-a`; it must be"},
      {R"({"sandboxes": [{"name": "a.", "flavor": "local"}]})", "`name` is `a.`; it must be"},
      {R"({"sandboxes": [{"name": "dev"}]})", "`sandboxes[0]` (dev): the key `flavor` is missing"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "locla"}]})",
       "`sandboxes[0]` (dev): there is no flavor `locla`: did you mean `local`?"},
      {R"({"sandboxes": [{"name": "dev", "flavor": null}]})", "`flavor` is null"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "id": ""}]})", "`id` is ``"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "id": "a/b"}]})", "`id` is `a/b`"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "id": null}]})", "`id` is null"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "conf": {}}]})",
       "there is no key `conf`: did you mean `config`?"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "config": []}]})",
       "`config`: the settings are an array"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "config": {"drain_grace": -1}}]})",
       "`sandboxes[0]` (dev): `config`: setting `drain_grace` is -1: it must be between 0 and "
       "3600"},
      {R"({"sandboxes": [{"name": "dev", "flavor": "local", "config": {"imagee": ""}}]})",
       "there is no setting `imagee`: did you mean `image`?"},
      {R"({"sandboxes": [{"name": "a", "flavor": "local"}, {"name": "a", "flavor": "docker"}]})",
       "`sandboxes[1]` (a): the name is there twice"},
      {R"({"sandboxes": [{"name": "a", "flavor": "local", "id": "docker-b"},
                         {"name": "b", "flavor": "docker"}]})",
       "`sandboxes[1]` (b): `a` has the id `docker-b` too"},
      {R"({"sandboxes": [{"name": "a", "name": "b", "flavor": "local"}]})",
       "the key `name` is there twice"},
  };
  for (const BadStack& row : rows) {
    EXPECT_THAT(stack_refusal(row.json),
                AllOf(HasSubstr("the stack file s.json"), HasSubstr(row.message)))
        << row.json;
  }
}

TEST(Stack, ANameThatIsTooLongIsRefused) {
  const std::string name(64, 'x');
  EXPECT_THAT(stack_refusal(R"({"sandboxes": [{"name": ")" + name +
                            R"(", "flavor": "local", "id": "i"}]})"),
              HasSubstr("it must be 1 to 63 letters"));
}

TEST(Stack, AnIdThatWouldBeTooLongMustBeGiven) {
  const std::string name(60, 'x');
  EXPECT_THAT(stack_refusal(R"({"sandboxes": [{"name": ")" + name + R"(", "flavor": "local"}]})"),
              HasSubstr("longer than 63 characters; give an `id`"));
}

// ---- Files ----------------------------------------------------------------------------------

class StackFile : public testing::Test {
 public:
  ~StackFile() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

 protected:
  StackFile() {
    std::string name = (std::filesystem::temp_directory_path() / "sandproof-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    directory_ = name;
  }
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(directory_ / "s.json") << text;
    return directory_ / "s.json";
  }
  static std::string stack_refusal(const std::filesystem::path& path) {
    return thrown_message<InvalidArgumentError>([&] { (void)load_stack(path, table()); });
  }

  std::filesystem::path directory_;
};

TEST_F(StackFile, IsRead) {
  const auto path = write(R"({"sandboxes": [{"name": "dev", "flavor": "local"}]})");
  EXPECT_EQ(load_stack(path, table()).default_entry().name, "dev");
}

TEST_F(StackFile, IsNamedWhereItIsWrong) {
  const auto path = write("{}");
  EXPECT_THAT(stack_refusal(path),
              HasSubstr("cannot use the stack file " + path.string() + ": the key"));
}

TEST_F(StackFile, ThatCannotBeReadIsRefused) {
  EXPECT_THAT(stack_refusal(directory_ / "none.json"),
              AllOf(HasSubstr("cannot read the stack file"), HasSubstr("none.json"),
                    HasSubstr("No such file or directory")));
  EXPECT_THAT(stack_refusal(directory_), HasSubstr("Is a directory"));
}

TEST_F(StackFile, ThatIsTooLargeIsRefused) {
  const std::string stack = R"({"sandboxes": [{"name": "dev", "flavor": "local"}]})";
  const auto fits = write(stack + std::string(kLargestStackFileBytes - stack.size(), ' '));
  EXPECT_NO_THROW((void)load_stack(fits, table()));
  const auto large = write(stack + std::string(kLargestStackFileBytes - stack.size() + 1, ' '));
  EXPECT_THAT(stack_refusal(large), HasSubstr("it has more than 1048576 bytes"));
  EXPECT_THAT(stack_refusal("/dev/zero"), HasSubstr("it has more than 1048576 bytes"));
}

}  // namespace
}  // namespace sandproof
