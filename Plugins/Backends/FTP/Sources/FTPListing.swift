import Glibc
import Transfer
import VitrineKit

/// One level of a folder, read as the server sends it.
struct FTPListing: AsyncSequence, Sendable {
    let backend: FTPBackend
    let folder: ItemPath

    struct AsyncIterator: AsyncIteratorProtocol {
        let backend: FTPBackend
        let folder: ItemPath
        private var open: (body: TransferBody, format: ListingFormat)?
        private var line: [UInt8] = []
        private var waiting: ArraySlice<Entry> = []
        private var hasItself = false
        private var isAtEnd = false
        private let now = Int64(time(nil))

        init(_ listing: FTPListing) {
            backend = listing.backend
            folder = listing.folder
        }

        private static let pageLength = 1000
        private static let longestLine = 16 << 10

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PluginError) -> [Entry]? {
            while waiting.count < Self.pageLength, !isAtEnd {
                if open == nil { open = try await Self.begin(folder, backend) }
                guard let (body, format) = open else { return nil }
                let part = try await body.next()
                try take(part, format)
                guard part == nil else { continue }
                if format == .unix, !hasItself, backend.knownFormat == nil, waiting.isEmpty {
                    // With hidden files there is the folder itself: the option was taken for a name.
                    open = (try await Self.answer(folder, backend, .plain), .plain)
                    continue
                }
                backend.learn(format)
                isAtEnd = true
            }
            let page = Array(waiting.prefix(Self.pageLength))
            waiting = waiting.dropFirst(page.count)
            return page.isEmpty ? nil : page
        }

        private mutating func take(_ part: [UInt8]?, _ format: ListingFormat) throws(PluginError) {
            line += part ?? [0x0A]
            var rest = line[...]
            while let end = rest.firstIndex(of: 0x0A) {
                var text = Array(rest[rest.startIndex..<end])
                if text.last == 0x0D { text.removeLast() }
                rest = rest[(end + 1)...]
                guard let found = format.parse(text, now: now) else {
                    throw PluginError(
                        .io,
                        "the listing of \(folder.shown) holds a line that cannot be understood: '\(DisplayText.of(text.prefix(200)))'"
                    )
                }
                switch found {
                case .nothing: continue
                case .itself: hasItself = true
                case .entry(let entry):
                    do throws(PluginError) { _ = try folder.appending(entry.name) } catch {
                        throw PluginError(
                            .io, "the listing of \(folder.shown) holds a name that is none: \(error.message)")
                    }
                    waiting.append(entry)
                }
            }
            line = Array(rest)
            guard line.count <= Self.longestLine else {
                throw PluginError(
                    .io, "the listing of \(folder.shown) holds a line of more than \(Self.longestLine) bytes")
            }
        }

        private static func begin(
            _ folder: ItemPath, _ backend: FTPBackend
        ) async throws(PluginError) -> (TransferBody, ListingFormat) {
            var problem: PluginError?
            for format in backend.knownFormat.map({ [$0] }) ?? [.machine, .unix, .plain] {
                do throws(PluginError) {
                    return (try await answer(folder, backend, format), format)
                } catch {
                    problem = error
                    // Who does not know the command says so, and who takes an option for a name finds none.
                    guard error.code == (format == .machine ? .io : .notFound) else { break }
                }
            }
            let error = problem ?? PluginError(.io, "cannot list \(folder.shown)")
            guard [.forbidden, .notFound, .io].contains(error.code), let parent = folder.parent else { throw error }
            // The server says only that it cannot go there.
            switch try await kind(of: folder, in: parent, backend) {
            case .folder: throw error
            case .some: throw PluginError(.notAFile, "\(folder.shown) is not a folder")
            case nil: throw PluginError(.notFound, "\(folder.shown) is not there")
            }
        }

        /// What a folder that could not be listed is, as the one that it lies in says.
        /// - Returns: `nil` when it is not there, nor when the parent is no folder.
        private static func kind(
            of folder: ItemPath, in parent: ItemPath, _ backend: FTPBackend
        ) async throws(PluginError) -> Entry.Kind? {
            do throws(PluginError) {
                for try await page in backend.list(parent) {
                    if let entry = page.first(where: { $0.name == folder.name }) { return entry.kind }
                }
            } catch  where error.code == .notAFile && !parent.isRoot { return nil }
            return nil
        }

        private static func answer(
            _ folder: ItemPath, _ backend: FTPBackend, _ format: ListingFormat
        ) async throws(PluginError) -> TransferBody {
            var request = try backend.server.folder(
                folder, method: format.command, purpose: "cannot list \(folder.shown)")
            request.maximumBytes = 1 << 30
            request.awaitedBytes = 4 << 20
            return try await backend.client.send(request).body
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
