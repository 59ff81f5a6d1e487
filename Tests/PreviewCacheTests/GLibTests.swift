import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

/// GLib's own reader, which is what file managers use, agrees with what was written.
struct GLibTests {
    @Test(arguments: ["plain.png", "a b;c[d]%41#?.png", "Prüfung 日本.png", "line\nbreak"])
    func entriesAreValidForGLib(_ name: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("files/" + name, [UInt8](repeating: 0x41, count: 50))
        var status = stat()
        #expect(stat(file, &status) == 0)
        let subject = Subject(
            uri: SourceURI(file: file.utf8).text,
            modified: Timestamp(seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec)),
            size: Int64(status.st_size), mimeType: "image/png")
        let path = try scratch.cache.store(nil, subject)
        let valid = try attributes(file, scratch)
        #expect(valid.contains("thumbnail::path: \(path)"))
        #expect(valid.contains("thumbnail::is-valid: TRUE"))
        // The check can fail: another time makes the same entry invalid.
        var earlier = subject
        earlier.modified = Timestamp(seconds: 12)
        try scratch.cache.store(nil, earlier)
        #expect(try attributes(file, scratch).contains("thumbnail::is-valid: FALSE"))
    }

    private func attributes(_ file: String, _ scratch: Scratch) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gio")
        process.arguments = ["info", "-a", "thumbnail::*", file]
        process.environment = ["XDG_CACHE_HOME": scratch.path, "HOME": scratch.path, "LC_ALL": "C.UTF-8"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
