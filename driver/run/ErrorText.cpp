// SPDX-License-Identifier: Apache-2.0
#include "driver/run/ErrorText.h"
#include <cerrno>
#include <cstring>

namespace cudacc::run {

namespace {
struct Row {
  int error;
  llvm::StringLiteral text;
};
} // namespace

/// Errors of files and processes for which musl has another text.
static constexpr Row rows[] = {
    {EIO, "Input/output error"},
    {ECHILD, "No child processes"},
    {ENOMEM, "Cannot allocate memory"},
    {EBUSY, "Device or resource busy"},
    {EXDEV, "Invalid cross-device link"},
    {EMFILE, "Too many open files"},
    {ENOTTY, "Inappropriate ioctl for device"},
    {ESPIPE, "Illegal seek"},
    {ERANGE, "Numerical result out of range"},
    {EDEADLK, "Resource deadlock avoided"},
    {ENAMETOOLONG, "File name too long"},
    {ELOOP, "Too many levels of symbolic links"},
    {EOVERFLOW, "Value too large for defined data type"},
    {ELIBACC, "Can not access a needed shared library"},
    {ELIBBAD, "Accessing a corrupted shared library"},
    {EOPNOTSUPP, "Operation not supported"},
    {EUCLEAN, "Structure needs cleaning"},
    {EDQUOT, "Disk quota exceeded"},
};

llvm::StringRef errorText(int error) {
  for (const Row &row : rows)
    if (row.error == error)
      return row.text;
  return strerror(error);
}

} // namespace cudacc::run
