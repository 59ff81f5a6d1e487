#pragma once
/* What of libssh Swift cannot import as it is. */
#include <libssh/libssh.h>
#include <libssh/sftp.h>

/* Typed, since the option decides what the pointer means. */
static inline int cssh_set_string(ssh_session session, enum ssh_options_e option, const char *value) {
    return ssh_options_set(session, option, value);
}
static inline int cssh_set_int(ssh_session session, enum ssh_options_e option, int value) {
    return ssh_options_set(session, option, &value);
}
static inline int cssh_set_long(ssh_session session, enum ssh_options_e option, long value) {
    return ssh_options_set(session, option, &value);
}
static inline int cssh_set_port(ssh_session session, unsigned int value) {
    return ssh_options_set(session, SSH_OPTIONS_PORT, &value);
}
/* The library takes and closes the socket. */
static inline int cssh_set_socket(ssh_session session, socket_t value) {
    return ssh_options_set(session, SSH_OPTIONS_FD, &value);
}
static inline const char *cssh_error(ssh_session session) { return ssh_get_error(session); }
