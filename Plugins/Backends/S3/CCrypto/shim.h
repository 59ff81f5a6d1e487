#pragma once
/* Digests for signatures. */
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <openssl/evp.h>

/* MD5 of bytes, as S3 marks versions by it; 16 bytes are filled. Answers 1 when that could be done. */
static inline int ccrypto_md5(const void *bytes, size_t count, unsigned char *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}

/* One of OpenSSL's own functions, as a function: its name may be a macro. */
static inline const EVP_MD *ccrypto_sha256(void) { return EVP_sha256(); }
