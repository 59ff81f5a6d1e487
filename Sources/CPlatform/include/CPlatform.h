/* What Swift's Glibc module lacks, one header for each C file. */
#pragma once
#include "vp_containment.h"
#include "vp_containment_landlock.h"
#include "vp_containment_probe.h"
#include "vp_containment_seccomp.h"
#include "vp_files.h"
#include "vp_folders.h"
#include "vp_hash.h"
#include "vp_memory.h"
#include "vp_process.h"
#include "vp_programs.h"
