internal import COffice

extension UnsafeRawBufferPointer {
    /// Where words stand first.
    /// - Parameter start: where to begin, at most the number of bytes.
    /// - Returns: counted from the first byte of all; `nil` when they are not there.
    func offset(of words: StaticString, from start: Int = 0) -> Int? {
        guard let first = baseAddress,
            let found = coffice_find(first + start, count - start, words.utf8Start, words.utf8CodeUnitCount)
        else { return nil }
        return UnsafeRawPointer(found) - first
    }
}
