/* What Swift's Glibc module lacks, one header for each subject. */
#pragma once
#include "vp_process.h"
#include "vp_containment.h"
#include "vp_hash.h"
#include "vp_files.h"
#include "vp_folders.h"
