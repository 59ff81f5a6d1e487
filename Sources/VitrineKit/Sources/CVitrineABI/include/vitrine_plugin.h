/* The handshake between Vitrine and a plugin: plain C, read before any Swift symbol is touched.
 *
 * A plugin's library exports two functions of these names:
 *
 *   const vitrine_plugin_info *vitrine_plugin_info_v1(void);
 *       what the library was built against; calls nothing, allocates nothing.
 *   void *vitrine_plugin_entry_v1(void);
 *       a retained VitrineKit.PluginEntry; called only after the info was accepted.
 */
#ifndef VITRINE_PLUGIN_H
#define VITRINE_PLUGIN_H

#include <stdint.h>

/* "VTRN" in memory order on a little-endian machine. */
#define VITRINE_PLUGIN_MAGIC 0x4E525456u

/* Grows when a plugin built against an older VitrineKit can no longer be loaded.
 * Additions that library evolution covers do not change it. */
#define VITRINE_PLUGIN_ABI 1u

typedef struct vitrine_plugin_info {
    uint32_t magic;         /* VITRINE_PLUGIN_MAGIC */
    uint32_t abi;           /* VITRINE_PLUGIN_ABI of the header that the plugin was compiled with */
    uint32_t size;          /* sizeof(vitrine_plugin_info), so that fields can be appended */
    uint32_t reserved;      /* 0 */
    const char *toolchain;  /* compiler that built it, for messages only; never NULL */
} vitrine_plugin_info;

/* The info of the library that this is compiled into. */
static inline const vitrine_plugin_info *vitrine_plugin_info_here(void) {
    static const vitrine_plugin_info info = {
        VITRINE_PLUGIN_MAGIC, VITRINE_PLUGIN_ABI, sizeof(vitrine_plugin_info), 0, __VERSION__,
    };
    return &info;
}

#endif
