internal import COffice
internal import VitrineKit

/// The pages of LibreOffice's libraries that this process has mapped: code, constants and tables of symbols of 150 files.
///
/// To start takes most of them, and each kind of document some others, until they are more than the documents
/// need. Nothing is lost when they are unmapped: the system has them in its cache, all workers share them there, and it
/// takes them from there when memory is wanted for something else.
enum LibraryPages {
    /// Bytes of mapped files that stay mapped. A document needs some 60 MB of them; to map these again takes five
    /// milliseconds, so that this should not come after each one.
    static let kept = 80 << 20

    /// Unmaps them when there are more than ``kept`` bytes.
    static func returnSurplus() {
        if let mapped, mapped > kept { returnAll() }
    }

    /// Unmaps all of them.
    static func returnAll() { coffice_return_library_pages() }

    /// Bytes of files that this process has mapped and touched; `nil` where the system does not tell.
    static var mapped: Int? {
        // proc(5): pages in all, in memory, and of these, pages of files.
        let numbers = (SmallFile.read("/proc/self/statm") ?? "").split(separator: " ").map { Int($0) }
        guard numbers.count > 2, let pages = numbers[2] else { return nil }
        return pages * Int(getpagesize())
    }
}
