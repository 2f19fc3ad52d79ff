// SPDX-License-Identifier: Apache-2.0
// See host_process.h.
#include "fakes/machine/host/host_process.h"

#include <stdexcept>
#include <system_error>

#include "fakes/machine/devices.h"

namespace sandproof::machine {

Result<std::unique_ptr<HostProcess>> HostProcess::start(HostLoop& loop, Machine& machine, Box& box,
                                                        Start start, bool wants_input) {
  try {
    std::unique_ptr<HostProcess> made(new HostProcess(loop));
    start.files.assign(3, nullptr);
    std::tie(made->out_, start.files[1]) = HostReader::make(loop, box, machine.next_pipe_id());
    std::tie(made->err_, start.files[2]) = HostReader::make(loop, box, machine.next_pipe_id());
    if (wants_input) {
      std::tie(made->in_, start.files[0]) = HostWriter::make(loop, box, machine.next_pipe_id());
    } else {
      start.files[0] = open_null(Access::kRead);
    }
    start.on_end = [end = made->end_](WaitStatus status) {
      const std::lock_guard lock(end->mutex);
      end->status = status;
      if (end->ended) end->ended->set(true);
    };
    const Result<std::shared_ptr<const Launch>> launch = machine.start(box, std::move(start));
    if (!launch) return launch.error();
    made->box_ = box.id();
    made->family_ = (*launch)->family();
    made->pid_ = (*launch)->pid();
    return made;
  } catch (const std::system_error&) {
    return Errno::kMfile;
  }
}

HostProcess::~HostProcess() {
  const std::lock_guard lock(end_->mutex);
  end_->ended.reset();
}

std::optional<WaitStatus> HostProcess::status() const {
  const std::lock_guard lock(end_->mutex);
  return end_->status;
}

void HostProcess::kill_tree() {
  try {
    loop_.call([this](Machine& machine) {
      Box* const box = machine.find_box(box_);
      if (box != nullptr) machine.kill_family(*box, family_);
    });
  } catch (const std::runtime_error&) {
    // The loop has stopped, and has ended everything.
  }
}

}  // namespace sandproof::machine
