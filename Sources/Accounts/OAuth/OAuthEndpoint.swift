import CHTTP
import Dispatch
import Synchronization
import VitrineKit

/// Asks the addresses of a service that logs people in. What is sent and what comes may be secret: none of it is in an
/// error but the service's own code and sentence for it.
struct OAuthEndpoint: Sendable {
    let service: OAuthService
    /// The program's secret; `nil` where it needs none.
    let clientSecret: String?
    /// Set once the service has said that it does not know the program, or not its secret.
    let refusedProgram = Flag()

    /// An answer, of whatever status.
    struct Answer {
        /// Where it came from.
        var address: String
        var status: Int
        var body: [UInt8]
        var json: OAuthAnswer?
    }

    /// For one request.
    private static let milliseconds = 30_000
    /// An answer is a kilobyte or two.
    private static let limit = 64 << 10

    /// Sends a form, with what says who the program is.
    /// - Parameters:
    ///   - form: names and values.
    ///   - address: where to.
    ///   - doing: the beginning of a sentence if it fails.
    /// - Throws: `offline`, `cancelled`, `limitExceeded`, `pluginUnavailable`.
    func post(_ form: [(String, String)], to address: String, _ doing: String) async throws(PluginError) -> Answer {
        try OAuthService.check(address)
        var form = form
        form.append(("client_id", service.clientID ?? ""))
        if let clientSecret { form.append(("client_secret", clientSecret)) }
        let text = FormEncoding.encode(form)
        let isPlain = address.hasPrefix("http:")
        let caFile = service.caFile
        let stop = Flag()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Answer, PluginError>, Never>) in
                DispatchQueue(label: "vitrine.login").async {
                    continuation.resume(returning: Self.send(text, address, isPlain, caFile, stop, doing))
                }
            }
        } onCancel: {
            stop.set()
        }.get()
    }

    private static func send(
        _ form: String, _ address: String, _ isPlain: Bool, _ caFile: String?, _ stop: Flag, _ doing: String
    ) -> Result<Answer, PluginError> {
        var answer = chttp_answer()
        defer { chttp_free(&answer) }
        withExtendedLifetime(stop) {
            chttp_post(
                address, form, isPlain ? 1 : 0, caFile, milliseconds, limit,
                { user in user.map { Unmanaged<Flag>.fromOpaque($0).takeUnretainedValue().isSet ? 1 : 0 } ?? 0 },
                Unmanaged.passUnretained(stop).toOpaque(), &answer)
        }
        func failed(_ code: PluginError.Code, _ why: String) -> Result<Answer, PluginError> {
            .failure(PluginError(code, "\(doing): \(why)"))
        }
        let host = host(of: address)
        if answer.is_absent != 0 { return failed(.pluginUnavailable, "libcurl is not installed") }
        if answer.is_stopped != 0 { return failed(.cancelled, "somebody asked to stop") }
        if answer.is_too_long != 0 {
            return failed(
                .limitExceeded, "'\(host)' answers with more than \(limit >> 10) KiB, which no honest server needs")
        }
        guard answer.status > 0 else {
            let why = withUnsafeBytes(of: answer.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return failed(.offline, "'\(host)' cannot be asked: \(DisplayText.of(why))")
        }
        let body = UnsafeRawBufferPointer(start: answer.body, count: answer.length).map { $0 }
        return .success(Answer(address: address, status: answer.status, body: body, json: OAuthAnswer(body)))
    }

    private static func host(of address: String) -> String {
        DisplayText.of((try? SourceURI(address))?.authority ?? "the service")
    }

    /// What an answer that is no success means.
    func failure(_ answer: Answer, _ doing: String) -> PluginError {
        let host = Self.host(of: answer.address)
        guard let code = answer.json?.error else {
            let isBusy = answer.status == 429 || answer.status >= 500
            return PluginError(
                isBusy ? .offline : .io,
                "\(doing): '\(host)' gave an answer that makes no sense here (status \(answer.status))")
        }
        let shown = DisplayText.of(String(code.prefix(60)))
        let sentence = answer.json?.errorDescription.map { ": " + DisplayText.of(String($0.prefix(200))) } ?? ""
        switch code {
        case "access_denied": return PluginError(.unauthorized, "\(doing): it was not allowed")
        case "expired_token": return PluginError(.unauthorized, "\(doing): the code is too old by now; begin again")
        case "invalid_client", "unauthorized_client":
            refusedProgram.set()
            return PluginError(
                .unauthorized,
                "\(doing): '\(host)' does not know the client-id, or not its secret (\(shown)\(sentence))")
        case "temporarily_unavailable", "server_error":
            return PluginError(.offline, "\(doing): '\(host)' cannot now (\(shown)\(sentence))")
        default: return PluginError(.unauthorized, "\(doing): '\(host)' refuses it (\(shown)\(sentence))")
        }
    }
}

/// What is set once: that a request is not waited for any more, or what came of it.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}

/// Forms as browsers send them (application/x-www-form-urlencoded), with blanks as `%20`.
enum FormEncoding {
    /// Encodes names and values.
    static func encode(_ form: [(String, String)]) -> String {
        form.map { PercentEncoding.encodeComponent($0.0.utf8) + "=" + PercentEncoding.encodeComponent($0.1.utf8) }
            .joined(separator: "&")
    }

    /// Takes a query apart; of two of one name the first counts. `nil` for one that is broken.
    static func decode(_ text: Substring) -> [String: String]? {
        var form: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { part in
                PercentEncoding.decode(part.replacing("+", with: "%20")).flatMap {
                    String(validating: $0, as: UTF8.self)
                }
            }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else { return nil }
            if form[name] == nil { form[name] = value }
        }
        return form
    }
}
