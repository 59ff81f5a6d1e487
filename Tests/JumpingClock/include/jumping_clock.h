/* Loaded into a program before all other libraries (LD_PRELOAD), this moves the time of day by as many seconds as the
   file that VITRINE_TEST_CLOCK names holds, which is read anew each time. Clocks that only measure stay right. */
