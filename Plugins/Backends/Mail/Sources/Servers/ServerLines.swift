import Transfer

/// What a server of mail says, line by line. Every call waits for it; one thread at a time.
protocol ServerLines {
    /// The server, for sentences.
    var server: String { get }
    /// Says something to it.
    func send(_ bytes: [UInt8], _ doing: String) throws(TransferFailure)
    /// Its next line, without the end.
    /// - Parameter longest: the most bytes that it may have.
    func line(longest: Int, _ doing: String) throws(TransferFailure) -> [UInt8]
    /// So many bytes, whatever is in them.
    func bytes(_ count: Int, _ doing: String) throws(TransferFailure) -> [UInt8]
}

extension LineConnection: ServerLines {}
