// SPDX-License-Identifier: Apache-2.0
// The rules of the area FILE. Transfers of files, both ways. A table; any thread.
#include "conformance/rules/areas.h"

namespace sandproof::conformance {

// NOLINTNEXTLINE(readability-function-size): a table is as long as its contents.
std::vector<Rule> file_rules() {
  return {
      {.id = "FILE-001",
       .level = Level::kMust,
       .sentence =
           "Bytes round-trip exactly: empty, 1 B, CRLF, NUL, all 256 values, 1 MiB + 1, 64 MiB.",
       .intent =
           "Archives, models and images are bytes. One byte changed or lost makes them useless, "
           "often without a message.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-002",
       .level = Level::kMust,
       .sentence = "Names with spaces, quotes, a leading dash, `%`, newline and non-ASCII work.",
       .intent =
           "People's files have such names. They break where a name passes a shell, an archive "
           "header or a URL.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/docker/for-linux/issues/484",
                "https://github.com/kubernetes/kubernetes/issues/72501"}},
      {.id = "FILE-003",
       .level = Level::kMust,
       .sentence = "Missing parent directories are made, remote on upload and local on download.",
       .intent =
           "Without it each caller writes its own mkdir, and flavors differ in when it is needed.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-004",
       .level = Level::kMust,
       .sentence = "Overwriting replaces the whole content.",
       .intent = "A tail of the old content behind a shorter new one gives a file that is neither.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-005",
       .level = Level::kMust,
       .sentence =
           "A relative remote path is relative to the directory that `exec` uses by default.",
       .intent =
           "A file that is uploaded under a relative name must be where the next command looks "
           "for it.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-006",
       .level = Level::kMust,
       .sentence = "A missing local source is `NotFoundError`, and nothing was sent.",
       .intent = "A typing error in a local path must be told as such; an empty remote file in its "
                 "place is found much later.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-007",
       .level = Level::kMust,
       .sentence =
           "A missing remote source is `NotFoundError` that names it; the local target is left as "
           "it was.",
       .intent = "A missing result must not look like an empty one, and must not take away the old "
                 "local copy.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/issues/106312"}},
      {.id = "FILE-008",
       .level = Level::kMust,
       .sentence =
           "A directory or device as source, or an existing directory or a path ending in `/` as "
           "target, is `FileTransferError` that says so, both ways.",
       .intent =
           "A directory or device as a file gives broken archives, trees that nobody wanted, or a "
           "read that never ends.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/pull/52465"}},
      {.id = "FILE-009",
       .level = Level::kMust,
       .sentence =
           "Symlinks are followed, both ways; the final target is resolved first, and what is "
           "written aside lies beside it.",
       .intent =
           "Links are everywhere in working trees. Sending the link in place of its content, or "
           "replacing the link by a file, breaks them.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/podman-container-tools/podman/issues/3211",
                "https://github.com/kubernetes/kubernetes/pull/52465"}},
      {.id = "FILE-010",
       .level = Level::kMust,
       .sentence =
           "A transfer that fails half-way leaves the target as it was (write aside, then rename).",
       .intent = "Half a file under the final name is taken for the whole by the next reader.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/issues/60140"}},
      {.id = "FILE-011",
       .level = Level::kMust,
       .sentence = "Permission bits travel; the file belongs to the environment's user.",
       .intent =
           "A script without its execute bit does not run, a key with open bits is refused, and a "
           "file of another user cannot be changed.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-012",
       .level = Level::kMust,
       .sentence = "A write that the environment refuses (read-only, no permission, no space) is "
                   "`FileTransferError` with its text.",
       .intent =
           "A refused write that is reported as success, or without the reason, is searched for "
           "in the wrong place.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/docker/docker-py/issues/1808"}},
      {.id = "FILE-013",
       .level = Level::kMust,
       .sentence =
           "Memory stays bounded for a 256 MiB file (streaming); a flavor's size limit, if any, "
           "is checked before anything is sent, and its value is inclusive.",
       .intent =
           "A file that is held in memory two or three times takes the server down; a limit that "
           "shows after minutes of sending wastes them.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {"https://github.com/kubernetes/kubernetes/issues/109474",
                "https://github.com/langchain-ai/deepagents/pull/1402"}},
      {.id = "FILE-014",
       .level = Level::kMust,
       .sentence =
           "(through a hostile archive from a fake) An archive from the environment cannot write "
           "outside the local target (`..`, absolute names, links).",
       .intent = "The environment is not trusted. An archive of its making that writes outside the "
                 "target is an escape to the host.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {Need::kHostileArchive},
       .since = "0.1",
       .bugs = {"https://github.com/podman-container-tools/buildah/pull/2849",
                "https://github.com/libarchive/libarchive/issues/746"}},
      {.id = "FILE-015",
       .level = Level::kMust,
       .sentence =
           "Transfers run beside running commands and on several threads; they write no command "
           "markers to the log.",
       .intent = "Transfers go on while commands run; if they exclude each other, or show up as "
                 "commands in the log, both the timing and the log lie.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
      {.id = "FILE-016",
       .level = Level::kMust,
       .sentence =
           "where the flavor gives no isolation, a remote path or a link that leaves the working "
           "directory is `InvalidArgumentError`, both ways, also when the link is swapped "
           "meanwhile; it wins over FILE-009; an absolute path inside is allowed.",
       .intent =
           "Where there is no isolation, a transfer is the harness's own access to the host. A "
           "path that leaves the directory reads secrets or overwrites files.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {Need::kNoIsolation},
       .since = "0.1",
       .bugs = {"https://github.com/moby/moby/pull/5720",
                "https://github.com/podman-container-tools/podman/issues/3211",
                "https://github.com/CauldronDevelopmentLLC/cbang/issues/115",
                "https://github.com/Lore-Hex/QuillCode/pull/722",
                "https://github.com/zenml-io/zenml/pull/5083",
                "https://github.com/zenml-io/zenml/pull/5102"}},
      {.id = "FILE-017",
       .level = Level::kMust,
       .sentence = "Two uploads to one name at once leave one whole file.",
       .intent =
           "Two writers to one name are common in retries. A mixture of both files is worse than "
           "either.",
       .capabilities = {Capability::kUpload, Capability::kDownload},
       .unless = std::nullopt,
       .needs = {},
       .since = "0.1",
       .bugs = {}},
  };
}

}  // namespace sandproof::conformance
