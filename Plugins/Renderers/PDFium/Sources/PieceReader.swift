internal import CPDFium
internal import VitrineKit

/// Gives PDFium a document piece by piece, for those that are too large to be mapped.
final class PieceReader {
    private let input: any RandomAccessInput
    /// What the input threw, which PDFium has no way to pass on.
    private var failure: PluginError?

    init(_ input: any RandomAccessInput) { self.input = input }

    /// Calls `body` with a file as PDFium takes it.
    /// - Throws: what reading threw, else what `body` throws.
    func withFile<R>(
        _ body: (UnsafeMutablePointer<cpdfium_file>) throws(PluginError) -> R
    ) throws(PluginError) -> R {
        var file = cpdfium_file()
        file.size = UInt(clamping: input.size)
        file.context = Unmanaged.passUnretained(self).toOpaque()
        file.read = { context, offset, buffer, count in
            guard let context, let buffer else { return 0 }
            let reader = Unmanaged<PieceReader>.fromOpaque(context).takeUnretainedValue()
            return reader.read(at: offset, UnsafeMutableRawBufferPointer(start: buffer, count: Int(clamping: count)))
        }
        let result: Result<R, PluginError>
        do throws(PluginError) { result = .success(try body(&file)) } catch { result = .failure(error) }
        if let failure { throw failure }
        return try withExtendedLifetime(self) { result }.get()
    }

    private func read(at offset: UInt, _ buffer: UnsafeMutableRawBufferPointer) -> CInt {
        var done = 0
        do throws(PluginError) {
            while done < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = try input.read(at: Int64(clamping: offset) + Int64(done), into: rest)
                if count == 0 { return 0 }
                done += count
            }
        } catch {
            failure = failure ?? error
            return 0
        }
        return 1
    }
}
