import Glibc
import Library
import Vitrine
import VitrineKit

/// `vitrine collection add`: files go into a collection one after the other, and copies say how far they are.
struct CollectionAddition: Sendable {
    let context: LibraryContext
    let collection: String
    let copies: Bool

    /// Puts in what can be put in, and names what cannot.
    /// - Returns: the exit code.
    func run(_ operands: ArraySlice<[UInt8]>) async -> CInt {
        let events = context.user.events(of: .collection(collection), buffer: 16)
        let listener = Task { await Self.show(events) }
        let work = InterruptibleWork {
            var code = ExitCode.done
            // Only members of archives take one.
            var pipeline: PreviewPipeline?
            for operand in operands {
                if Task.isCancelled { break }
                do throws(PluginError) { try await add(operand, &pipeline) } catch {
                    if error.code == .cancelled { break }
                    Console.error("\(Self.clear)vitrine collection: \(DisplayText.of(error.message))")
                    code = ExitCode.failed
                }
            }
            await pipeline?.end()
            return Task.isCancelled ? ExitCode.interrupted : code
        }
        let code = await work.value
        listener.cancel()
        await listener.value
        return code
    }

    private func add(_ operand: [UInt8], _ pipeline: inout PreviewPipeline?) async throws(PluginError) {
        let uri = try context.uri(operand)
        let addition: UserLibrary.Addition
        if uri.scheme == "archive" {
            let unpacking = if let pipeline { pipeline } else { try CommandContext.pipeline() }
            pipeline = unpacking
            addition = try await context.user.add(uri, to: collection, through: unpacking)
        } else {
            addition = try await context.user.add(uri, to: collection, copies: copies)
        }
        if !addition.isNew {
            Console.error("\(Self.clear)\(ItemName.long(addition.uri)) is in '\(DisplayText.of(collection))' already")
        } else if addition.uri != uri.text {
            Console.print("\(ItemName.long(uri.text)) is copied to \(ItemName.long(addition.uri))")
        }
    }

    /// Empties the line of the terminal that the progress of a copy is drawn on.
    private static var clear: String { Console.isTerminal(STDERR_FILENO) ? StatusLine.clear : "" }

    private static func show(_ events: AsyncStream<LibraryEvent>) async {
        guard Console.isTerminal(STDERR_FILENO) else { return }
        for await event in events {
            guard case .copying(let uri, _, let bytes, let size) = event else {
                await StatusLine.show("")
                continue
            }
            await StatusLine.show(line(uri, bytes, of: size))
        }
        await StatusLine.show("")
    }

    private static func line(_ uri: String, _ bytes: Int64, of size: Int64?) -> String {
        var numbers = [Quantity.bytes(bytes)]
        if let size, size > 0 {
            numbers = [
                "\(Int(100 * Double(min(bytes, size)) / Double(size))) %", "\(numbers[0]) of \(Quantity.bytes(size))",
            ]
        }
        return StatusLine.text(share: nil, numbers, current: uri)
    }
}
