/*
 * Temporary files of processes that were killed, inside libokra-io.
 */
#ifndef OKRA_IO_STALE_FILE_H
#define OKRA_IO_STALE_FILE_H

/* The folder that a path is in, to be freed; NULL where there is no memory. */
char *okra_folder_of(const char *path);

/* Removes what saving this file has left where it was killed: PATH.PID.tmp of processes that are gone, regular files of
 * this user that have not changed for a minute. What cannot be removed stays, and nothing is said. */
void okra_remove_stale(const char *path);

#endif
