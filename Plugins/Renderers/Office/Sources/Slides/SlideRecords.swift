internal import CompoundFiles
internal import VitrineKit

/// Slides as PowerPoint's own format keeps them ([MS-PPT]): records, with a head of eight bytes each, within records.
enum SlideRecords {
    private struct Record {
        var type: Int
        var instance: Int
        var isContainer: Bool
        var content: Range<Int>
    }

    /// `RT_Document`, `RT_Slide`, `OfficeArtSpContainer` and `RT_PlaceholderAtom`.
    private static let document = 0x03E8, slide = 0x03EE, shape = 0xF004, field = 0x0BC3
    /// `RT_TextCharsAtom` and `RT_TextBytesAtom`.
    private static let texts: Set = [0x0FA0, 0x0FA8]
    /// `RT_OutlineTextRefAtom`, which says that the text stands in the outline: `RT_SlideListWithText`, where
    /// `RT_SlidePersistAtom` begins a slide and `RT_TextHeaderAtom` a text of it.
    private static let reference = 0x0F9E, outline = 0x0FF0, outlinedSlide = 0x03F3, outlinedText = 0x0F9F
    /// Of `PlaceholderEnum`: titles, subtitles and bodies of text.
    private static let textFields: ClosedRange<UInt8> = 0x0D...0x12
    private static let mostDepth = 16

    /// Whether a slide has a field for text without text.
    /// - Parameters:
    ///   - index: of the slide among those in the file, from 0. A file to which slides were added without writing it anew may
    ///     have them in another order than they are shown. Of such a file it is not said whether there are words in the outline.
    ///   - limit: bytes of the document that are looked at.
    static func haveEmptyField(on index: Int, of input: any RandomAccessInput, limit: Int) -> Bool {
        guard let file = try? CompoundFile(input),
            let bytes = try? file.head(of: "PowerPoint Document", count: limit)
        else { return false }
        let all = records(bytes, 0..<bytes.count)
        let slides = all.filter { $0.type == slide }
        guard slides.indices.contains(index) else { return false }
        return holdsEmptyField(bytes, slides[index].content, outlined(bytes, all, index), depth: 0)
    }

    /// Whether there are words in each of the texts that the outline has of a slide.
    private static func outlined(_ bytes: [UInt8], _ all: [Record], _ index: Int) -> [Bool] {
        let documents = all.filter { $0.type == document }
        // Each time that a file is saved without writing it anew there is one more. Masters and notes have lists of their own.
        guard documents.count == 1,
            let list = records(bytes, documents[0].content).first(where: { $0.type == outline && $0.instance == 0 })
        else { return [] }
        var number = -1
        var haveWords: [Bool] = []
        for record in records(bytes, list.content) {
            if record.type == outlinedSlide { number += 1 }
            if number > index { break }
            guard number == index else { continue }
            if record.type == outlinedText { haveWords.append(false) }
            if texts.contains(record.type), !record.content.isEmpty, let last = haveWords.indices.last {
                haveWords[last] = true
            }
        }
        return haveWords
    }

    /// Whether a document has no slide. Of one that is damaged, or longer than the limit, this is not said.
    static func areMissing(in input: any RandomAccessInput, limit: Int) -> Bool {
        guard let file = try? CompoundFile(input),
            let bytes = try? file.head(of: "PowerPoint Document", count: limit), bytes.count < limit
        else { return false }
        guard let all = filling(bytes) else { return false }
        return all.contains { $0.type == document } && !all.contains { $0.type == slide }
    }

    /// Whether a document was left while its masters were shown: LibreOffice then opens it with them.
    ///
    /// The last view of the last edit ([MS-PPT] 2.3.2 and 2.3.3), which is one of slide masters or title masters.
    static func areMastersShown(of input: any RandomAccessInput) -> Bool {
        guard let file = try? CompoundFile(input), let user = try? file.head(of: "Current User", count: 20),
            let edit = user.uint32(at: 16),
            let bytes = try? CompoundStream("PowerPoint Document", of: file)?.bytes(at: edit, count: editSize),
            bytes.uint16(at: 2) == lastEdit, let view = bytes.uint16(at: lastView)
        else { return false }
        return [2, 10].contains(view)
    }

    /// `RT_UserEditAtom`, its size with its head, and where in it stands how the document was seen last.
    private static let lastEdit = 0x0FF5, editSize = 36, lastView = 32

    /// Where the records of a type begin that lie side by side; none when these do not fill the bytes.
    static func starts(of type: Int, among bytes: [UInt8]) -> [Int] {
        (filling(bytes) ?? []).filter { $0.type == type }.map { $0.content.lowerBound - 8 }
    }

    /// The records that lie side by side up to the end of the bytes, each as long as it says; else `nil`.
    private static func filling(_ bytes: [UInt8]) -> [Record]? {
        let all = records(bytes, 0..<bytes.count)
        guard let last = all.last?.content, last.upperBound == bytes.count,
            bytes.uint32(at: last.lowerBound - 4) == last.count
        else { return nil }
        return all
    }

    /// The records side by side in a part of the file; the last one may be cut.
    private static func records(_ bytes: [UInt8], _ range: Range<Int>) -> [Record] {
        var found: [Record] = []
        var at = range.lowerBound
        while range.upperBound - at >= 8, let version = bytes.uint16(at: at), let type = bytes.uint16(at: at + 2),
            let length = bytes.uint32(at: at + 4)
        {
            let end = min(at + 8 + length, range.upperBound)
            found.append(
                Record(type: type, instance: version >> 4, isContainer: version & 0xF == 0xF, content: at + 8..<end))
            at = end
        }
        return found
    }

    /// - Parameter outlined: which texts of the slide's outline have words.
    private static func holdsEmptyField(
        _ bytes: [UInt8], _ range: Range<Int>, _ outlined: [Bool], depth: Int
    ) -> Bool {
        /// A text that is not where it should be may have some.
        func hasWords(_ part: Record) -> Bool {
            guard part.type == reference else { return texts.contains(part.type) && !part.content.isEmpty }
            guard part.content.count >= 4, let number = bytes.uint32(at: part.content.lowerBound) else { return true }
            return outlined.indices.contains(number) ? outlined[number] : true
        }
        guard depth < mostDepth else { return false }
        return records(bytes, range).contains { record in
            guard record.isContainer else { return false }
            guard record.type == shape else {
                return holdsEmptyField(bytes, record.content, outlined, depth: depth + 1)
            }
            let parts = inner(bytes, record.content, depth: depth)
            let isField = parts.contains { part in
                part.type == field && part.content.count > 4 && textFields ~= bytes[part.content.lowerBound + 4]
            }
            return isField && !parts.contains(where: hasWords)
        }
    }

    /// All records within a part of the file, at any depth.
    private static func inner(_ bytes: [UInt8], _ range: Range<Int>, depth: Int) -> [Record] {
        guard depth < mostDepth else { return [] }
        return records(bytes, range).flatMap { record in
            [record] + (record.isContainer ? inner(bytes, record.content, depth: depth + 1) : [])
        }
    }
}
