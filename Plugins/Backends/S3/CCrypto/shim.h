#pragma once
/* Digests for signatures. */
#include <openssl/hmac.h>
#include <openssl/sha.h>

/* One of OpenSSL's own functions, as a function: its name may be a macro. */
static inline const EVP_MD *ccrypto_sha256(void) { return EVP_sha256(); }
