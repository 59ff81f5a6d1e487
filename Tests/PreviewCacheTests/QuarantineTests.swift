import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

/// Failures that are counted, listed and forgotten.
@Suite struct QuarantineTests {
    let scratch: Scratch
    private var cache: PreviewCache { scratch.cache }
    private let subject = Sample.subject

    init() throws { scratch = try Scratch() }

    private func fail(
        _ code: PluginError.Code, _ subject: Subject? = nil, by renderer: String = "pdf 1.0.0", limits: String = ""
    ) throws {
        try cache.rememberFailure(
            PluginError(code, "it failed"), of: subject ?? self.subject, renderer: renderer, limits: limits)
    }

    @Test func `what overran its time is tried once more, and is then left alone`() throws {
        try fail(.timeout)
        #expect(cache.failure(of: subject)?.count == 1)
        #expect(cache.failure(of: subject)?.isFinal == false)
        try fail(.timeout)
        #expect(cache.failure(of: subject)?.count == 2)
        #expect(cache.failure(of: subject)?.isFinal == true)
    }

    @Test(arguments: [PluginError.Code.crashed, .limitExceeded, .corrupt, .encrypted, .unsupported])
    func `what is the same each time is left alone at once`(code: PluginError.Code) throws {
        try fail(code)
        #expect(cache.failure(of: subject)?.isFinal == true)
    }

    @Test func `other limits are told, and count from the beginning`() throws {
        try fail(.timeout, limits: "10.0s,64")
        try fail(.timeout, limits: "20.0s,64")
        #expect(cache.failure(of: subject)?.limits == "20.0s,64")
        #expect(cache.failure(of: subject)?.isFinal == false)
        try fail(.timeout, limits: "20.0s,64")
        #expect(cache.failure(of: subject)?.isFinal == true)
    }

    @Test func `another renderer, reason or state of the file counts from the beginning`() throws {
        try fail(.timeout)
        try fail(.timeout, by: "pdf 2.0.0")
        #expect(cache.failure(of: subject)?.isFinal == false)
        try fail(.corrupt, by: "pdf 2.0.0")
        try fail(.timeout, by: "pdf 2.0.0")
        #expect(cache.failure(of: subject)?.isFinal == false)
        try fail(.timeout, by: "pdf 2.0.0")
        #expect(cache.failure(of: subject)?.isFinal == true)
        var changed = subject
        changed.modified = Timestamp(seconds: 1_800_000_000)
        #expect(cache.failure(of: changed) == nil)
        try fail(.timeout, changed, by: "pdf 2.0.0")
        #expect(cache.failure(of: changed)?.isFinal == false)
    }

    @Test func `what is remembered can be listed and forgotten`() throws {
        #expect(cache.quarantine() == [])
        let other = Subject(uri: "file:///a%20b", modified: Timestamp(seconds: 5), size: 1)
        try fail(.crashed)
        try fail(.timeout, other)
        // Strangers in the folder: no picture, and a picture under another name.
        try scratch.file("thumbnails/fail/vitrine-1.2/0.png")
        try FileManager.default.copyItem(
            atPath: cache.standard.failPath(subject.uri), toPath: cache.standard.failFolder + "/copy.png")
        let listed = cache.quarantine()
        #expect(listed.map(\.uri) == ["file:///a%20b", subject.uri])
        #expect(listed.map(\.failure.code) == [.timeout, .crashed])
        #expect(cache.quarantine(limit: 0) == [])
        #expect(cache.forgetFailure(of: subject.uri))
        #expect(!cache.forgetFailure(of: subject.uri))
        #expect(cache.quarantine().map(\.uri) == ["file:///a%20b"])
    }
}
