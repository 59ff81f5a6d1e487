/* Landlock: which files and which network a process may reach. Returns as those of vp_containment.h. */
#pragma once

/* The version of Landlock's interface that the kernel offers, 1 or more; -ENOSYS or -EOPNOTSUPP without it. */
int vp_landlock_abi(void);

/* A rule set that denies everything which this version can deny: all of the file system, TCP from version 4,
 * abstract sockets and signals to processes outside from version 6. Returns its descriptor. */
int vp_landlock_new(int abi);

/* What vp_landlock_allow opens. Only VP_FILES_RUN allows to execute a file; mapping a library needs reading only. */
enum {
    VP_FILES_READ,    /* read files, list folders */
    VP_FILES_WRITE,   /* the same, and create, write, rename and remove files and folders */
    VP_FILES_DEVICE,  /* read and write one device file, such as /dev/null */
    VP_FILES_RUN      /* read files, list folders, execute programs */
};

/* Allows something at a file, or at a folder and all below. -ENOENT if there is nothing. */
int vp_landlock_allow(int ruleset, int abi, const char *path, int access);

/* Puts the rule set in force for the calling thread and those that it starts; the descriptor stays open.
 * Rule sets add up: what one of them denies is denied. */
int vp_landlock_enforce(int ruleset);
