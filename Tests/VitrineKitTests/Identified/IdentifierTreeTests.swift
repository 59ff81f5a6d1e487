import Testing

@testable import VitrineKit

@Suite struct IdentifierTreeTests {
    typealias Node = TreeOfIDs.Node

    private static let nodes = [
        "1": Node(name: "folder", parent: "0", kind: .folder), "2": Node(name: "inner", parent: "1", kind: .folder),
        "3": Node(name: "deep.txt", parent: "2"), "4": Node(name: "top.txt", parent: "0"),
        "5": Node(name: "other", parent: "0", kind: .folder),
    ]

    /// One that believes for a day what it was told, as long as a busy machine may make of a test.
    private func patientTree(
        of service: TreeOfIDs, _ limits: IdentifierTree.Limits = IdentifierTree.Limits()
    ) -> IdentifierTree {
        var limits = limits
        limits.age = .seconds(86_400)
        return IdentifierTree(service, limits: limits)
    }

    private func names(_ tree: IdentifierTree, _ folder: String = "") async throws -> [String] {
        var names: [String] = []
        for try await page in tree.list(try ItemPath(folder)) { names += page.map { DisplayText.of($0.name) } }
        return names.sorted()
    }

    private func fails(_ code: PluginError.Code, _ word: String, _ body: () async throws -> Void) async {
        await #expect { try await body() } throws: {
            guard let error = $0 as? PluginError else { return false }
            return error.code == code && error.message.contains(word)
        }
    }

    @Test func `paths become ids, and the way is asked for once`() async throws {
        let service = TreeOfIDs(Self.nodes)
        let tree = patientTree(of: service)
        #expect(try await tree.item(at: ItemPath("folder/inner/deep.txt")).id == "3")
        #expect(service.asked == [3, 0])
        #expect(try await tree.item(at: ItemPath("folder/inner/deep.txt")).id == "3")
        #expect(service.asked == [3, 1])
        #expect(try await tree.known(at: ItemPath("folder/inner/deep.txt")).id == "3")
        #expect(service.asked == [3, 1])
        #expect(try await names(tree) == ["folder", "other", "top.txt"])
        #expect(try await names(tree, "folder/inner") == ["deep.txt"])
    }

    @Test func `what is renamed, moved, deleted or made is found as it is`() async throws {
        let service = TreeOfIDs(Self.nodes)
        let tree = patientTree(of: service)
        let old = try ItemPath("folder/inner/deep.txt")
        _ = try await tree.item(at: old)
        service.with { $0.nodes["3"]?.name = "new.txt" }
        await fails(.notFound, "deep.txt") { _ = try await tree.item(at: old) }
        #expect(try await tree.item(at: ItemPath("folder/inner/new.txt")).id == "3")
        service.with { $0.nodes["3"]?.parent = "5" }
        await fails(.notFound, "new.txt") { _ = try await tree.item(at: ItemPath("folder/inner/new.txt")) }
        #expect(try await tree.item(at: ItemPath("other/new.txt")).id == "3")
        service.with { $0.nodes["3"] = nil }
        await fails(.notFound, "new.txt") { _ = try await tree.item(at: ItemPath("other/new.txt")) }
        // Another file in its place, which another id has.
        service.with { $0.nodes["9"] = Node(name: "new.txt", parent: "5") }
        #expect(try await tree.item(at: ItemPath("other/new.txt")).id == "9")
        // A folder that was deleted and made again while its id was remembered.
        service.with {
            $0.nodes["1"] = nil
            $0.nodes["7"] = Node(name: "folder", parent: "0", kind: .folder)
            $0.nodes["8"] = Node(name: "x", parent: "7")
        }
        #expect(try await names(tree, "folder") == ["x"])
        await fails(.notFound, "") { _ = try await names(tree, "folder/inner") }
        await fails(.notAFile, "not a folder") { _ = try await names(tree, "top.txt") }
    }

    @Test func `the way is looked at again when it is old`() async throws {
        let service = TreeOfIDs(Self.nodes)
        var limits = IdentifierTree.Limits()
        limits.age = .zero
        let tree = IdentifierTree(service, limits: limits)
        let path = try ItemPath("folder/inner/deep.txt")
        let began = ContinuousClock.now
        _ = try await tree.item(at: path)
        // What takes long to list is believed for ten times as long.
        let old = ContinuousClock.now + (.now - began) * 10
        while .now < old { await Task.yield() }
        // The file itself is where it was, but a folder above is called otherwise.
        service.with { $0.nodes["1"]?.name = "renamed" }
        await fails(.notFound, "") { _ = try await tree.item(at: path) }
        #expect(try await tree.item(at: ItemPath("renamed/inner/deep.txt")).id == "3")
    }

    @Test func `names that clash are told apart, whatever their order`() async throws {
        let nodes = [
            "20": Node(name: "a.pdf", parent: "0"), "3": Node(name: "a.pdf", parent: "0"),
            "100": Node(name: "a.pdf", parent: "0", kind: .folder), "7": Node(name: "a/b", parent: "0"),
            "8": Node(name: "a%2Fb", parent: "0"), "9": Node(name: "..", parent: "0"),
            "10": Node(name: "", parent: "0"), "11": Node(name: "a%~20.pdf", parent: "0"),
            "200": Node(name: "x", parent: "100"),
        ]
        let service = TreeOfIDs(nodes)
        let tree = patientTree(of: service)
        let all = ["%2E%2E", "%_", "a%252Fb", "a%25~20.pdf", "a%2Fb", "a%~100.pdf", "a%~20.pdf", "a.pdf"]
        #expect(try await names(tree) == all)
        let ids = ["9", "10", "8", "11", "7", "100", "20", "3"]
        for (name, id) in zip(all, ids) {
            #expect(try await tree.item(at: ItemPath(name)).id == id)
            // Also when it is looked at anew.
            #expect(try await tree.item(at: ItemPath(name)).id == id)
        }
        #expect(try await names(tree, "a%~100.pdf") == ["x"])
        service.with { $0.pageLength = 1 }
        #expect(try await names(IdentifierTree(service)) == all)
    }

    @Test func `what has no end is refused`() async throws {
        let service = TreeOfIDs(Self.nodes)
        // A folder that holds one that it lies in.
        service.with { $0.nodes["1"]?.parent = "2" }
        service.with { state in
            state.page = { folder, _ in
                let inner = Node(name: "loop", parent: folder, kind: .folder)
                return folder == "0"
                    ? IdentifiedPage(items: [TreeOfIDs.item("1", inner)])
                    : folder == "1"
                        ? IdentifiedPage(items: [TreeOfIDs.item("2", inner)])
                        : folder == "2" ? IdentifiedPage(items: [TreeOfIDs.item("1", inner)]) : nil
            }
        }
        let tree = patientTree(of: service)
        #expect(try await names(tree, "loop/loop") == ["loop"])
        await fails(.io, "holds itself") { _ = try await names(tree, "loop/loop/loop") }
        // New folders without an end.
        service.with { state in
            state.page = { folder, _ in
                IdentifiedPage(items: [TreeOfIDs.item(folder + "1", Node(name: "d", parent: folder, kind: .folder))])
            }
        }
        var limits = IdentifierTree.Limits()
        limits.depth = 20
        let deep = IdentifierTree(service, limits: limits)
        #expect(try await names(deep, Array(repeating: "d", count: 20).joined(separator: "/")) == ["d"])
        await fails(.limitExceeded, "folders deep") {
            _ = try await names(deep, Array(repeating: "d", count: 21).joined(separator: "/"))
        }
    }

    @Test func `listings that do not end are refused`() async throws {
        let service = TreeOfIDs([:])
        var limits = IdentifierTree.Limits()
        limits.children = 1000
        let tree = IdentifierTree(service, limits: limits)
        service.with { state in
            state.page = { _, mark in
                let number = (mark.flatMap { Int($0) } ?? 0) + 1
                let items = (0..<10).map {
                    TreeOfIDs.item("\(number)x\($0)", Node(name: "\(number) \($0)", parent: "0"))
                }
                return IdentifiedPage(items: items, next: "\(number)")
            }
        }
        await fails(.limitExceeded, "more than 1000 items") { _ = try await names(tree) }
        service.with { $0.page = { _, _ in IdentifiedPage(items: [], next: "again") } }
        await fails(.io, "again and again") { _ = try await names(tree) }
        service.with { $0.page = { _, mark in IdentifiedPage(items: [], next: (mark ?? "") + "x") } }
        await fails(.io, "empty") { _ = try await names(tree) }
        // The same item again and again, with a new mark each time.
        service.with { state in
            state.page = { _, mark in
                IdentifiedPage(items: [TreeOfIDs.item("1", Node(name: "x", parent: "0"))], next: (mark ?? "") + "x")
            }
        }
        await fails(.io, "known already") { _ = try await names(tree) }
        service.with { $0.page = { _, _ in IdentifiedPage(items: [], next: String(repeating: "x", count: 10_000)) } }
        await fails(.io, "too long") { _ = try await names(tree) }
        let long = String(repeating: "n", count: 5000)
        service.with {
            $0.page = { _, _ in IdentifiedPage(items: [TreeOfIDs.item("1", Node(name: long, parent: "0"))]) }
        }
        await fails(.io, "5000 bytes") { _ = try await names(tree) }
        service.with {
            $0.page = { _, _ in IdentifiedPage(items: [TreeOfIDs.item("a b", Node(name: "x", parent: "0"))]) }
        }
        await fails(.io, "id that is none") { _ = try await names(tree) }
        service.with {
            $0.page = { _, _ in
                var item = TreeOfIDs.item("1", Node(name: "x", parent: "0"))
                item.entry.etag = String(repeating: "e", count: 2000)
                return IdentifiedPage(items: [item])
            }
        }
        await fails(.io, "etag of 2000 bytes") { _ = try await names(tree) }
    }

    @Test func `listings of too much text are refused`() async throws {
        let service = TreeOfIDs([:])
        var limits = IdentifierTree.Limits()
        limits.bytes = 100_000
        service.with { state in
            state.page = { _, mark in
                let number = (mark.flatMap { Int($0) } ?? 0) + 1
                let name = "\(number)" + String(repeating: "n", count: 3000)
                return IdentifiedPage(
                    items: [TreeOfIDs.item("\(number)", Node(name: name, parent: "0"))],
                    next: number < 50 ? "\(number)" : nil)
            }
        }
        await fails(.limitExceeded, "more than 100000 bytes") {
            _ = try await names(IdentifierTree(service, limits: limits))
        }
        #expect(try await names(IdentifierTree(service)).count == 50)
    }

    @Test func `what is remembered is bounded`() async throws {
        var nodes: [String: Node] = [:]
        for folder in 1...20 {
            nodes["\(folder)"] = Node(name: "f\(folder)", parent: "0", kind: .folder)
            for file in 0..<10 { nodes["\(folder)-\(file)"] = Node(name: "\(file)", parent: "\(folder)") }
        }
        let service = TreeOfIDs(nodes)
        service.with { $0.pageLength = 100 }
        var limits = IdentifierTree.Limits()
        limits.kept = 60
        let tree = patientTree(of: service, limits)
        for folder in 1...20 { _ = try await tree.known(at: ItemPath("f\(folder)/3")) }
        #expect(service.asked == [21, 0])
        // The last ones are there, the first ones are not, and the root stayed in use.
        _ = try await tree.known(at: ItemPath("f20/3"))
        #expect(service.asked == [21, 0])
        _ = try await tree.known(at: ItemPath("f1/3"))
        #expect(service.asked == [22, 0])
    }

    @Test func `a folder larger than all that is remembered is listed once`() async throws {
        var nodes = ["1": Node(name: "large", parent: "0", kind: .folder), "2": Node(name: "small", parent: "0")]
        for file in 0..<100 { nodes["1-\(file)"] = Node(name: "\(file)", parent: "1") }
        let service = TreeOfIDs(nodes)
        var limits = IdentifierTree.Limits()
        limits.kept = 50
        let tree = patientTree(of: service, limits)
        for file in 0..<100 { _ = try await tree.known(at: ItemPath("large/\(file)")) }
        #expect(service.asked == [2, 0])
    }

    @Test func `what took long to list is believed for long`() {
        let now = ContinuousClock.now
        func level(took: Duration) -> IdentifierTree.Level {
            IdentifierTree.Level(items: [:], room: 1, began: now - took, ended: now)
        }
        let minute = Duration.seconds(60)
        #expect(level(took: .seconds(1)).isBelieved(for: minute, at: now + .seconds(59)))
        #expect(!level(took: .seconds(1)).isBelieved(for: minute, at: now + .seconds(61)))
        #expect(level(took: .seconds(120)).isBelieved(for: minute, at: now + .seconds(1199)))
        #expect(!level(took: .seconds(120)).isBelieved(for: minute, at: now + .seconds(1201)))
    }

    @Test func `many who want the same wait for one answer`() async throws {
        let service = TreeOfIDs(Self.nodes)
        let tree = patientTree(of: service)
        let path = try ItemPath("folder/inner/deep.txt")
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await tree.known(at: path).id } }
            for try await id in group { #expect(id == "3") }
        }
        #expect(service.asked == [3, 0])
    }
}
