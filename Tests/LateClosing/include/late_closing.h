/* Loaded into a program before all other libraries (LD_PRELOAD), this makes connections of libssh close only when the
   program's exit, if it has one, has run what its libraries do there, and that exit wait for it. Neither waits longer than a
   second. */
