internal import CDCMTK
internal import VitrineKit

/// A DICOM file in DCMTK's hands; the one owner of its object. The bytes that it was made of must outlive it.
final class DICOMFile {
    /// The number of an element in the standard's part 6.
    struct Element {
        var group: UInt16, number: UInt16

        init(_ group: UInt16, _ number: UInt16) { (self.group, self.number) = (group, number) }
    }

    private let file: OpaquePointer

    /// Decoders are registered once, by one thread.
    private static let isStarted = cdcmtk_start()

    /// Registers decoders and reads the dictionary, once in a process.
    static func warmUp() throws(PluginError) {
        guard isStarted else {
            throw PluginError(.pluginUnavailable, "DCMTK does not find its dictionary; install the package libdcmtk17")
        }
    }

    /// Reads the elements of a file.
    /// - Throws: `corrupt`, `limitExceeded`, `unsupported`.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        file = try Self.open { failure, reason, room in
            cdcmtk_open(bytes.baseAddress, bytes.count, failure, reason, room)
        }
    }

    deinit { cdcmtk_close(file) }

    /// Calls what opens something, and throws what is said where it does not.
    private static func open(
        _ body: (UnsafeMutablePointer<cdcmtk_failure>, UnsafeMutablePointer<CChar>, Int) -> OpaquePointer?
    ) throws(PluginError) -> OpaquePointer {
        var failure = CDCMTK_DAMAGED
        var reason = [CChar](repeating: 0, count: 256)
        let opened = reason.withUnsafeMutableBufferPointer { text in
            text.baseAddress.flatMap { body(&failure, $0, text.count) }
        }
        if let opened { return opened }
        throw Self.failure(failure, Self.string(reason))
    }

    /// A text of C, as far as it is UTF-8.
    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What a failure means; `reason` is in DCMTK's words.
    static func failure(_ failure: cdcmtk_failure, _ reason: String) -> PluginError {
        let told = reason.isEmpty ? "" : " (DCMTK: \(DisplayText.of(reason)))"
        switch failure {
        case CDCMTK_NO_MEMORY:
            return PluginError(.limitExceeded, "reading the DICOM file needs more memory than the renderer may use")
        case CDCMTK_TOO_DEEP:
            return PluginError(.limitExceeded, "the lists in the DICOM file lie too deep in one another")
        case CDCMTK_TOO_LARGE:
            return PluginError(.limitExceeded, "the DICOM file unpacks to more than 512 MiB")
        case CDCMTK_UNSUPPORTED:
            return PluginError(.unsupported, "the DICOM file is written in a way that is not read" + told)
        default:
            return PluginError(.corrupt, "the DICOM file is damaged, or is none\(told); fetch or export it again")
        }
    }

    // MARK: Elements

    /// The first value of an element as text, cleaned; `nil` when there is none.
    func text(_ element: Element) -> String? {
        var text = [CChar](repeating: 0, count: 256)
        guard cdcmtk_text(file, element.group, element.number, &text, text.count) else { return nil }
        return Facts.line(Self.string(text))
    }

    /// The first value of an element as a number; `nil` when there is none.
    func number(_ element: Element) -> Int? {
        var number: Int64 = 0
        return cdcmtk_number(file, element.group, element.number, &number) ? Int(number) : nil
    }

    /// Whether an element is there.
    func has(_ element: Element) -> Bool { cdcmtk_has(file, element.group, element.number) }

    /// How many bytes the pixels have that are not compressed, and how many pieces those have that are; 0 for what they are not.
    var pixels: (bytes: Int, pieces: Int) {
        var bytes: UInt64 = 0
        var pieces: UInt32 = 0
        cdcmtk_pixels(file, &bytes, &pieces)
        return (Int(clamping: bytes), Int(pieces))
    }

    /// Calls something with the colour profile, if there is one.
    func withProfile(_ body: (UnsafeRawBufferPointer) -> Void) {
        var count = 0
        if let profile = cdcmtk_profile(file, &count) { body(UnsafeRawBufferPointer(start: profile, count: count)) }
    }

    /// Decodes a frame, counted from 0. It must not outlive the file.
    /// - Throws: `corrupt`, `limitExceeded`, `unsupported`.
    func frame(_ number: Int) throws(PluginError) -> DICOMFrame {
        guard let number = UInt32(exactly: number) else { throw Self.failure(CDCMTK_DAMAGED, "") }
        return DICOMFrame(try Self.open { cdcmtk_frame_open(file, number, $0, $1, $2) })
    }
}
