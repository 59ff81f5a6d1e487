/* Files and their names. */
#pragma once

/* Gives a file another name that nothing has yet: renameat2(2) with RENAME_NOREPLACE. Returns 0, or -errno: -EEXIST when
 * something has the name, -EINVAL where the file system cannot tell. */
int vp_rename_new(const char *from, const char *to);
