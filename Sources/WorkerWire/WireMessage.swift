/// Bounds of every message between host and worker.
///
/// Messages are short, flat and little-endian, one datagram each. The host reads what a worker wrote as it would read a
/// file from a stranger: every length is checked, nothing is trusted.
public enum WireMessage {
    /// The most bytes of one datagram.
    public static let sizeLimit = 64 << 10
    /// The most bytes of one text in it, but for the text of an item: ``Facts/textLimit``.
    public static let textLimit = 4 << 10
}
