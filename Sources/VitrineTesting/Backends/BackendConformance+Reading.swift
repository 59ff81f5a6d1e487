import Glibc
import VitrineKit

extension BackendConformance.Run {
    /// Ranges come as they were asked for.
    func reading() async -> [Violation] {
        var findings = Findings()
        for node in sample.nodes where node.path.parent?.bytes != Array("many".utf8) {
            guard let content = node.content else { continue }
            let source = await findings.succeeds("a file can be opened") { () throws(PluginError) in
                try await backend.open(node.path)
            }
            guard let source else { continue }
            findings.expect(
                await backend.mayRead(node.path), "what can be opened may be read", "'\(node.path)' may not")
            findings.expect(
                source.entry.kind == .file && source.entry.name == node.path.name,
                "an open file knows its entry", "'\(node.path)' is \(source.entry.kind)")
            if let size = source.entry.size {
                findings.expect(
                    size == content.count, "a size is right where it is given", "'\(node.path)' has \(size)")
            }
            await ranges(source, node.path, content, &findings)
            if let head = source.head {
                findings.expect(
                    content.starts(with: head) && head.count >= min(4096, content.count),
                    "a head is the file's first 4096 bytes at least", "'\(node.path)' gave \(head.count) bytes")
            }
            let now = await findings.succeeds("an open file can be looked at again") { () throws(PluginError) in
                try await source.current()
            }
            if let now {
                findings.expect(
                    !now.differs(from: source.entry), "a file that nobody changed is the same", "'\(node.path)' differs"
                )
            }
            descriptor(source, node.path, content, &findings)
        }
        await concurrent(&findings)
        return findings.violations
    }

    private func ranges(
        _ source: any ByteSource, _ path: ItemPath, _ content: [UInt8], _ findings: inout Findings
    ) async {
        let size = content.count
        let ranges = [
            (0, 1), (0, 4096), (0, size + 1), (size / 2, 1000), (size / 2, 1), (max(0, size - 1), 1),
            (max(0, size - 10), 100), (size, 1), (size, 4096), (size + 1, 1), (size + 1_000_000, 4096),
        ]
        for (offset, count) in ranges {
            let rule = "a range is read as asked, and fewer bytes come only at the end"
            let read = await findings.succeeds(rule) { () throws(PluginError) in
                try await source.read(at: Int64(offset), count: count)
            }
            guard let read else { continue }
            let expected = Array(content.dropFirst(offset).prefix(count))
            findings.expect(
                read == expected, rule,
                "'\(path)' at \(offset), \(count) bytes: \(read.count) came, "
                    + (read.count == expected.count ? "with other content" : "not \(expected.count)"))
        }
    }

    private func descriptor(
        _ source: any ByteSource, _ path: ItemPath, _ content: [UInt8], _ findings: inout Findings
    ) {
        guard let descriptor = source.fileDescriptor else { return }
        var bytes = [UInt8](repeating: 0, count: content.count + 1)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        findings.expect(
            count == content.count && bytes.prefix(max(0, count)).elementsEqual(content),
            "a descriptor reads the file", "'\(path)' gave \(count) bytes")
        findings.expect(
            fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "a descriptor is closed on exec",
            "'\(path)' would be inherited")
    }

    private func concurrent(_ findings: inout Findings) async {
        let rule = "one open file serves many tasks at once"
        let source = await findings.succeeds(rule) { () throws(PluginError) in
            try await backend.open(try ItemPath("data.bin"))
        }
        guard let source else { return }
        let wrong = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let offset = number * 4567
                    let expected = BackendSample.data.dropFirst(offset).prefix(5000)
                    let read = try? await source.read(at: Int64(offset), count: 5000)
                    return read?.elementsEqual(expected) != true
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        findings.expect(wrong == 0, rule, "\(wrong) of 64 reads at the same time were wrong")
    }

    /// What is not there, or is not what was asked for, is refused with the right code.
    func failures() async -> [Violation] {
        var findings = Findings()
        for name in ["missing", "missing/below", "nested/missing.txt"] {
            await findings.fails(.notFound, "stat of nothing is not found") { () throws(PluginError) in
                try await backend.stat(try ItemPath(name))
            }
            await findings.fails(.notFound, "opening nothing is not found") { () throws(PluginError) in
                try await backend.open(try ItemPath(name))
            }
            await findings.fails(.notFound, "listing nothing is not found") { () throws(PluginError) in
                try await entries(of: try ItemPath(name))
            }
        }
        for folder in ["", "nested", "empty"]
        where folder.isEmpty || sample.nodes.contains(where: { $0.path.description == folder }) {
            await findings.fails(.notAFile, "a folder is not opened as a file") { () throws(PluginError) in
                try await backend.open(try ItemPath(folder))
            }
        }
        await findings.fails(.notAFile, "a file is not listed as a folder") { () throws(PluginError) in
            try await entries(of: try ItemPath("data.bin"))
        }
        return findings.violations
    }
}
