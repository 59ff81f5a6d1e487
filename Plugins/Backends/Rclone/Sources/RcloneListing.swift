import JSON
import Transfer
import VitrineKit

/// One level of a folder, read as rclone sends it.
struct RcloneListing: AsyncSequence, Sendable {
    let backend: RcloneBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: RcloneBackend
        let folder: ItemPath
        private var body: TransferBody?
        private var elements = JSONElements()
        private var waiting: ArraySlice<Entry> = []
        private var isAtEnd = false

        init(_ listing: RcloneListing) {
            backend = listing.backend
            folder = listing.folder
        }

        private static let pageLength = 1000

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            while waiting.count < Self.pageLength, !isAtEnd {
                let body = if let body { body } else { try await Self.begin(folder, backend) }
                self.body = body
                let part = try await body.next()
                isAtEnd = part == nil
                for element in try found(elements.take(part ?? [])) {
                    guard let item = JSONValue(element), let entry = Entry(rclone: item) else {
                        throw PluginError(.io, "the listing of \(folder.shown) by rclone makes no sense")
                    }
                    do throws(PluginError) { _ = try folder.appending(entry.name) } catch {
                        throw PluginError(
                            .io, "the listing of \(folder.shown) holds a name that is none: \(error.message)")
                    }
                    waiting.append(entry)
                }
            }
            guard elements.isComplete || !isAtEnd else {
                throw PluginError(.io, "the listing of \(folder.shown) by rclone broke off")
            }
            let page = Array(waiting.prefix(Self.pageLength))
            waiting = waiting.dropFirst(page.count)
            return page.isEmpty ? nil : page
        }

        private func found(_ elements: [[UInt8]]?) throws(PluginError) -> [[UInt8]] {
            guard let elements else {
                throw PluginError(.io, "the listing of \(folder.shown) by rclone holds something that is too long")
            }
            return elements
        }

        private static func begin(
            _ folder: ItemPath, _ backend: RcloneBackend
        ) async throws(PluginError) -> TransferBody {
            // Some storages list nothing where nothing is.
            if !folder.isRoot, try await backend.stat(folder).kind != .folder {
                throw PluginError(.notAFile, "\(folder.shown) is a file, not a folder")
            }
            var request = try backend.request("operations/list", folder, purpose: "cannot list \(folder.shown)")
            request.maximumBytes = 1 << 30
            request.awaitedBytes = 4 << 20
            return try await backend.client.send(request).body
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
