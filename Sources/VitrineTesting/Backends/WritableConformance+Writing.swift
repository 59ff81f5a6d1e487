import VitrineKit

extension WritableConformance.Run {
    /// What is written can be read, in one piece or many, of known or unknown length.
    func roundTrips() async -> [Violation] {
        var findings = Findings()
        await findings.check("files can be written and read") { (findings) throws(PluginError) in
            let folder = try await makeFolder("round")
            for (number, count) in [0, 1, 300_001, large].enumerated() {
                let path = try folder.appending(Array("\(number).bin".utf8))
                let bytes = content(count)
                try await write(path, bytes, size: number != 2)
                let entry = try await backend.stat(path)
                findings.expect(
                    entry.kind == .file && entry.size == Int64(count), "a file has the size that was written",
                    "\(count) bytes became \(entry)")
                if backend.writing.keepsTimes {
                    findings.expect(
                        entry.modified?.seconds == Self.time.seconds, "a file keeps the time of its last change",
                        "it is \(String(describing: entry.modified))")
                }
                let now = try await read(path)
                findings.expect(now == bytes, "what is read is what was written", "\(count) bytes differ")
            }
            let names = try await list(folder)
            findings.expect(names.count == 4, "nothing else is left", "there are \(names.map { DisplayText.of($0) })")
        }
        return findings.violations
    }

    func folders() async -> [Violation] {
        var findings = Findings()
        await findings.check("folders can be made") { (findings) throws(PluginError) in
            let folder = try await makeFolder("folders")
            let inner = try folder.appending(Array("inner".utf8))
            try await backend.makeFolder(inner)
            let kind = try await backend.stat(inner).kind
            findings.expect(kind == .folder, "a folder is one", "it is \(kind)")
            await findings.fails(.exists, "a folder is made once") { () throws(PluginError) in
                try await backend.makeFolder(inner)
            }
            let file = try folder.appending(Array("file".utf8))
            try await write(file, [1])
            await findings.fails(.exists, "no folder takes the place of a file") { () throws(PluginError) in
                try await backend.makeFolder(file)
            }
            let now = try await read(file)
            findings.expect(now == [1], "no folder takes the place of a file", "the file changed")
        }
        return findings.violations
    }

    /// A name that is taken stays what it is, unless it may be replaced; and then it is the old file or the new one.
    func clashes() async -> [Violation] {
        var findings = Findings()
        await findings.check("names can be taken") { (findings) throws(PluginError) in
            let folder = try await makeFolder("clashes")
            let path = try folder.appending(Array("file.doc".utf8))
            let (old, new) = (content(70_000), content(80_000, 7))
            try await write(path, old)
            await findings.fails(.exists, "a file that is there is not replaced") { () throws(PluginError) in
                try await write(path, new)
            }
            let kept = try await read(path)
            findings.expect(kept == old, "a file that is there is not replaced", "its content changed")
            let transaction = try await backend.write(path, FileDraft(size: Int64(new.count)))
            try await append(new[...], to: transaction)
            let before = try await read(path)
            findings.expect(before == old, "a file stays until it is replaced", "its content changed")
            _ = try await transaction.commit(.replacing, content: [])
            let after = try await read(path)
            findings.expect(after == new, "a file is replaced", "it has \(after.count) other bytes")
            let names = try await list(folder)
            findings.expect(names.count == 1, "nothing else is left", "there are \(names.map { DisplayText.of($0) })")
            if backend.writing.decidesAbsence { try await race(folder, &findings) }
        }
        return findings.violations
    }

    /// Of two that want one name at once, one gets it.
    private func race(_ folder: ItemPath, _ findings: inout Findings) async throws(PluginError) {
        let path = try folder.appending(Array("race".utf8))
        var transactions: [any WriteTransaction] = []
        for number in 0..<2 {
            let transaction = try await backend.write(path, FileDraft(size: 1000))
            try await transaction.append([UInt8](repeating: UInt8(number), count: 1000), at: 0)
            transactions.append(transaction)
        }
        let won = await withTaskGroup(of: Bool.self) { group in
            for transaction in transactions {
                group.addTask {
                    do throws(PluginError) {
                        _ = try await transaction.commit(.ifAbsent, content: [])
                        return true
                    } catch {
                        await transaction.abandon()
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        findings.expect(won == 1, "of two that want one name, one gets it", "\(won) did")
        let content = try await read(path)
        findings.expect(
            content.count == 1000 && Set(content).count == 1, "of two that want one name, one gets it",
            "the file is a mixture")
    }

    /// What is not committed is never seen, and goes without a trace.
    func abandoning() async -> [Violation] {
        var findings = Findings()
        await findings.check("what is half-written is not seen") { (findings) throws(PluginError) in
            let folder = try await makeFolder("abandoned")
            let path = try folder.appending(Array("half".utf8))
            let bytes = content(large)
            let half = bytes.prefix(large / 2)
            for isCancelled in [false, true] {
                let transaction = try await backend.write(path, FileDraft(size: Int64(large)))
                try await append(half, to: transaction)
                let seen = try await visible(folder)
                findings.expect(seen.isEmpty, "what is half-written is not listed", "\(seen.count) names are")
                await findings.fails(.notFound, "what is half-written is not there") { () throws(PluginError) in
                    try await backend.stat(path)
                }
                if isCancelled {
                    let rest = Array(bytes[half.endIndex...])
                    let work = Task {
                        withUnsafeCurrentTask { $0?.cancel() }
                        try? await transaction.append(rest, at: Int64(half.count))
                        await transaction.abandon()
                    }
                    await work.value
                } else {
                    await transaction.abandon()
                }
                let left = try await list(folder)
                findings.expect(
                    left.isEmpty, "what is abandoned leaves nothing", "there are \(left.map { DisplayText.of($0) })")
            }
        }
        return findings.violations
    }

    /// Calls in the wrong order change nothing.
    func misuse() async -> [Violation] {
        var findings = Findings()
        await findings.check("wrong calls are refused") { (findings) throws(PluginError) in
            let folder = try await makeFolder("misuse")
            let path = try folder.appending(Array("file".utf8))
            let transaction = try await backend.write(path, FileDraft(size: 10))
            try await transaction.append([1, 2, 3], at: 0)
            for (offset, count) in [(4, 1), (2, 1), (0, 1), (3, 8)] as [(Int64, Int)] {
                await findings.fails(.invalidArgument, "bytes come one after the other, and not too many") {
                    () throws(PluginError) in
                    try await transaction.append([UInt8](repeating: 0, count: count), at: offset)
                }
            }
            await findings.fails(.invalidArgument, "a file that is too short is not put in place") {
                () throws(PluginError) in
                try await transaction.commit(.ifAbsent, content: [])
            }
            await transaction.abandon()
            await findings.fails(.invalidArgument, "what has ended takes no more") { () throws(PluginError) in
                try await transaction.append([4], at: 3)
            }
            let seen = try await list(folder)
            findings.expect(seen.isEmpty, "wrong calls change nothing", "\(seen.count) names are there")
            await findings.fails(.notFound, "a folder that is not there gets no file") { () throws(PluginError) in
                try await write(try folder.appending(Array("missing".utf8)).appending(Array("file".utf8)), [1])
            }
        }
        return findings.violations
    }
}

extension Findings {
    /// Runs a check that may fail as a whole.
    mutating func check(
        _ rule: String, _ body: (inout Findings) async throws(PluginError) -> Void
    ) async {
        do throws(PluginError) { try await body(&self) } catch {
            expect(false, rule, "it failed (\(error.code.rawValue)): \(error.message)")
        }
    }
}
