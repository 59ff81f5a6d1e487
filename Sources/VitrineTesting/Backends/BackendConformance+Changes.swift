import VitrineKit

extension BackendConformance.Run {
    /// A file that is written anew is another version: it shows in all that is said about it.
    /// - Parameter put: writes a node in the storage.
    func changes(_ put: @Sendable (BackendSample.Node) async throws -> Void) async -> [Violation] {
        var findings = Findings()
        guard let path = try? ItemPath("data.bin"), let folder = path.parent else { return [] }
        let opened = await findings.succeeds("a file can be opened") { () throws(PluginError) in
            (try await backend.open(path), try await backend.stat(path))
        }
        guard let (source, before) = opened else { return findings.violations }
        let content = Array(BackendSample.data.reversed().dropLast(1))
        do { try await put(BackendSample.Node(path, content: content)) } catch {
            findings.expect(false, "the storage can be changed", "\(error)")
            return findings.violations
        }
        let rule = "a file that was written anew is another version"
        if let now = await findings.succeeds(rule, { () throws(PluginError) in try await backend.stat(path) }) {
            findings.expect(now.differs(from: before), rule, "stat says the same as before")
        }
        if let listed = await findings.succeeds(rule, { () throws(PluginError) in try await entries(of: folder) }) {
            let entry = listed.first { $0.name == path.name }
            findings.expect(
                entry.map { $0.differs(from: before) } ?? false, rule, "the listing says the same as before")
        }
        do throws(PluginError) {
            let now = try await source.current()
            findings.expect(now.differs(from: source.entry), rule, "the open file is said to be the same")
        } catch {
            findings.expect(error.code == .changed, rule, "the open file failed (\(error.code.rawValue))")
        }
        do throws(PluginError) {
            // A storage with descriptors reads what is there.
            _ = try await source.read(at: 1000, count: 1000)
        } catch {
            findings.expect(
                error.code == .changed, "reading what changed fails as changed, if at all",
                "the code was \(error.code.rawValue): \(error.message)")
        }
        let again = await findings.succeeds("what changed can be opened anew") { () throws(PluginError) in
            try await backend.open(path).read(at: 0, count: content.count + 1)
        }
        if let again { findings.expect(again == content, "what changed can be opened anew", "other bytes came") }
        return findings.violations
    }
}
