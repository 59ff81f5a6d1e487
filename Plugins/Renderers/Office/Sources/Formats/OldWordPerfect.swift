internal import CompoundFiles
internal import VitrineKit

/// Documents of WordPerfect 4.2 for DOS and of WordPerfect 1 for the Macintosh, which begin with their text.
///
/// They have no signature: they are known by their functions, codes from 192 on that stand on both sides of what belongs to them.
/// Which code has how many bytes is what libwpd knows, whose rules these are: LibreOffice takes anything else for plain text.
enum OldWordPerfect {
    /// Whether a file begins as such a document may.
    /// - Parameters:
    ///   - head: the first bytes of it.
    ///   - size: bytes in all. A function may reach beyond the head, but not beyond the file.
    static func begins(_ head: [UInt8], size: Int64) -> Bool {
        let isCut = size > Int64(head.count)
        return functions(in: head, isCut: isCut) { code, start in
            let length = lengthsOf42[code - firstCode]
            if length > 0 { return start + length }
            return head[(start + 1)...].firstIndex(of: UInt8(code)).map { $0 + 1 } ?? (isCut ? head.count + 1 : nil)
        }
            || functions(in: head, isCut: isCut) { code, start in
                let length = lengthsOf1[code - firstCode]
                if length > 0 { return start + length }
                return end(ofFunctionAt: start, in: head, isCut: isCut)
            }
    }

    /// The first code of functions with bytes of their own; those of one byte come before.
    private static let firstCode = 0xC0
    /// No code of a function.
    private static let never = 0xFF

    /// Whether there are functions of several bytes, and each of them ends with its code.
    /// - Parameter end: what is behind a function, by its code and where it begins; `nil` where none can be.
    private static func functions(in head: [UInt8], isCut: Bool, end: (_ code: Int, _ start: Int) -> Int?) -> Bool {
        var (at, hasFunctions) = (0, false)
        while at < head.count {
            let code = Int(head[at])
            guard code >= firstCode else {
                at += 1
                continue
            }
            guard code != never, let next = end(code, at) else { return false }
            guard next <= head.count else { return isCut && hasFunctions }
            guard head[next - 1] == head[at] else { return false }
            (at, hasFunctions) = (next, true)
        }
        return hasFunctions
    }

    /// What is behind a function of WordPerfect 1 that says how long it is: its code, the bytes of what is in it, that, and both once
    /// more.
    private static func end(ofFunctionAt start: Int, in head: [UInt8], isCut: Bool) -> Int? {
        func length(at offset: Int) -> Int? {
            guard offset + 4 <= head.count else { return nil }
            return Int(bigEndianBytes: head[offset..<(offset + 4)])
        }
        guard let inside = length(at: start + 1) else { return isCut ? head.count + 1 : nil }
        guard 1...Int(Int32.max) ~= inside else { return nil }
        let second = start + 5 + inside
        guard let again = length(at: second) else { return isCut ? head.count + 1 : nil }
        return again == inside ? second + 5 : nil
    }

    /// Bytes of the functions from 192 to 254, with both codes; 0 for those of any length.
    private static let lengthsOf42 = [
        6, 4, 3, 5, 5, 6, 4, 6, 8, 42, 3, 6, 4, 3, 4, 3, 6, 0, 0, 4, 4, 4, 6, 0, 4, 4, 4, 4, 0, 24, 4, 0,
        4, 3, 0, 150, 6, 23, 11, 3, 3, 0, 0, 0, 4, 0, 44, 18, 6, 106, 0, 100, 4, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    private static let lengthsOf1 = [
        10, 4, 4, 7, 7, 6, 4, 6, 8, 0, 4, 6, 6, 3, 6, 3, 6, 0, 0, 4, 4, 4, 6, 0, 4, 4, 4, 4, 0, 24, 6, 0,
        4, 3, 0, 150, 6, 23, 11, 3, 3, 0, 0, 32, 5, 0, 44, 18, 6, 106, 0, 196, 4, 0, 5, 4, 4, 8, 0, 4, 0, 0, 0,
    ]
}
