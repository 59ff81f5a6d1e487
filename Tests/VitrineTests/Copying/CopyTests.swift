import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Copying between folders of this machine, by the pipeline with its real plugins.
@Suite("Copying files", .timeLimit(.minutes(10)))
struct CopyTests {
    private let scratch: TemporaryFolder
    private let pipeline: PreviewPipeline

    init() throws {
        scratch = try TemporaryFolder()
        pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
    }

    private func uri(_ name: String) -> SourceURI { SourceURI(file: "\(scratch.path)/\(name)".utf8) }

    private func write(_ name: String, _ text: String) throws {
        let url = URL(filePath: "\(scratch.path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(scratch.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    /// Everything below a folder, hidden files included.
    private func tree(_ name: String) -> [String] {
        (FileManager.default.enumerator(atPath: "\(scratch.path)/\(name)")?.compactMap { $0 as? String } ?? []).sorted()
    }

    @Test("brings a folder with all that is in it, and names what it leaves out")
    func folder() async throws {
        for name in ["A/a.txt", "A/.hidden", "A/inner/b.txt", "A/.git/config"] { try write(name, name) }
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/A/empty", withIntermediateDirectories: false)
        symlink("/etc/passwd", scratch.path + "/A/link")
        symlink("/etc", scratch.path + "/A/linked")
        mkfifo(scratch.path + "/A/pipe", 0o600)
        let time = Date(timeIntervalSince1970: 1_500_000_000)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: scratch.path + "/A/a.txt")
        let summary = try await pipeline.copy([uri("A")], to: uri("new/deep"))
        #expect(
            tree("new/deep") == [
                "A", "A/.git", "A/.git/config", "A/.hidden", "A/a.txt", "A/empty", "A/inner", "A/inner/b.txt",
            ])
        #expect(text("new/deep/A/inner/b.txt") == "A/inner/b.txt")
        let copied = try FileManager.default.attributesOfItem(atPath: scratch.path + "/new/deep/A/a.txt")
        #expect(copied[.modificationDate] as? Date == time)
        #expect(summary.copied == 4 && summary.folders == 4 && summary.failed == 0 && summary.left == 0)
        #expect(
            summary.bytes == Int64("A/a.txt".count + "A/.hidden".count + "A/inner/b.txt".count + "A/.git/config".count))
        #expect(
            summary.skips.map { String($0.from.split(separator: "/").last ?? "") }.sorted() == [
                "link", "linked", "pipe",
            ])
        #expect(summary.isComplete)
        let again = try await pipeline.copy([uri("A")], to: uri("new/deep"))
        #expect(again.copied == 0 && again.present == 4 && again.folders == 0 && again.isComplete)
    }

    @Test("gives files of one name numbers, and copies what is the same once")
    func numbers() async throws {
        for name in ["one", "two", "three"] { try write("\(name)/file.doc", "of \(name)") }
        try write("four/file.doc", "of one")
        let sources = ["one", "two", "three", "four"].map { uri("\($0)/file.doc") }
        let first = try await pipeline.copy(Array(sources.prefix(3)), to: uri("to"))
        #expect(first.copied == 3)
        #expect(tree("to") == ["file(1).doc", "file(2).doc", "file.doc"])
        #expect(Set(tree("to").map { text("to/\($0)") }) == ["of one", "of two", "of three"])
        var options = CopyOptions()
        options.verifies = true
        let second = try await pipeline.copy(sources, to: uri("to"), options)
        #expect(second.copied == 0 && second.present == 4, "\(second)")
        #expect(tree("to").count == 3)
    }

    @Test("replaces a file or leaves it out when that is asked for")
    func clashes() async throws {
        try write("from/file.doc", "the new one")
        try write("to/file.doc", "the old one, longer")
        var options = CopyOptions()
        options.clash = .skip
        let skipped = try await pipeline.copy([uri("from/file.doc")], to: uri("to"), options)
        #expect(skipped.skipped == 1 && skipped.copied == 0 && text("to/file.doc") == "the old one, longer")
        #expect(skipped.skips.first?.error.code == .exists)
        options.clash = .replace
        let replaced = try await pipeline.copy([uri("from/file.doc")], to: uri("to"), options)
        #expect(replaced.copied == 1 && text("to/file.doc") == "the new one" && tree("to") == ["file.doc"])
        // Nor what was copied a moment ago.
        try write("from2/file.doc", "the other new one")
        let both = try await pipeline.copy([uri("from/file.doc"), uri("from2/file.doc")], to: uri("to3"), options)
        #expect(both.copied == 2 && Set(tree("to3").map { text("to3/\($0)") }) == ["the new one", "the other new one"])
        // A folder is not replaced by a file.
        try write("to2/file.doc/inside", "kept")
        let refused = try await pipeline.copy([uri("from/file.doc")], to: uri("to2"), options)
        #expect(refused.copied == 0 && refused.skipped == 1 && text("to2/file.doc/inside") == "kept")
    }

    @Test("tells the destination's topics of its start, its progress and its end")
    func events() async throws {
        try write("from/a.txt", "a")
        try write("from/b.txt", "b")
        let all = pipeline.progress(of: .folder(uri("to").text))
        let one = pipeline.progress(of: .item(uri("to").text + "/from/a.txt"))
        let elsewhere = pipeline.progress(of: .folder(uri("from").text))
        _ = try await pipeline.copy([uri("from")], to: uri("to"))
        var names: [String] = []
        for await event in all {
            guard case .copy(let event) = event else { continue }
            names.append(String("\(event)".prefix { $0 != "(" }))
            if case .finished(let summary) = event {
                #expect(summary.copied == 2)
                break
            }
        }
        #expect(names.first == "started" && names.last == "finished")
        #expect(names.filter { $0 == "item" }.count == 2 && names.filter { $0 == "file" }.count >= 2)
        #expect(names.contains("advanced"))
        await pipeline.end()
        var own = 0
        let reader = Task {
            for await _ in one { own += 1 }; return own
        }
        let other = Task {
            var count = 0; for await _ in elsewhere { count += 1 }; return count
        }
        reader.cancel()
        other.cancel()
        #expect(await reader.value >= 2)
        #expect(await other.value == 0)
    }

    @Test("refuses what would never end or cannot be, before anything is written")
    func refusals() async throws {
        try write("A/a.txt", "a")
        let summary = try await pipeline.copy([uri("A")], to: uri("A/inner"))
        #expect(summary.copied == 0 && summary.failures.first?.error.code == .invalidArgument)
        symlink(scratch.path + "/A", scratch.path + "/alias")
        let hidden = try await pipeline.copy([uri("alias")], to: uri("A"))
        #expect(hidden.copied == 0 && hidden.failed == 1)
        #expect(tree("A") == ["a.txt", "inner"])
        let missing = try await pipeline.copy([uri("nothing"), uri("A/a.txt")], to: uri("to"))
        #expect(missing.failed == 1 && missing.copied == 1 && !missing.isComplete)
        let error = await #expect(throws: PluginError.self) {
            try await pipeline.copy([uri("A")], to: uri("A/a.txt"))
        }
        #expect(error?.code == .notAFile)
    }

    @Test("belongs to its destination, however that writes its URI")
    func topics() throws {
        let folder = try SourceURI("s3://bucket/folder?region=x")
        let file = CopyFileProgress(
            destination: folder.text, from: "file:///a", uri: folder.appending(try ItemPath("a")), bytes: 0)
        let event = ProgressEvent.copy(.file(file))
        for topic in [Topic.folder(folder.text), .source(folder.text), .item("s3://bucket/folder/a?region=x")] {
            #expect(topic.covers(event), "\(topic)")
        }
        #expect(!Topic.folder("s3://bucket/other?region=x").covers(event))
    }
}
