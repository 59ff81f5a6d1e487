import Glibc
import VitrineKit

/// A page that is asked for while the one before it is still being read. Who lets go of it takes the request back.
final class S3PageAhead: Sendable {
    /// Where the page begins.
    let token: String
    private let task: Task<Result<[UInt8], PluginError>, Never>

    /// Asks for the page at once.
    init(of folder: ItemPath, after token: String, limit: Int, _ backend: S3Backend) {
        self.token = token
        task = Task {
            do throws(PluginError) {
                return .success(try await backend.listing(of: folder, after: token, limit: limit))
            } catch { return .failure(error) }
        }
    }

    deinit { task.cancel() }

    /// Waits for it, as it was sent. Who is cancelled meanwhile takes the request back.
    func body() async throws(PluginError) -> [UInt8] {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    /// A token of more bytes is not guessed: it goes into the address of a request.
    static let longestToken = 4 << 10

    /// Where the page behind a page most likely begins, found without reading it: a comment could say so, too. Who asks
    /// for that page has to look whether it was the right one.
    /// - Parameter body: a page as it was sent.
    /// - Returns: `nil` when there is none, and when it takes more than a look to tell.
    static func likelyToken(in body: [UInt8]) -> String? {
        guard find("<IsTruncated>true<", in: body[...]) != nil,
            let begin = find("<NextContinuationToken>", in: body[...]),
            let end = find("</NextContinuationToken>", in: body[begin...])
        else { return nil }
        let token = body[begin..<(end - "</NextContinuationToken>".utf8.count)]
        guard 1...longestToken ~= token.count, !token.contains(UInt8(ascii: "&")), !token.contains(UInt8(ascii: "<"))
        else { return nil }
        return String(validating: token, as: UTF8.self)
    }

    /// Where the first such tag ends.
    private static func find(_ tag: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { room in
            guard var next = room.baseAddress, let end = room.baseAddress.map({ $0 + room.count }) else { return nil }
            let length = tag.utf8CodeUnitCount
            while end - next >= length, let begin = memchr(next, CInt(tag.utf8Start.pointee), end - next) {
                next = UnsafeRawPointer(begin)
                if end - next >= length, memcmp(next, tag.utf8Start, length) == 0 {
                    return bytes.endIndex - (end - next) + length
                }
                next += 1
            }
            return nil
        }
    }
}
