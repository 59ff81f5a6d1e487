import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

/// Disks that are full or closed, processes that end, and many writers at once.
struct FaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func aFolderThatCannotBeMadeIsAPassingFailure() throws {
        let file = try scratch.file("file")
        let error = #expect(throws: PluginError.self) { try Scratch.cache(in: file).store() }
        #expect(error?.isPermanent == false)
        #expect(error?.message.contains(file) == true)
        let folder = scratch.cache.entry(Sample.subject, .large, .standard).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let blocked = #expect(throws: PluginError.self) { try scratch.cache.store() }
        #expect(blocked?.isPermanent == false)
        #expect(blocked?.message.contains(folder) == true)
        #expect(scratch.files == ["file"])
        #expect(scratch.cache.lookup(Sample.subject, size: .large) == .stale(folder))
    }

    @Test func aFileThatGrowsPastALimitLeavesNothing() async throws {
        let path = scratch.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let cache = Scratch.cache(in: path)
            let picture = try Sample.picture()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200, rlim_max: 200)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let error = #expect(throws: PluginError.self) { try cache.store(picture) }
            // It is no full disk: smaller ones fit.
            #expect(error?.code == .io)
            #expect(error?.message.contains(path) == true && error?.message.contains("ulimit") == true)
        }
        #expect(scratch.files == [])
    }

    @Test func aClosedFolderIsForbidden() async throws {
        let path = scratch.path
        try FileManager.default.createDirectory(atPath: path + "/thumbnails/large", withIntermediateDirectories: true)
        #expect(chmod(path + "/thumbnails/large", 0o500) == 0)
        #expect(chmod(path, 0o755) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Root may write anywhere: become somebody else.
            if geteuid() == 0 { #expect(setgid(65534) == 0 && setuid(65534) == 0) }
            let cache = Scratch.cache(in: path)
            let error = #expect(throws: PluginError.self) { try cache.store() }
            #expect(error?.code == .forbidden)
            #expect(error?.message.contains(path) == true)
        }
        #expect(chmod(path + "/thumbnails/large", 0o700) == 0)
        #expect(scratch.files == [])
    }

    @Test func onlyTheUserCanReadEntriesWhateverTheMask() async throws {
        let path = scratch.path
        // The mask belongs to the whole process.
        await #expect(processExitsWith: .success) { [path = path as String] in
            umask(0)
            let cache = Scratch.cache(in: path)
            try cache.rememberFailure(PluginError(.corrupt, ""), of: Sample.subject, renderer: "")
            let failure = cache.standard.failPath(Sample.subject.uri)
            for entry in [try cache.store(), try cache.store(size: try PreviewSize(pixels: 300)), failure] {
                #expect(try mode(entry) == 0o600)
                var folder = Path.parent(entry)
                while folder != path {
                    #expect(try mode(folder) == 0o700, "\(folder)")
                    folder = Path.parent(folder)
                }
            }
        }
        #expect(scratch.files.count == 3)
    }

    /// Readers see one whole entry or another, never a mixture and never nothing.
    @Test func manyWritersAndReadersSeeWholeEntries() async throws {
        let cache = scratch.cache
        let pictures = try (0..<8).map { try Sample.picture(colour: UInt8($0 * 30)) }
        var whole: Set<[UInt8]> = []
        for picture in pictures { whole.insert(try contents(try cache.store(picture))) }
        #expect(whole.count == 8)
        let path = cache.entry(Sample.subject, .large, .standard).path
        let seen = try await withThrowingTaskGroup(of: Set<[UInt8]>.self) { group in
            for picture in pictures {
                group.addTask {
                    for _ in 0..<100 { try cache.store(picture) }
                    return []
                }
                group.addTask {
                    var seen: Set<[UInt8]> = []
                    for _ in 0..<100 {
                        seen.insert(try contents(path))
                        #expect(cache.lookup(Sample.subject, size: .large) == .valid(path))
                    }
                    return seen
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.formUnion($1) }
        }
        #expect(seen.isSubset(of: whole))
        #expect(scratch.files.count == 1)
    }

    @Test func manyProcessesWriteAtOnce() async throws {
        async let first: Void = writeFromAnotherProcess()
        async let second: Void = writeFromAnotherProcess()
        _ = await (first, second)
        for number in 0..<20 {
            guard case .valid = scratch.cache.lookup(Self.item(number), size: .large) else {
                Issue.record("entry \(number) is missing")
                continue
            }
        }
        #expect(scratch.files.count == 20)
    }

    private func writeFromAnotherProcess() async {
        let path = scratch.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            for number in 0..<300 { try Scratch.cache(in: path).store(nil, Self.item(number % 20)) }
        }
    }

    private static func item(_ number: Int) -> Subject {
        Subject(uri: "file:///item/\(number)", modified: Timestamp(seconds: 1))
    }

    @Test func whatDeadProcessesLeftIsRemoved() async throws {
        let cache = scratch.cache
        try cache.store()
        try cache.store(size: try PreviewSize(pixels: 300))
        // A process that is no more: the number of one that was reaped.
        let gone = Process()
        gone.executableURL = URL(fileURLWithPath: "/bin/true")
        try gone.run()
        gone.waitUntilExit()
        let dead = gone.processIdentifier
        let left = ["thumbnails/large/vitrine-\(dead)-abc.tmp", "vitrine/previews/tmp/vitrine-\(dead)-1.tmp"]
        let kept = [
            "thumbnails/large/vitrine-\(getpid())-abc.tmp", "thumbnails/large/vitrine-x-1.tmp",
            "thumbnails/large/other-\(dead)-1.tmp", "thumbnails/large/vitrine-\(dead)-1.png",
        ]
        let young = "thumbnails/large/vitrine-\(dead)-young.tmp"
        for name in left + kept {
            let file = try scratch.file(name)
            let anHourAgo = Date(timeIntervalSinceNow: -3600)
            try FileManager.default.setAttributes([.modificationDate: anHourAgo], ofItemAtPath: file)
        }
        try scratch.file(young)
        let before = Set(scratch.files)
        #expect(cache.removeAbandonedFiles() == 2)
        #expect(before.subtracting(scratch.files) == Set(left))
        #expect(cache.removeAbandonedFiles() == 0)
        // Written when the clock was ahead: it is no younger for that.
        let tomorrow = Date(timeIntervalSinceNow: 86_400)
        try FileManager.default.setAttributes([.modificationDate: tomorrow], ofItemAtPath: scratch.file(young))
        #expect(cache.removeAbandonedFiles() == 1)
    }
}

private func mode(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
}
