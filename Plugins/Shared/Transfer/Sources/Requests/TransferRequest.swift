public import VitrineKit

/// One thing that is asked of a server.
public struct TransferRequest: Sendable {
    /// Where it is asked.
    public var url: TransferURL
    /// The method of HTTP, or the command of another protocol; `nil` for reading what is there.
    public var method: String?
    /// Further fields of the head. A name or value with a control character is refused.
    public var headers: [(name: String, value: String)] = []
    /// What is sent along: small, and kept for another try.
    public var body: [UInt8] = []
    /// What is sent along as it is made, instead of ``body``; such a request is sent once. See ``TransferUpload``.
    var upload: UploadBody?
    /// The beginning of a sentence if it fails: `"cannot read 'a.pdf'"`.
    public var purpose: String
    /// How much of an answer is taken.
    public var maximumBytes: Int64 = 16 << 20
    /// How much of a body is waited for before ``TransferClient/send(_:)`` returns: what breaks earlier is tried again.
    public var awaitedBytes = 0
    /// Answers that are no failures.
    public var accepted: @Sendable (_ status: Int) -> Bool = { 200..<300 ~= $0 }
    /// Whether it may be asked again when an answer fails to come. Default: reading methods are.
    public var isIdempotent: Bool
    /// Says better than the status what an answer means, from its head and up to 4 KiB of its body.
    public var explain: (@Sendable (ResponseHead, [UInt8]) -> PluginError?)?
    /// Whether redirects on the same host are followed; a signed request cannot be.
    public var followsRedirects = true
    /// Sets what only one protocol has, such as known hosts and keys. Called on the thread of the transfers, last of all.
    public var configure: (@Sendable (borrowing TransferHandle) -> Void)?

    /// Creates a request.
    public init(_ url: TransferURL, method: String? = nil, purpose: String) {
        self.url = url
        self.method = method
        self.purpose = purpose
        isIdempotent = method.map { ["GET", "HEAD", "OPTIONS", "PROPFIND"].contains($0) } ?? true
    }

    /// Sets a field of the head, in place of all of that name in either case.
    public mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append((name, value))
    }
}
