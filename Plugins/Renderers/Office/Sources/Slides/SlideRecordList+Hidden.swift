internal import CompoundFiles
internal import VitrineKit

extension SlideRecordList {
    /// `RT_Slide`, and `RT_SlideShowSlideInfoAtom` with the place of its flags, one of which is `fHidden` ([MS-PPT] 2.6.6).
    private static let shownSlide = 0x03EE, showing = 0x03F9, flags = 10, hiddenFlag: UInt8 = 4
    /// Records of a slide that are gone through.
    private static let mostParts = 100

    /// The first slide that is not hidden, counted from 0 as slides are shown.
    /// - Returns: `nil` when there is none, or the records make no sense.
    static func firstVisible(of input: any RandomAccessInput) throws(PluginError) -> Int? {
        let file = try CompoundFile(input)
        guard let user = try file.head(of: "Current User", count: 20), let lastEdit = user.uint32(at: 16),
            let stream = CompoundStream("PowerPoint Document", of: file),
            let bytes = try listed(stream, lastEdit)?.bytes
        else { return nil }
        for (number, start) in SlideRecords.starts(of: slide, among: bytes).prefix(HiddenSlides.most).enumerated() {
            guard let identifier = bytes.uint32(at: start + head),
                let place = try place(of: identifier, stream, lastEdit), let record = try record(stream, place),
                record.type == shownSlide
            else { return nil }
            if try !isHidden(record.content, stream) { return number }
        }
        return nil
    }

    private static func isHidden(_ slide: Range<Int>, _ stream: CompoundStream) throws(PluginError) -> Bool {
        var at = slide.lowerBound
        for _ in 0..<mostParts {
            guard let part = try record(stream, at), part.content.upperBound <= slide.upperBound else { return false }
            if part.type == showing, part.content.count > flags {
                return try (stream.bytes(at: part.content.lowerBound + flags, count: 1)?.first ?? 0) & hiddenFlag != 0
            }
            at = part.content.upperBound
        }
        return false
    }
}
