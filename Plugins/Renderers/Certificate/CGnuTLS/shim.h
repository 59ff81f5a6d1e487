#pragma once
#include <gnutls/gnutls.h>
#include <gnutls/abstract.h>
#include <gnutls/pkcs7.h>
#include <gnutls/x509.h>
