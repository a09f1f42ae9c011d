/*
 * A log of calls in a file, as a sink (trammel/recording.h). To write a file costs a call of the system, and what that
 * does to caches, so chunks go into a journal first: a part of the file behind the log's header that is mapped into
 * memory. What has been copied there is in the file, whatever becomes of the program. When the journal is full, all of
 * it is written behind what there is, and it begins anew.
 */
#ifndef TR_BASE_LOG_FILE_H
#define TR_BASE_LOG_FILE_H

#include "trammel/recording.h"

/* Makes the file anew. What is no file, such as a pipe, has no journal. False: errno says why. */
bool tr_log_file_open(const char *path, tr_sink *out);
#endif
