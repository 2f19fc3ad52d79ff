// SPDX-License-Identifier: Apache-2.0
// Trees survive the way through an archive, our own and those of GNU tar and busybox; archives that
// mean harm are refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fakes/machine/vfs/tar.h"
#include "tests/machine/vfs_box.h"

namespace sandproof::machine {
namespace {

constexpr TimeNs kTime = 1'700'000'000'123'456'789;

std::string packed(VfsBox& box, std::string_view path, const PackOptions& options = {}) {
  std::string bytes;
  const auto failure =
      pack_tar(box.files, path, options, [&bytes](std::span<const std::byte> part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
        return true;
      });
  EXPECT_FALSE(failure.has_value()) << failure->message;
  return bytes;
}

std::optional<TarFailure> unpack(VfsBox& box, std::string_view directory, std::string_view archive,
                                 const UnpackOptions& options = {}) {
  return unpack_tar(
      box.files, directory,
      [&archive] {
        // In portions that fit no block.
        const std::string_view next = archive.substr(0, 1000);
        archive.remove_prefix(next.size());
        return std::as_bytes(std::span(next));
      },
      options);
}

// "" where it was unpacked.
std::string message_of(const std::optional<TarFailure>& failure) {
  return failure ? failure->message : "";
}

enum class Keeper { kAll, kBusybox };

void describe_tree(VfsBox& box, const std::string& path, Keeper keeper,
                   std::map<Ino, std::string>& first_names, std::vector<std::string>& lines) {
  constexpr TimeNs kSecond = 1'000'000'000;
  Attributes file = box.stat(path);
  if (keeper == Keeper::kBusybox) {
    // Its tar sets whole seconds, none of them on directories and links, and no owner of links.
    file.modified = file.type == FileType::kDirectory ? 0 : file.modified / kSecond;
    if (file.type == FileType::kSymlink) file.modified = file.uid = file.gid = 0;
  }
  const std::string first = first_names.emplace(file.ino, path).first->second;
  std::string line = path + " type " + std::to_string(static_cast<int>(file.type)) + " device " +
                     std::to_string(static_cast<int>(file.device)) + " mode " +
                     std::to_string(file.mode) + " of " + std::to_string(file.uid) + ":" +
                     std::to_string(file.gid) + " links " + std::to_string(file.links) + " as " +
                     first + " at " + std::to_string(file.modified) + " size " +
                     std::to_string(file.size);
  if (file.type == FileType::kSymlink) {
    line += " -> " + *box.files.read_link({box.files.root(), path}, {});
  }
  if (file.type == FileType::kRegular) {
    line += " bytes " + std::to_string(std::hash<std::string>()(box.get(path)));
  }
  lines.push_back(line);
  if (file.type != FileType::kDirectory) return;
  DirCursor cursor;
  const auto node = box.open(path, {.read = true});
  const auto entries = box.files.list(**node, cursor, 1000, {});
  for (const DirEntry& entry : *entries) {
    if (entry.name == "." || entry.name == "..") continue;
    describe_tree(box, path + "/" + entry.name, keeper, first_names, lines);
  }
}

std::vector<std::string> description(VfsBox& box, const std::string& path,
                                     Keeper keeper = Keeper::kAll) {
  std::map<Ino, std::string> first_names;
  std::vector<std::string> lines;
  describe_tree(box, path, keeper, first_names, lines);
  return lines;
}

void set_attributes(VfsBox& box, const std::string& path, NewOwner owner, std::uint32_t mode) {
  const auto node = box.files.lookup({box.files.root(), path}, Follow::kNo, {});
  ASSERT_TRUE(node.ok()) << path;
  ASSERT_TRUE(box.files.change_owner(**node, owner, {}).ok());
  if (box.files.stat(**node)->type != FileType::kSymlink) {
    ASSERT_TRUE(box.files.change_mode(**node, mode, {}).ok());
  }
  NewTimes times;
  times.modified = kTime + static_cast<TimeNs>(path.size()) * 1'000'000'001;
  ASSERT_TRUE(box.files.set_times(**node, times, {}).ok());
}

// Everything that an archive has to carry, below /t.
void fill(VfsBox& box) {
  const std::string deep = "/t/" + std::string(90, 'd');
  const std::string deeper = deep + "/" + std::string(200, 'e');
  ASSERT_EQ(box.mkdir("/t"), Errno::kOk);
  ASSERT_EQ(box.mkdir(deep), Errno::kOk);
  ASSERT_EQ(box.mkdir(deeper), Errno::kOk);
  ASSERT_EQ(box.put("/t/a-file", "contents\n"), Errno::kOk);
  ASSERT_EQ(box.put("/t/empty", ""), Errno::kOk);
  ASSERT_EQ(box.put(deeper + "/" + std::string(255, 'f'), std::string(100'000, 'z')), Errno::kOk);
  ASSERT_EQ(box.put("/t/n\xc3\xa4me", "UTF-8"), Errno::kOk);
  ASSERT_EQ(box.put("/t/by\xfftes", "no text at all"), Errno::kOk);
  ASSERT_EQ(box.link("/t/a-file", "/t/z-file"), Errno::kOk);
  ASSERT_EQ(box.symlink("a-file", "/t/soft"), Errno::kOk);
  ASSERT_EQ(box.symlink("/" + std::string(300, 'l'), "/t/soft-and-long"), Errno::kOk);
  ASSERT_TRUE(box.files.make_special({box.files.root(), "/t/fifo"}, {}, {}).ok());
  const NewSpecial zero{FileType::kCharDevice, DeviceKind::kZero, 0};
  ASSERT_TRUE(box.files.make_special({box.files.root(), "/t/zero"}, zero, {}).ok());
  set_attributes(box, "/t/fifo", {7, 8}, 0620);
  set_attributes(box, "/t/zero", {0, 5}, 0666);
  set_attributes(box, "/t/empty", {1001, 3000}, 04755);
  set_attributes(box, "/t/a-file", {2'000'000, 3'000'000}, 0640);
  set_attributes(box, "/t/soft", {12, 13}, 0);
  set_attributes(box, deeper, {1, 2}, 02770);
  set_attributes(box, deep, {1, 2}, 0711);
  set_attributes(box, "/t", {3, 4}, 01777);
}

void add_file_with_holes(VfsBox& box) {
  const auto node =
      box.files.open({box.files.root(), "/t/holes"}, {.write = true, .create = true}, 0644, {});
  ASSERT_TRUE(node.ok());
  for (const std::uint64_t offset : {std::uint64_t{8192}, std::uint64_t{64} << 20}) {
    const std::string bytes = "data at " + std::to_string(offset);
    ASSERT_TRUE(box.files.write(**node, offset, std::as_bytes(std::span(bytes)), {}).ok());
  }
  ASSERT_TRUE(box.files.truncate(**node, std::uint64_t{100} << 20, {}).ok());
  set_attributes(box, "/t", {3, 4}, 01777);
}

class VfsTar : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (std::filesystem::temp_directory_path() / "vfs-tar-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    folder_ = made;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // By way of a real tree: written by the machine, unpacked and packed again by the program.
  std::string through(const std::string& archive, const std::string& unpack_with,
                      const std::string& pack_with) {
    std::ofstream(folder_ + "/in.tar", std::ios::binary) << archive;
    const std::string command = "cd '" + folder_ + "' && mkdir real && " + unpack_with +
                                " -f in.tar -C real && " + pack_with + " -f out.tar -C real t";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream out(folder_ + "/out.tar", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(out), {});
  }

  std::string folder_;
};

TEST_F(VfsTar, ATreeComesBackAsItWas) {
  VfsBox box;
  fill(box);
  add_file_with_holes(box);
  const std::string archive = packed(box, "/t", {.name = "t"});
  // The holes are not in it.
  EXPECT_LT(archive.size(), 400'000U);
  VfsBox other;
  ASSERT_EQ(message_of(unpack(other, "/", archive)), "");
  EXPECT_EQ(description(other, "/t"), description(box, "/t"));
  EXPECT_LE(other.stat("/t/holes").blocks, 64U);
  // Over itself it is the same again.
  ASSERT_EQ(message_of(unpack(other, "/", archive)), "");
  EXPECT_EQ(description(other, "/t"), description(box, "/t"));
}

TEST_F(VfsTar, ATreeComesBackThroughGnuTar) {
  if (geteuid() != 0) GTEST_SKIP() << "needs user 0: tar is to set owners and make a device";
  VfsBox box;
  fill(box);
  add_file_with_holes(box);
  const std::string back =
      through(packed(box, "/t", {.name = "t"}),
              "tar -xp --warning=no-unknown-keyword --numeric-owner --same-owner",
              "tar -c --format=pax --sparse --numeric-owner");
  VfsBox other;
  ASSERT_EQ(message_of(unpack(other, "/", back)), "");
  EXPECT_EQ(description(other, "/t"), description(box, "/t"));
  EXPECT_LE(other.stat("/t/holes").blocks, 64U);
}

TEST_F(VfsTar, ATreeComesBackThroughBusybox) {
  if (geteuid() != 0) GTEST_SKIP() << "needs user 0: tar is to set owners and make a device";
  VfsBox box;
  fill(box);
  const std::string back = through(packed(box, "/t", {TarFormat::kGnu, "t"}),
                                   "busybox tar -xp --numeric-owner", "busybox tar -c");
  VfsBox other;
  ASSERT_EQ(message_of(unpack(other, "/", back)), "");
  EXPECT_EQ(description(other, "/t", Keeper::kBusybox), description(box, "/t", Keeper::kBusybox));
}

struct TarEntry {
  std::string name;
  char type = '0';
  std::string contents = {};
  std::string linked = {};
  std::string device = "0000001";
};

void put_field(std::string& header, std::size_t offset, const std::string& text) {
  header.replace(offset, text.size(), text);
}

std::string octal(std::uint64_t value, int digits) {
  std::array<char, 24> text;
  std::snprintf(text.data(), text.size(), "%0*llo", digits, static_cast<unsigned long long>(value));
  return text.data();
}

// By hand, as no tar would write them.
std::string archive_of(const std::vector<TarEntry>& entries) {
  std::string archive;
  for (const TarEntry& entry : entries) {
    std::string header(512, '\0');
    put_field(header, 0, entry.name);
    put_field(header, 100, "0000644");
    put_field(header, 108, "0000000");
    put_field(header, 116, "0000000");
    put_field(header, 124, octal(entry.contents.size(), 11));
    put_field(header, 136, "00000000001");
    put_field(header, 148, "        ");
    header[156] = entry.type;
    put_field(header, 157, entry.linked);
    put_field(header, 257, "ustar");
    put_field(header, 263, "00");
    put_field(header, 329, entry.device);
    put_field(header, 337, "0000003");
    unsigned sum = 0;
    for (const char byte : header) sum += static_cast<unsigned char>(byte);
    put_field(header, 148, octal(sum, 6) + std::string("\0 ", 2));
    archive += header + entry.contents;
    archive.resize((archive.size() + 511) / 512 * 512, '\0');
  }
  return archive + std::string(1024, '\0');
}

TEST_F(VfsTar, NamesThatLeaveTheDirectoryAreRefused) {
  const std::vector<std::pair<std::vector<TarEntry>, std::string>> rows = {
      {{{"../evil", '0', "x"}}, "by '..'"},
      {{{"a/../../evil", '0', "x"}}, "by '..'"},
      {{{"..", '5'}}, "by '..'"},
      {{{"l", '2', "", "/out"}, {"l/evil", '0', "x"}}, "through a symbolic link"},
      {{{"l", '2', "", "../out"}, {"l/evil", '0', "x"}}, "through a symbolic link"},
      {{{"l", '2', "", "/out"}, {"h", '1', "", "l/secret"}}, "through a symbolic link"},
      {{{"h", '1', "", "../out/secret"}}, "by '..'"},
      {{{"disk", '4'}}, "no files of that type"},
      {{{"sda", '3', "", "", "0000010"}}, "no such device"},
  };
  for (const auto& [entries, reason] : rows) {
    VfsBox box;
    ASSERT_EQ(box.mkdir("/in"), Errno::kOk);
    ASSERT_EQ(box.mkdir("/out"), Errno::kOk);
    ASSERT_EQ(box.put("/out/secret", "secret"), Errno::kOk);
    const auto before = description(box, "/out");
    const std::string message = message_of(unpack(box, "/in", archive_of(entries)));
    EXPECT_NE(message.find(reason), std::string::npos) << entries.back().name << ": " << message;
    EXPECT_EQ(description(box, "/out"), before);
    EXPECT_EQ(box.stat("/evil").ino, 0U);
  }
}

TEST_F(VfsTar, WhatStaysInsideIsUnpacked) {
  VfsBox box;
  ASSERT_EQ(box.mkdir("/in"), Errno::kOk);
  ASSERT_EQ(box.mkdir("/in/real"), Errno::kOk);
  ASSERT_EQ(box.put("/secret", "secret"), Errno::kOk);
  const std::string archive = archive_of({{"/absolute", '0', "a"},
                                          {"./x//y/./z", '0', "b"},
                                          {"inside", '2', "", "real"},
                                          {"inside/f", '0', "c"},
                                          {"leaf", '2', "", "/secret"},
                                          {"leaf", '0', "replaces the link"},
                                          {"null", '3'}});
  ASSERT_EQ(message_of(unpack(box, "/in", archive)), "");
  EXPECT_EQ(box.get("/in/absolute"), "a");
  EXPECT_EQ(box.get("/in/x/y/z"), "b");
  EXPECT_EQ(box.get("/in/real/f"), "c");
  EXPECT_EQ(box.get("/in/leaf"), "replaces the link");
  EXPECT_EQ(box.get("/secret"), "secret");
  EXPECT_EQ(box.stat("/in/null").device, DeviceKind::kNull);
}

TEST_F(VfsTar, AnArchiveIsBounded) {
  const std::string archive = archive_of({{"a", '0', std::string(6000, 'a')}, {"b", '0', "b"}});
  VfsBox few;
  EXPECT_NE(message_of(unpack(few, "/", archive, {.entries_max = 1})).find("'b'"),
            std::string::npos);
  VfsBox little;
  EXPECT_NE(message_of(unpack(little, "/", archive, {.bytes_max = 5999})).find("more contents"),
            std::string::npos);
  VfsBox small({.bytes = kBlockBytes});
  const auto failure = unpack(small, "/", archive);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->error, Errno::kNospc);
  EXPECT_EQ(failure->message, "cannot unpack 'a' into /: No space left on device");
}

TEST_F(VfsTar, DamagedArchivesFailOrGiveATree) {
  VfsBox source;
  fill(source);
  const std::string whole = packed(source, "/t", {.name = "t"});
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    if (i % 2 == 0) {
      damaged.resize(random() % whole.size());
    } else {
      for (int k = 0; k < 8; ++k) {
        damaged[random() % damaged.size()] = static_cast<char>(random());
      }
    }
    VfsBox box({.bytes = 1 << 20, .inodes = 100});
    if (unpack(box, "/", damaged)) ++refused;
    EXPECT_FALSE(description(box, "/").empty());
  }
  EXPECT_GT(refused, 100);
}

TEST_F(VfsTar, AReceiverThatFailsEndsThePacking) {
  VfsBox box;
  fill(box);
  const auto failure =
      pack_tar(box.files, "/t", {}, [](std::span<const std::byte>) { return false; });
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->message.find("takes no more"), std::string::npos) << failure->message;
}

}  // namespace
}  // namespace sandproof::machine
