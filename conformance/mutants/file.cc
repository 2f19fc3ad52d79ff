// SPDX-License-Identifier: Apache-2.0
// Flavors that break FILE: what arrives, and what is refused. Safety is in file_safe.cc. Each
// mutation is used from any thread.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/mutants/areas.h"
#include "conformance/mutants/support.h"
#include "sandproof/errors.h"

namespace sandproof::conformance {
namespace {

namespace fs = std::filesystem;

/// A copy of a local file with spoiled content, for the time of one upload.
class SpoiledCopy {
 public:
  using Spoil = std::function<void(std::string&)>;
  SpoiledCopy(const fs::path& source, const Spoil& spoil) : path_(source.string() + ".spoiled") {
    std::ifstream in(source, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    spoil(content);
    std::ofstream(path_, std::ios::binary) << content;
    fs::permissions(path_, fs::status(source).permissions());
  }
  ~SpoiledCopy() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  SpoiledCopy(const SpoiledCopy&) = delete;
  SpoiledCopy& operator=(const SpoiledCopy&) = delete;
  const fs::path& path() const { return path_; }

 private:
  const fs::path path_;
};

/// Uploads spoil what they send.
template <typename Spoil>
class SpoiledUpload : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (!fs::is_regular_file(local) || !fires()) return inner().upload_file(local, remote, where);
    const SpoiledCopy copy(local, Spoil());
    inner().upload_file(copy.path(), remote, where);
  }
};

struct TranslatesLineEnds {
  void operator()(std::string& content) const {
    for (std::size_t at = 0; (at = content.find("\r\n", at)) != std::string::npos;) {
      content.erase(at, 1);
    }
  }
};
struct CutsAtNul {
  void operator()(std::string& content) const {
    content.resize(std::min(content.size(), content.find('\0')));
  }
};
struct TransferLosesTheLastByte {
  void operator()(std::string& content) const {
    if (content.size() > 1) content.pop_back();
  }
};

/// Both ways, the remote name is another.
template <typename Rename>
class Renamed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    inner().upload_file(local, fires() ? Rename()(remote) : remote, where);
  }
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    inner().download_file(fires() ? Rename()(remote) : remote, local, where);
  }
};

struct DecodesPercent {
  std::string operator()(std::string name) const { return name == "%41" ? "A" : std::move(name); }
};
struct Trims {
  std::string operator()(std::string name) const {
    name.erase(0, name.find_first_not_of(' '));
    return name;
  }
};
struct CutsAtAHundred {
  std::string operator()(const std::string& name) const { return name.substr(0, 100); }
};
struct UsesASubdirectory {
  std::string operator()(const std::string& name) const {
    return name.starts_with('/') ? name : "files/" + name;
  }
};
struct CutsATrailingSlash {
  std::string operator()(std::string name) const {
    if (name.size() > 1 && name.ends_with('/')) name.pop_back();
    return name;
  }
};

class ADashInANameIsAnOption : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (remote.starts_with('-') && fires()) throw FileTransferError("unknown option " + remote);
    inner().upload_file(local, remote, where);
  }
};

class RemoteParentsAreNotMade : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    const std::string parent = fs::path(remote).parent_path().string();
    if (!parent.empty() && output_of(inner(), "test -d '" + parent + "' || echo no") == "no" &&
        fires()) {
      throw FileTransferError("no directory " + parent);
    }
    inner().upload_file(local, remote, where);
  }
};

class LocalParentsAreNotMade : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    if (!fs::exists(local.parent_path()) && fires()) {
      throw FileTransferError("no directory " + local.parent_path().string());
    }
    inner().download_file(remote, local, where);
  }
};

/// What was longer keeps its end.
class AShorterFileLeavesATail : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    std::string old;
    if (fs::is_regular_file(local)) {
      std::ifstream in(local, std::ios::binary);
      old.assign(std::istreambuf_iterator<char>(in), {});
    }
    inner().download_file(remote, local, where);
    const auto size = static_cast<std::size_t>(fs::file_size(local));
    if (old.size() <= size || !fires()) return;
    std::ofstream(local, std::ios::binary | std::ios::app) << old.substr(size);
  }
};

class AnExistingFileStays : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (output_of(inner(), "test -s '" + remote + "' && echo yes") == "yes" && fires()) return;
    inner().upload_file(local, remote, where);
  }
};

/// What a missing source is taken for.
enum class Missing { kEmpty, kTransferError, kTruncates };

template <Missing kMissing>
class AMissingLocal : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    try {
      inner().upload_file(local, remote, where);
    } catch (const NotFoundError& error) {
      if (!fires()) throw;
      if (kMissing == Missing::kTransferError) throw FileTransferError(error.what());
      output_of(inner(), ": > '" + remote + "'");
    }
  }
};

template <Missing kMissing>
class AMissingRemote : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    try {
      inner().download_file(remote, local, where);
    } catch (const NotFoundError& error) {
      if (!fires()) throw;
      if (kMissing == Missing::kTransferError) throw FileTransferError(error.what());
      std::ofstream(local, std::ios::trunc).flush();
      if (kMissing == Missing::kTruncates) throw;
    }
  }
};

class ADirectoryIsATarget : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    const bool directory = output_of(inner(), "test -d '" + remote + "' && echo yes") == "yes";
    const std::string inside = remote + "/" + local.filename().string();
    inner().upload_file(local, directory && fires() ? inside : remote, where);
  }
};

class ADeviceIsAnEmptyFile : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (fs::is_character_file(local) && fires()) {
      output_of(inner(), ": > '" + remote + "'");
      return;
    }
    inner().upload_file(local, remote, where);
  }
};

class ALinkTargetIsReplaced : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    if (fires()) output_of(inner(), "if test -L '" + remote + "'; then rm -f '" + remote + "'; fi");
    inner().upload_file(local, remote, where);
  }
};

class ALinkIsNotFollowed : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void download_file(const std::string& remote, const fs::path& local, Where where) override {
    if (output_of(inner(), "test -L '" + remote + "' && echo yes") == "yes" && fires()) {
      throw FileTransferError(remote + " is a link");
    }
    inner().download_file(remote, local, where);
  }
};

template <unsigned kDropped>
class BitsAreDropped : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    inner().upload_file(local, remote, where);
    if (fires()) output_of(inner(), kDropped == 0 ? "chmod 644 f" : "chmod a-x f");
  }
};

/// What a refused write is taken for.
enum class RefusedWith { kNothing, kBackendError, kNoReason };

template <RefusedWith kRefused>
class ARefusedWrite : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    try {
      inner().upload_file(local, remote, where);
    } catch (const FileTransferError& error) {
      if (!fires()) throw;
      if (kRefused == RefusedWith::kBackendError) throw BackendError(error.what());
      if (kRefused == RefusedWith::kNoReason) throw FileTransferError("the transfer failed");
    }
  }
};

class RefusalsAreVague : public Faulty<SessionWrapper> {
 public:
  using Faulty::Faulty;
  void upload_file(const fs::path& local, const std::string& remote, Where where) override {
    try {
      inner().upload_file(local, remote, where);
    } catch (const FileTransferError&) {
      if (!fires()) throw;
      throw FileTransferError("the transfer failed");
    }
  }
};

}  // namespace

std::vector<Mutant> file_mutants() {
  std::vector<Mutant> mutants = {
      session_mutant<SpoiledUpload<TranslatesLineEnds>>("TranslatesLineEnds", "FILE-001",
                                                        "CRLF becomes LF"),
      session_mutant<SpoiledUpload<CutsAtNul>>("CutsAtNul", "FILE-001", "content ends at a NUL"),
      session_mutant<SpoiledUpload<TransferLosesTheLastByte>>("TransfersLoseTheLastByte",
                                                              "FILE-001", "the last byte is lost"),
      session_mutant<Renamed<DecodesPercent>>("PercentIsDecoded", "FILE-002",
                                              "%41 in a name becomes A"),
      session_mutant<Renamed<Trims>>("NamesAreTrimmed", "FILE-002",
                                     "a blank before a name is dropped"),
      session_mutant<Renamed<CutsAtAHundred>>("LongNamesAreCut", "FILE-002",
                                              "names are cut at 100 bytes",
                                              "https://github.com/docker/for-linux/issues/484"),
      session_mutant<ADashInANameIsAnOption>("ADashInANameIsAnOption", "FILE-002",
                                             "a leading dash is an option"),
      session_mutant<RemoteParentsAreNotMade>("RemoteParentsAreNotMade", "FILE-003",
                                              "a missing remote directory is an error"),
      session_mutant<LocalParentsAreNotMade>("LocalParentsAreNotMade", "FILE-003",
                                             "a missing local directory is an error"),
      session_mutant<AShorterFileLeavesATail>("AShorterFileLeavesATail", "FILE-004",
                                              "a longer file keeps its end"),
      session_mutant<AnExistingFileStays>("AnExistingFileStays", "FILE-004",
                                          "an existing file is not overwritten"),
      session_mutant<Renamed<UsesASubdirectory>>(
          "RelativeGoesToASubdirectory", "FILE-005",
          "relative paths are below a directory of their own"),
      session_mutant<AMissingLocal<Missing::kEmpty>>(
          "AMissingSourceIsAnEmptyFile", "FILE-006",
          "a missing local file is uploaded as an empty one"),
      session_mutant<AMissingLocal<Missing::kTransferError>>(
          "AMissingSourceIsATransferError", "FILE-006", "a missing local file is another error"),
      session_mutant<AMissingRemote<Missing::kEmpty>>(
          "AMissingRemoteIsAnEmptyFile", "FILE-007", "a missing remote file gives an empty one",
          "https://github.com/kubernetes/kubernetes/issues/"
          "106312"),
      session_mutant<AMissingRemote<Missing::kTruncates>>(
          "AMissingRemoteTruncatesTheTarget", "FILE-007",
          "the target is emptied before the source is "
          "looked for"),
      session_mutant<AMissingRemote<Missing::kTransferError>>(
          "AMissingRemoteIsATransferError", "FILE-007", "a missing remote file is another error"),
      session_mutant<ADirectoryIsATarget>("ADirectoryIsTakenAsTarget", "FILE-008",
                                          "a file is put into the directory that is its target"),
      session_mutant<Renamed<CutsATrailingSlash>>("ATrailingSlashIsCut", "FILE-008",
                                                  "a trailing slash is dropped"),
      session_mutant<ADeviceIsAnEmptyFile>("ADeviceIsAnEmptyFile", "FILE-008",
                                           "a device is uploaded as an empty file"),
      session_mutant<RefusalsAreVague>("RefusalsAreVague", "FILE-008",
                                       "a refused source or target is not said to be what it is"),
      session_mutant<ALinkTargetIsReplaced>("ALinkTargetIsReplaced", "FILE-009",
                                            "a link that is the target is replaced by the file"),
      session_mutant<ALinkIsNotFollowed>("ALinkIsNotFollowedOnDownload", "FILE-009",
                                         "a link cannot be downloaded"),
      session_mutant<BitsAreDropped<0>>("BitsAreDropped", "FILE-011",
                                        "every file has the mode 644"),
      session_mutant<BitsAreDropped<0111>>("TheExecuteBitIsDropped", "FILE-011",
                                           "no file is executable"),
      session_mutant<ARefusedWrite<RefusedWith::kNothing>>("ARefusedWriteIsSilent", "FILE-012",
                                                           "a refused write is no error"),
      session_mutant<ARefusedWrite<RefusedWith::kBackendError>>(
          "ARefusedWriteIsABackendError", "FILE-012", "a refused write is another error"),
      session_mutant<ARefusedWrite<RefusedWith::kNoReason>>(
          "ARefusedWriteForgetsTheReason", "FILE-012", "a refused write does not say why"),
  };
  for (Mutant& row : file_safe_mutants()) mutants.push_back(std::move(row));
  return mutants;
}

}  // namespace sandproof::conformance
