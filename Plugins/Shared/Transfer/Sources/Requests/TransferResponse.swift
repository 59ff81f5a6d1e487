/// An answer that is coming.
public struct TransferResponse: Sendable {
    /// What the server said about it.
    public let head: ResponseHead
    /// What it sends.
    public let body: TransferBody
}
