// SPDX-License-Identifier: Apache-2.0
// See guarded.h.
#include "guarded.h"

namespace sandproof {

void rethrow_as_contract_error(const Redactor& redactor, const std::string& doing) {
  if (redactor.empty()) {
    try {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw BackendError(doing + " failed: " + error.what());
    } catch (...) {
      throw BackendError(doing + " failed with an exception of unknown type");
    }
  }
  const auto clean = [&](const std::exception& error) { return redactor.redacted(error.what()); };
  try {
    throw;
  } catch (const ExecError& error) {
    throw ExecError(error.why(), clean(error));
  } catch (const NotFoundError& error) {
    throw NotFoundError(clean(error));
  } catch (const InvalidArgumentError& error) {
    throw InvalidArgumentError(clean(error));
  } catch (const TimeoutError& error) {
    throw TimeoutError(clean(error));
  } catch (const SandboxLostError& error) {
    throw SandboxLostError(clean(error));
  } catch (const FileTransferError& error) {
    throw FileTransferError(clean(error));
  } catch (const BackendError& error) {
    throw BackendError(clean(error), error.status());
  } catch (const Error&) {
    throw;  // The rest is made of names of operations, flavors and sessions.
  } catch (const std::exception& error) {
    throw BackendError(doing + " failed: " + clean(error));
  } catch (...) {
    throw BackendError(doing + " failed with an exception of unknown type");
  }
}

}  // namespace sandproof
