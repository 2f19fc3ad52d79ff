// SPDX-License-Identifier: Apache-2.0
// The texts of the errors; see errno.h.
#include "fakes/machine/errno.h"

namespace sandproof::machine {

// NOLINTNEXTLINE(readability-function-size): a table of rows.
std::string_view text_of(Errno error) {
  switch (error) {
    case Errno::kOk:
      return "Success";
    case Errno::kPerm:
      return "Operation not permitted";
    case Errno::kNoent:
      return "No such file or directory";
    case Errno::kSrch:
      return "No such process";
    case Errno::kIntr:
      return "Interrupted system call";
    case Errno::kIo:
      return "Input/output error";
    case Errno::kNxio:
      return "No such device or address";
    case Errno::k2big:
      return "Argument list too long";
    case Errno::kNoexec:
      return "Exec format error";
    case Errno::kBadf:
      return "Bad file descriptor";
    case Errno::kChild:
      return "No child processes";
    case Errno::kAgain:
      return "Resource temporarily unavailable";
    case Errno::kNomem:
      return "Cannot allocate memory";
    case Errno::kAcces:
      return "Permission denied";
    case Errno::kFault:
      return "Bad address";
    case Errno::kBusy:
      return "Device or resource busy";
    case Errno::kExist:
      return "File exists";
    case Errno::kXdev:
      return "Invalid cross-device link";
    case Errno::kNodev:
      return "No such device";
    case Errno::kNotdir:
      return "Not a directory";
    case Errno::kIsdir:
      return "Is a directory";
    case Errno::kInval:
      return "Invalid argument";
    case Errno::kNfile:
      return "Too many open files in system";
    case Errno::kMfile:
      return "Too many open files";
    case Errno::kNotty:
      return "Inappropriate ioctl for device";
    case Errno::kTxtbsy:
      return "Text file busy";
    case Errno::kFbig:
      return "File too large";
    case Errno::kNospc:
      return "No space left on device";
    case Errno::kSpipe:
      return "Illegal seek";
    case Errno::kRofs:
      return "Read-only file system";
    case Errno::kMlink:
      return "Too many links";
    case Errno::kPipe:
      return "Broken pipe";
    case Errno::kDom:
      return "Numerical argument out of domain";
    case Errno::kRange:
      return "Numerical result out of range";
    case Errno::kNametoolong:
      return "File name too long";
    case Errno::kNosys:
      return "Function not implemented";
    case Errno::kNotempty:
      return "Directory not empty";
    case Errno::kLoop:
      return "Too many levels of symbolic links";
    case Errno::kOverflow:
      return "Value too large for defined data type";
    case Errno::kNotsup:
      return "Operation not supported";
  }
  return "Unknown error";
}

}  // namespace sandproof::machine
