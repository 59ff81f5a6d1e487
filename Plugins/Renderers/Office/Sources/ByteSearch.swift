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

    /// Whether a word is there, in letters of any case.
    /// - Parameter word: in small letters.
    func hasInAnyCase(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            word.withMemoryRebound(to: CChar.self) { word in
                coffice_has_in_any_case(
                    baseAddress?.assumingMemoryBound(to: CChar.self), count, word.baseAddress, word.count) != 0
            }
        }
    }
}
