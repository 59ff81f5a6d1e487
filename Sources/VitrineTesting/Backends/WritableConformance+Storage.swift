import VitrineKit

extension WritableConformance.Run {
    /// What was left half-way is gone on with over another connection, and only with its own token.
    /// - Parameter other: another backend of the same source.
    func resuming(_ other: any WritableBackend) async -> [Violation] {
        var findings = Findings()
        await findings.check("a file that was left half-way can be written") { (findings) throws(PluginError) in
            let folder = try await makeFolder("resumed")
            let path = try folder.appending(Array("large.bin".utf8))
            let bytes = content(large)
            var draft = FileDraft(size: Int64(large), modified: Self.time, token: "abc123")
            let first = try await backend.write(path, draft)
            try await append(bytes.prefix(large / 2), to: first)
            await first.suspend()
            let seen = try await visible(folder)
            findings.expect(seen.isEmpty, "what is left half-way is not listed", "\(seen.count) names are")
            draft.token = "other"
            let stranger = try await other.write(path, draft)
            findings.expect(stranger.kept == 0, "nobody goes on with something else", "\(stranger.kept) bytes are kept")
            await stranger.abandon()
            draft.token = "abc123"
            let second = try await other.write(path, draft)
            findings.expect(
                second.kept >= 0 && second.kept <= large / 2, "what was written is kept",
                "\(second.kept) bytes of \(large / 2) are")
            try await append(bytes[Int(second.kept)...], to: second)
            let written = try await second.commit(.ifAbsent, content: [])
            if backend.writing.resumes {
                findings.expect(
                    max(second.kept, written.reused) > 0, "what was written is kept", "all of it was sent again")
            }
            let now = try await read(path)
            findings.expect(now == bytes, "a file that was gone on with is whole", "it has \(now.count) other bytes")
            let names = try await list(folder)
            findings.expect(names.count == 1, "nothing else is left", "there are \(names.map { DisplayText.of($0) })")
        }
        return findings.violations
    }

    /// Files may have any name that the storage can hold.
    func names(_ kind: BackendSample.Names, _ leavesOut: ([UInt8]) -> Bool) async -> [Violation] {
        var findings = Findings()
        await findings.check("files may have any name") { (findings) throws(PluginError) in
            let folder = try await makeFolder("names")
            var names: Set<[UInt8]> = []
            let odd = try BackendSample(names: kind, many: 0, leavesOut: leavesOut).nodes
                .filter { $0.path.parent == (try? ItemPath("names")) }
            for node in odd {
                let path = try folder.appending(node.path.name)
                try await write(path, node.content ?? [])
                let now = try await read(path)
                findings.expect(now == node.content, "files may have any name", "'\(path)' has another content")
                names.insert(path.name)
            }
            let listed = Set(try await list(folder))
            let wrong = listed.symmetricDifference(names).map { DisplayText.of($0) }
            findings.expect(wrong.isEmpty, "files are listed by the names that they were given", "\(wrong) are not")
        }
        return findings.violations
    }

    /// A folder in which nothing may be written says so, and stays as it is.
    func refusal(_ folder: ItemPath) async -> [Violation] {
        var findings = Findings()
        await findings.check("it is known what may be written") { (findings) throws(PluginError) in
            let before = try await list(folder).count
            await findings.fails(.forbidden, "a folder may be closed to files") { () throws(PluginError) in
                try await write(try folder.appending(Array("file".utf8)), content(100_000))
            }
            await findings.fails(.forbidden, "a folder may be closed to folders") { () throws(PluginError) in
                try await backend.makeFolder(try folder.appending(Array("inner".utf8)))
            }
            let after = try await list(folder).count
            findings.expect(after == before, "what is forbidden changes nothing", "there are \(after) names")
        }
        return findings.violations
    }

    /// A storage that is full says so, and keeps nothing of what did not fit, whether or not it knew before.
    static func full(_ small: WritableConformance.SmallStorage) async -> [Violation] {
        var findings = Findings()
        let run = WritableConformance.Run(backend: small.backend, large: Int(small.tooMany))
        await findings.check("a storage that is full can be asked") { (findings) throws(PluginError) in
            let path = try ItemPath("too-large")
            for isKnown in [true, false] {
                await findings.fails(.noSpace, "what does not fit is refused") { () throws(PluginError) in
                    try await run.write(path, run.content(Int(small.tooMany)), size: isKnown)
                }
                let left = try await run.list(.root)
                findings.expect(
                    left.isEmpty, "what does not fit leaves nothing", "there are \(left.map { DisplayText.of($0) })")
            }
            try await run.write(path, [1, 2, 3])
        }
        return findings.violations
    }
}
