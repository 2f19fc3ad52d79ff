// SPDX-License-Identifier: Apache-2.0
// Flavors that break FILE where it is about safety: half-way failures, memory, concurrency,
// containment. Each mutation is used from any thread.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return std::move(content).str();
}

/// Empties the local target before it reads.
class DownloadsInPlace : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    try {
      inner().download_file(remote, local, where);
    } catch (const FileTransferError&) {
      if (fires()) std::ofstream(local, std::ios::trunc).flush();
      throw;
    }
  }
};

class LeavesThePart : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    try {
      inner().download_file(remote, local, where);
    } catch (const FileTransferError&) {
      if (fires()) std::ofstream(local.string() + ".part") << "half";
      throw;
    }
  }
};

/// Writes the target in two pieces.
class UploadsInPlace : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (fires()) output_of(inner(), "printf half > '" + remote + "'; sleep 0.02");
    inner().upload_file(local, remote, where);
  }
};

/// An upload that fails leaves something: the script runs with the target in $0.
template <typename Leaves>
class AfterAFailedUpload : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    try {
      inner().upload_file(local, remote, where);
    } catch (const FileTransferError&) {
      if (fires()) inner().exec({"sh", "-c", Leaves::kScript, remote}, {}, where)->wait(where);
      throw;
    }
  }
};
struct AnEmptyTarget {
  static constexpr const char* kScript = ": > \"$0\"";
};
struct APartOfTheUpload {
  static constexpr const char* kScript = ": > \"$0.part\"";
};

/// Reads the whole file before it sends any of it.
class ReadsTheWholeFile : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    const std::string content = fires() ? content_of(local) : std::string();
    inner().upload_file(local, remote, where);
    if (!content.empty() && content.back() == '\1') stall(std::chrono::milliseconds(1));
  }
};

/// Transfers wait until no command runs.
class TransfersExcludeCommands : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  std::unique_ptr<Process> exec(Command command, ExecOptions options, Where where) override {
    commands_ = true;
    return inner().exec(std::move(command), std::move(options), where);
  }
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (commands_ && fires()) stall(kHang);
    inner().upload_file(local, remote, where);
  }

 private:
  std::atomic<bool> commands_{false};
};

class ATransferLogsACommand : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (fires()) output_of(inner(), "true");
    inner().upload_file(local, remote, where);
  }
};

/// Where a path that leaves leads, done by hand.
class LeavesTheDirectory : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    try {
      inner().upload_file(local, remote, where);
    } catch (const InvalidArgumentError&) {
      if (!leaves(remote) || !fires()) throw;
    }
  }

 protected:
  virtual bool leaves(const std::string& remote) const = 0;
};

class DotDotIsAllowed : public LeavesTheDirectory {
 public:
  using LeavesTheDirectory::LeavesTheDirectory;

 private:
  bool leaves(const std::string& remote) const override { return remote.starts_with(".."); }
};
class ContainmentIsByPrefix : public LeavesTheDirectory {
 public:
  using LeavesTheDirectory::LeavesTheDirectory;

 private:
  bool leaves(const std::string& remote) const override { return remote.ends_with("X/y"); }
};
class LinksMayLeave : public LeavesTheDirectory {
 public:
  using LeavesTheDirectory::LeavesTheDirectory;

 private:
  bool leaves(const std::string& remote) const override { return remote.starts_with("escape/"); }
};

/// Looks whether the directory is a link, and then uses its path: the race of the rule's cases.
template <bool kUploads>
class ChecksAndThenUses : public Faulty<SessionWrapper> {
 public:
  using Faulty<SessionWrapper>::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (!kUploads || remote != kRaced || !fires()) {
      return inner().upload_file(local, remote, where);
    }
    refuse_links();
    output_of(inner(), "test -d s && cp '" + local.string() + "' s/f");
  }
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    if (kUploads || remote != kRaced || !fires()) {
      return inner().download_file(remote, local, where);
    }
    refuse_links();
    std::ofstream(local, std::ios::trunc) << output_of(inner(), "cat s/f 2>/dev/null");
  }

 private:
  static constexpr const char* kRaced = "s/f";

  void refuse_links() {
    if (output_of(inner(), "test -L s && echo link") == "link") {
      throw InvalidArgumentError("s leaves the working directory");
    }
  }
};

class AbsoluteInsideIsRefused : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (remote.starts_with('/') && remote.ends_with("/inside") && fires()) {
      throw InvalidArgumentError(remote + " is absolute");
    }
    inner().upload_file(local, remote, where);
  }
};

/// Two uploads at once leave a part of each.
class ConcurrentUploadsMix : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    inner().upload_file(local, remote, where);
    if (crossing_.cross([] { return false; }, [] { return true; }) && fires()) {
      output_of(inner(), "printf mixed >> '" + remote + "'");
    }
  }

 private:
  Crossing crossing_;
};

class AnUploadLeavesItsTemporary : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    inner().upload_file(local, remote, where);
    if (fires()) output_of(inner(), ": > .f.tmp");
  }
};

}  // namespace

std::vector<Mutant> file_safe_mutants() {
  return {
      session_mutant<DownloadsInPlace>("DownloadsInPlace", "FILE-010",
                                       "a download empties its target first"),
      session_mutant<LeavesThePart>("LeavesThePartFile", "FILE-010",
                                    "a download that fails leaves a part file"),
      session_mutant<UploadsInPlace>("UploadsInPlace", "FILE-010",
                                     "an upload writes its target piece by piece"),
      session_mutant<AfterAFailedUpload<AnEmptyTarget>>("AFailedUploadEmptiesItsTarget", "FILE-010",
                                                        "an upload that fails empties its target"),
      session_mutant<AfterAFailedUpload<APartOfTheUpload>>(
          "AFailedUploadLeavesItsTemporary", "FILE-010", "an upload that fails leaves a part file"),
      session_mutant<ReadsTheWholeFile>("ReadsTheWholeFile", "FILE-013",
                                        "an upload reads the whole file first"),
      {.name = "TransfersExcludeCommands",
       .rule = "FILE-015",
       .what = "transfers wait for running commands",
       .wrap = each_session<TransfersExcludeCommands>(),
       .times = 1},
      session_mutant<ATransferLogsACommand>("ATransferLogsACommand", "FILE-015",
                                            "a transfer runs a command that is logged"),
      session_mutant<DotDotIsAllowed>("DotDotIsAllowed", "FILE-016", "`..` leaves the directory"),
      session_mutant<ContainmentIsByPrefix>(
          "ContainmentIsByPrefix", "FILE-016",
          "a directory whose name begins alike counts as inside",
          "https://github.com/CauldronDevelopmentLLC/cbang/issues/115"),
      session_mutant<LinksMayLeave>("LinksMayLeave", "FILE-016", "a link leaves the directory",
                                    "https://github.com/Lore-Hex/QuillCode/pull/722"),
      session_mutant<ChecksAndThenUses<true>>(
          "AnUploadChecksAndThenUses", "FILE-016",
          "the path of an upload is checked, and then followed wherever it leads"),
      session_mutant<ChecksAndThenUses<false>>(
          "ADownloadChecksAndThenUses", "FILE-016",
          "the path of a download is checked, and then followed wherever it leads"),
      session_mutant<AbsoluteInsideIsRefused>("AbsoluteInsideIsRefused", "FILE-016",
                                              "an absolute path inside is refused"),
      session_mutant<ConcurrentUploadsMix>("ConcurrentUploadsMix", "FILE-017",
                                           "two uploads at once are mixed"),
      session_mutant<AnUploadLeavesItsTemporary>("AnUploadLeavesItsTemporary", "FILE-017",
                                                 "what was written aside stays"),
  };
}

}  // namespace sandproof::conformance
