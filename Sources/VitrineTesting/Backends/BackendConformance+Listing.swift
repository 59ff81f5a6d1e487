import VitrineKit

extension BackendConformance.Run {
    /// Every folder of the sample is listed completely, each entry once, one level deep.
    func listing() async -> [Violation] {
        var findings = Findings()
        let folders = [ItemPath.root] + sample.nodes.filter { $0.content == nil }.map(\.path)
        for folder in folders {
            let rule = "a folder lists exactly its children"
            guard let found = await findings.succeeds(rule, { () throws(PluginError) in try await entries(of: folder) })
            else { continue }
            let expected = sample.children(of: folder)
            let names = Dictionary(grouping: found, by: \.name)
            let twice = names.filter { $0.value.count > 1 }
            findings.expect(
                twice.isEmpty, "each entry is listed once", "\(twice.count) names came twice in '\(folder)'")
            let missing = expected.filter { names[$0.path.name] == nil }
            findings.expect(
                missing.isEmpty, rule,
                "'\(folder)' lacks \(missing.count), such as \(missing.first?.path.description ?? "")")
            let wanted = Set(expected.map(\.path.name))
            let strange = found.filter { !wanted.contains($0.name) }
            findings.expect(
                strange.isEmpty, rule,
                "'\(folder)' has \(strange.count) more, such as \(strange.first.map { DisplayText.of($0.name) } ?? "")")
            for node in expected {
                if let entry = names[node.path.name]?.first { check(entry, node, &findings) }
            }
        }
        return findings.violations
    }

    /// Pages are neither empty nor large, a listing may be left before its end, and one may be read by several at once.
    func paging() async -> [Violation] {
        var findings = Findings()
        guard let many = try? ItemPath("many") else { return [] }
        let expected = sample.children(of: many).count
        let pages = await findings.succeeds("a folder is listed in pages") { () throws(PluginError) -> [Int] in
            var pages: [Int] = []
            for try await page in backend.list(many) { pages.append(page.count) }
            return pages
        }
        findings.expect(
            pages?.allSatisfy { 1...5000 ~= $0 } ?? true, "a page has at least one entry and at most a few thousand",
            "the pages of '\(many)' have \(pages?.prefix(20) ?? [])")
        _ = await findings.succeeds("a listing may be left before its end") { () throws(PluginError) in
            for try await _ in backend.list(many) { break }
            _ = try await backend.stat(many)
        }
        let wrong = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 { group.addTask { (try? await entries(of: many))?.count != expected } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        findings.expect(wrong == 0, "a folder may be listed by several at once", "\(wrong) of 2 listings were wrong")
        return findings.violations
    }

    /// A stat says the same as the listing.
    func stats() async -> [Violation] {
        var findings = Findings()
        let rule = "stat finds what is there"
        for node in sample.nodes where node.path.parent?.bytes != Array("many".utf8) {
            let entry = await findings.succeeds(rule) { () throws(PluginError) in try await backend.stat(node.path) }
            if let entry { check(entry, node, &findings) }
        }
        let root = await findings.succeeds(rule) { () throws(PluginError) in try await backend.stat(.root) }
        if let root { findings.expect(root.kind == .folder, "the root is a folder", "it is \(root.kind)") }
        return findings.violations
    }

    private func check(_ entry: Entry, _ node: BackendSample.Node, _ findings: inout Findings) {
        findings.expect(
            entry.name == node.path.name, "an entry has the name of its path",
            "'\(node.path)' is called '\(DisplayText.of(entry.name))'")
        let kind: Entry.Kind = node.content == nil ? .folder : .file
        findings.expect(entry.kind == kind, "an entry has the kind of what is there", "'\(node.path)' is \(entry.kind)")
        if let size = entry.size, let content = node.content {
            findings.expect(size == content.count, "a size is right where it is given", "'\(node.path)' has \(size)")
        }
    }

    /// A task that was cancelled gets no listing that looks complete.
    func cancellation() async -> [Violation] {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var findings = Findings()
            await findings.fails(.cancelled, "a cancelled listing ends as cancelled") { () throws(PluginError) in
                try await entries(of: try ItemPath("many"))
            }
            return findings.violations
        }
        return await task.value
    }
}
