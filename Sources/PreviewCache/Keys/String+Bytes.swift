extension String {
    /// Whether every byte of its UTF-8 lies in a range. Nearly every text has its bytes in a row, where that costs a fraction.
    func consists(of bytes: ClosedRange<UInt8>) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy { bytes ~= $0 } } ?? utf8.allSatisfy { bytes ~= $0 }
    }
}
