extension RecordTable {
    /// A value between tabs.
    struct Cell {
        /// Without blanks around it and what has a meaning between cells; with quotes where it has such itself.
        let bytes: [UInt8]
        /// The same without the beginning of a letter of UTF-8 that the field's edge cut off.
        let wholeLetters: [UInt8]

        /// - Parameter isText: whether it is a text that may have been cut off where its field ends.
        init(_ value: ArraySlice<UInt8>, isText: Bool) {
            bytes = Self.written(value)
            let rest = isText ? Self.withoutHalfLetter(value) : value
            wholeLetters = rest.count < value.count ? Self.written(rest) : bytes
        }

        private static func written(_ value: ArraySlice<UInt8>) -> [UInt8] {
            let (blank, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))
            var cell = value.prefix { $0 != 0 }.map { $0 < blank ? blank : $0 }
            while cell.last == blank { cell.removeLast() }
            cell.removeFirst(cell.prefix { $0 == blank }.count)
            guard cell.contains(quote) else { return cell }
            return [quote] + cell.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
        }

        private static func withoutHalfLetter(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let tail = value.suffix(3)
            guard let lead = tail.lastIndex(where: { $0 >= 0xC2 && $0 <= 0xF4 }),
                tail[(lead + 1)...].allSatisfy({ $0 & 0xC0 == 0x80 })
            else { return value }
            let length = value[lead] >= 0xF0 ? 4 : value[lead] >= 0xE0 ? 3 : 2
            let rest = value[..<lead]
            guard value.endIndex - lead < length, String(validating: rest, as: UTF8.self) != nil else { return value }
            return rest
        }
    }
}
