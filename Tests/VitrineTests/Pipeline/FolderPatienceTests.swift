import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// The picture of a folder whose files take long.
@Suite(.timeLimit(.minutes(10))) struct FolderPatienceTests {
    private let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    /// A folder with two files, of which the first one is tried first.
    private func write(_ first: String, _ second: String) throws {
        for (name, command, age) in [("a.txt", first, 100.0), ("b.txt", second, 200.0)] {
            let file = try scratch.hostile("items/" + name, command)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - age)], ofItemAtPath: file.path)
        }
    }

    private func picture(patience: Duration?) async throws -> (preview: Preview, entries: Int) {
        var configuration = PipelineTests.configuration(scratch)
        if let patience { configuration.folderPatience = patience }
        let pipeline = try PreviewPipeline(configuration)
        do {
            let preview = try await pipeline.preview(of: scratch.path + "/items", size: .large)
            let drawn = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/cache/thumbnails/large")
            await pipeline.end()
            return (preview, drawn.count)
        } catch {
            await pipeline.end()
            throw error
        }
    }

    @Test func `when there is no time for further files the reason says so, and another try goes on with them`()
        async throws
    {
        try write("error corrupt it is damaged", "ok")
        let error = try await #require(throws: PluginError.self) { try await picture(patience: .zero) }
        #expect(error.code == .timeout && error.message.contains("first 1 of 2 files"), "\(error.message)")
        #expect(try await picture(patience: nil).preview.path.hasPrefix(scratch.path + "/cache/thumbnails/large/"))
    }

    @Test(arguments: [(.zero, 1), (nil, 2)] as [(Duration?, Int)])
    func `when there is no time for further files the picture shows those that are there`(
        patience: Duration?, files: Int
    ) async throws {
        try write("ok", "ok")
        // One more is that of the folder.
        #expect(try await picture(patience: patience).entries == files + 1)
    }
}
