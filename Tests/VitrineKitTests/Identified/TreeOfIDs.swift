import Synchronization
import VitrineKit

/// A service in memory that knows folders and files by ids, and counts what it is asked.
final class TreeOfIDs: IdentifiedStorage {
    struct Node {
        var name: String
        var parent: String
        var kind = Entry.Kind.file
    }
    struct State {
        var nodes: [String: Node] = [:]
        /// Folders by id in the order of their children, where it matters.
        var listings = 0
        var looks = 0
        var pageLength = 2
        /// Answers of its own for a page.
        var page: (@Sendable (_ folder: String, _ mark: String?) -> IdentifiedPage?)?
    }
    let root = "0"
    private let state: Mutex<State>

    init(_ nodes: [String: Node]) {
        var state = State()
        state.nodes = nodes
        self.state = Mutex(state)
    }

    func with<T: Sendable>(_ body: (inout sending State) -> sending T) -> T { state.withLock(body) }
    var asked: [Int] { state.withLock { [$0.listings, $0.looks] } }

    func children(of folder: String, after mark: String?) async throws(PluginError) -> IdentifiedPage {
        let (page, own) = state.withLock {
            state -> (IdentifiedPage?, (@Sendable (String, String?) -> IdentifiedPage?)?) in
            if mark == nil { state.listings += 1 }
            guard folder == "0" || state.nodes[folder]?.kind == .folder else { return (nil, state.page) }
            let all = state.nodes.filter { $0.value.parent == folder }.sorted { $0.key < $1.key }
            let start = mark.flatMap { Int($0) } ?? 0
            let items = all.dropFirst(start).prefix(state.pageLength).map { Self.item($0.key, $0.value) }
            let end = start + items.count
            return (IdentifiedPage(items: items, next: end < all.count ? "\(end)" : nil), state.page)
        }
        if let own = own?(folder, mark) { return own }
        guard let page else { throw PluginError(.notFound, "there is no such folder") }
        return page
    }

    func item(_ id: String, kind: Entry.Kind) async throws(PluginError) -> IdentifiedItem {
        let node = state.withLock { state in
            state.looks += 1
            return id == "0" ? Node(name: "All", parent: "", kind: .folder) : state.nodes[id]
        }
        guard let node else { throw PluginError(.notFound, "there is no such item") }
        return Self.item(id, node)
    }

    static func item(_ id: String, _ node: Node) -> IdentifiedItem {
        IdentifiedItem(id: id, parent: node.parent, entry: Entry(name: Array(node.name.utf8), kind: node.kind))
    }
}
