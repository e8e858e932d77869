// The system's SQLite, and wrappers for what Swift cannot import: variadic functions, and macros that cast to a pointer.
#ifndef GRAFT_CSQLITE_H
#define GRAFT_CSQLITE_H

#include <sqlite3.h>

// Turns an option of a connection on or off.
static inline int graft_sqlite3_set_option(sqlite3 *connection, int option, int isOn) {
  return sqlite3_db_config(connection, option, isOn, (int *)0);
}

// Binds bytes that stay where they are until the statement is reset. A null pointer with no bytes is an empty value, not NULL.
static inline int graft_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int graft_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

// Binds bytes that SQLite copies.
static inline int graft_sqlite3_bind_text_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int graft_sqlite3_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// Returns a text, which SQLite copies, from a function.
static inline void graft_sqlite3_result_text_copy(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
  sqlite3_result_text64(context, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Reads the beginning of a file, as SQLite itself would: closing a file in any other way releases the locks that SQLite has on
// it in this process. Sets 'count' to the number of bytes, at most 'room', and 'size' to the size of the file.
static inline int graft_sqlite3_read_start(
  const char *path, void *bytes, int room, int *count, sqlite3_int64 *size
) {
  sqlite3_vfs *vfs = sqlite3_vfs_find((const char *)0);
  if (!vfs) return SQLITE_CANTOPEN;
  sqlite3_file *file = (sqlite3_file *)sqlite3_malloc64((sqlite3_uint64)vfs->szOsFile);
  if (!file) return SQLITE_NOMEM;
  file->pMethods = 0;
  *count = 0;
  *size = 0;
  int status = vfs->xOpen(
    vfs, path, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_NOFOLLOW, (int *)0);
  if (status == SQLITE_OK) status = file->pMethods->xFileSize(file, size);
  if (status == SQLITE_OK) {
    *count = *size < room ? (int)*size : room;
    if (*count > 0) status = file->pMethods->xRead(file, bytes, *count, 0);
  }
  if (file->pMethods) file->pMethods->xClose(file);
  sqlite3_free(file);
  return status;
}

#endif
