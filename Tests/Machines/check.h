#pragma once
#include <stdio.h>

/* How many things were not as they should be. */
extern int failures;

#define CHECK(what) ((what) ? (void)0 : fail(__FILE__, __LINE__, #what))
void fail(const char *file, int line, const char *what);

/* See calls.c; the arguments of the program. */
void try_calls(int count, char *const *arguments);
