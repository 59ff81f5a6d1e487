import PlaceNames
import VitrineKit

/// Reads one version of a file from some offset to its end, piece by piece.
struct FileReading {
    let file: any ByteSource
    /// For sentences.
    let uri: String
    /// Where it begins.
    var start: Int64 = 0

    private static let pieceSize = 1 << 20

    /// Reads all of it. The next piece is read while one is worked on.
    /// - Parameter body: takes each piece, and how many bytes come before it.
    /// - Returns: how many bytes the file has.
    /// - Throws: `changed` when it is not the same file from the first to the last byte, `cancelled`, what reading or
    ///   `body` throws.
    func pieces(_ body: ([UInt8], Int64) async throws(PluginError) -> Void) async throws(PluginError) -> Int64 {
        let size = file.entry.size
        var done = start
        var next = try await Self.read(file, at: done).get()
        while !next.isEmpty {
            if Task.isCancelled { throw PluginError(.cancelled, "the copy of '\(PlaceName.of(uri))' was stopped") }
            let (piece, offset) = (next, done)
            done += Int64(piece.count)
            if let size, done > size { throw changed }
            let (file, end) = (file, done)
            async let ahead = Self.read(file, at: end)
            do throws(PluginError) { try await body(piece, offset) } catch {
                _ = await ahead
                throw error
            }
            next = try await ahead.get()
        }
        if let size, done != size { throw changed }
        // A server that is given the version with each request has told already.
        if !file.isPinned, try await file.current().differs(from: file.entry) { throw changed }
        return done
    }

    private var changed: PluginError {
        PluginError(.changed, "'\(PlaceName.of(uri))' changed while it was copied; try again")
    }

    private static func read(_ file: any ByteSource, at offset: Int64) async -> Result<[UInt8], PluginError> {
        if let size = file.entry.size, offset >= size {
            // One byte behind the end: none, unless the file grew.
            return await result { () throws(PluginError) in try await file.read(at: offset, count: 1) }
        }
        return await result { () throws(PluginError) in try await file.read(at: offset, count: pieceSize) }
    }

    private static func result(
        _ body: () async throws(PluginError) -> [UInt8]
    ) async -> Result<[UInt8], PluginError> {
        do throws(PluginError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
