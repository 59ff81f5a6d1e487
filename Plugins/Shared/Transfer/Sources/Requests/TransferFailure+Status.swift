import Glibc
import VitrineKit

extension TransferFailure {
    /// What an answer of HTTP means: the one place where that is decided (RFC 9110, RFC 4918, RFC 6585).
    init(head: ResponseHead, request: TransferRequest, body: [UInt8]) {
        let (code, reason, isPassing, isOfSource) = Self.meaning(head.status)
        let server = request.url.server
        var error = PluginError(code, "\(request.purpose): '\(server)' \(reason) (status \(head.status))")
        if let better = request.explain?(head, body) { error = better }
        self.init(
            error, isPassing: isPassing, isOfSource: isOfSource,
            retryAfter: isPassing ? head.retryAfter(now: Int64(time(nil))) : nil)
    }

    private static func meaning(_ status: Int) -> (PluginError.Code, String, isPassing: Bool, isOfSource: Bool) {
        switch status {
        // Where an answer is waited for: it is being made, and the server says when it is there.
        case 202: (.throttled, "is still preparing it", true, false)
        case 401, 407: (.unauthorized, "does not accept the user, password or token: check them", false, false)
        case 403: (.forbidden, "does not allow it to this user", false, false)
        case 404, 410: (.notFound, "has nothing there", false, false)
        // `timeout` is a renderer's, and would be remembered of the item.
        case 408, 504: (.offline, "waited too long", true, true)
        case 405, 501: (.invalidArgument, "does not know this kind of request: is it such a server?", false, false)
        case 409: (.notFound, "lacks the folder above", false, false)
        case 412, 416: (.changed, "holds another version by now", false, false)
        case 423: (.forbidden, "says that somebody has locked it", false, false)
        case 429: (.throttled, "asks to slow down", true, false)
        case 503: (.throttled, "is too busy, or asks to slow down", true, true)
        case 507: (.noSpace, "has no space left", false, false)
        case 500..<600: (.io, "failed by itself", true, true)
        case 300..<400: (.io, "points elsewhere", false, false)
        default: (.io, "gave an answer that makes no sense here", false, false)
        }
    }
}
