#pragma once
#include <gio/gio.h>

/* Hears when a connection to a bus is closed, on the thread that was the default where it was made. Swift has no cast for the
 * handlers of signals. */
static inline void cgio_on_closed(
    GDBusConnection *connection, void (*handler)(GDBusConnection *, gboolean, GError *, gpointer), gpointer data,
    GClosureNotify release) {
    g_signal_connect_data(connection, "closed", G_CALLBACK(handler), data, release, (GConnectFlags)0);
}
