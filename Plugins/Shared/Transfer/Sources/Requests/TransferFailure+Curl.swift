import CCurl
import VitrineKit

extension TransferFailure {
    /// What a status of libcurl means: the one place where that is decided.
    /// - Parameter certificate: why OpenSSL refuses a certificate, an `X509_V_ERR` number.
    init(_ status: CURLcode, certificate: Int, request: TransferRequest) {
        let server = request.url.server
        let (code, reason, isPassing): (PluginError.Code, String, Bool) =
            switch status {
            case CURLE_COULDNT_RESOLVE_HOST: (.offline, "no address of '\(server)' is known: check its name", true)
            case CURLE_COULDNT_RESOLVE_PROXY: (.offline, "no address of the proxy is known", false)
            case CURLE_COULDNT_CONNECT: (.offline, "'\(server)' cannot be reached", true)
            case CURLE_OPERATION_TIMEDOUT: (.offline, "'\(server)' did not answer in time", true)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
                (.offline, Self.certificate(certificate, server), false)
            case CURLE_SSL_CACERT_BADFILE:
                (.invalidArgument, "the file of certificates that the setting 'ca-file' names cannot be read", false)
            case CURLE_SSL_CONNECT_ERROR: (.offline, "no secure connection to '\(server)' comes about", false)
            case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR:
                (.unauthorized, "'\(server)' does not accept the user, password or key", false)
            case CURLE_REMOTE_ACCESS_DENIED: (.forbidden, "'\(server)' does not allow it to this user", false)
            case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_TFTP_NOTFOUND: (.notFound, "'\(server)' has nothing there", false)
            case CURLE_REMOTE_DISK_FULL: (.noSpace, "'\(server)' has no space left", false)
            case CURLE_RANGE_ERROR, CURLE_BAD_DOWNLOAD_RESUME: (.changed, "'\(server)' holds less by now", false)
            case CURLE_UNSUPPORTED_PROTOCOL: (.invalidArgument, "'\(request.url.scheme):' is not spoken here", false)
            case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
                CURLE_SEND_FAIL_REWIND,
                CURLE_HTTP2_STREAM:
                (.io, "'\(server)' ended the connection in the middle of its answer", true)
            case CURLE_WEIRD_SERVER_REPLY, CURLE_FTP_ACCEPT_TIMEOUT, CURLE_FTP_WEIRD_PASV_REPLY,
                CURLE_FTP_CANT_GET_HOST:
                (.io, "'\(server)' gave an answer that makes no sense, or has no room for another session", true)
            case CURLE_USE_SSL_FAILED: (.offline, "'\(server)' offers no TLS, which the settings demand", false)
            case CURLE_OUT_OF_MEMORY:
                (.io, "'\(server)' sends a head that is too long, or memory is short", false)
            case CURLE_ABORTED_BY_CALLBACK: (.cancelled, "somebody asked to stop", false)
            default:
                (.io, "the transfer from '\(server)' failed: " + String(cString: curl_easy_strerror(status)), false)
            }
        self.init(
            PluginError(code, "\(request.purpose): \(reason)"), isPassing: isPassing,
            isOfSource: isPassing || code == .offline)
    }

    private static func certificate(_ number: Int, _ server: String) -> String {
        switch number {
        case ccurl_certificate_expired: "the certificate of '\(server)' has expired: its owner must renew it"
        case ccurl_certificate_not_yet_valid:
            "the certificate of '\(server)' is not valid yet: check the clock of this machine"
        case ccurl_certificate_revoked: "the certificate of '\(server)' was revoked: do not trust that server"
        case ccurl_certificate_self_signed, ccurl_certificate_self_signed_chain,
            ccurl_certificate_no_issuer, ccurl_certificate_no_issuer_chain:
            "nobody whom this machine trusts signed the certificate of '\(server)': if it is your own, name the file of "
                + "its authority in the setting 'ca-file'"
        case ccurl_certificate_other_host, 0:
            "the certificate of '\(server)' belongs to another host: check the source's URI"
        default: "the certificate of '\(server)' cannot be trusted (reason \(number) of OpenSSL)"
        }
    }
}
