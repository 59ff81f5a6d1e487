import Foundation
import Synchronization
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// A renderer on a thread that does nothing else.
final class OfficeThread: Sendable {
    /// Pixels and facts of a drawing.
    struct Drawing: Sendable {
        var width: Int
        var height: Int
        /// The colours of all pixels, as 0xRRGGBB.
        var colors: Set<UInt32>
        var facts: Facts
    }

    /// The renderer's private folder.
    var folder: String { scratch.path }

    private let scratch: ScratchFolder
    private let job = Mutex<(@Sendable (OfficeRenderer?) -> Void)?>(nil)
    private let asked = DispatchSemaphore(value: 0)
    private let answered = DispatchSemaphore(value: 0)

    init() {
        guard let scratch = try? ScratchFolder("office") else { preconditionFailure("no folder for LibreOffice") }
        self.scratch = scratch
        Thread.detachNewThread { [self] in serve() }
    }

    /// Does something with the renderer on that thread and waits. One caller at a time.
    func run<R: Sendable>(
        _ body: @escaping @Sendable (OfficeRenderer) throws(PluginError) -> R
    ) throws(PluginError) -> R {
        let answer = Answer<R>()
        job.withLock { job in
            job = { renderer in
                let result: Result<R, PluginError>
                do throws(PluginError) {
                    guard let renderer else { throw PluginError(.pluginUnavailable, "LibreOffice does not start") }
                    result = .success(try body(renderer))
                } catch { result = .failure(error) }
                answer.result.withLock { $0 = result }
            }
        }
        asked.signal()
        answered.wait()
        guard let result = answer.result.withLock({ $0 }) else { throw PluginError(.workerLost, "no answer came") }
        return try result.get()
    }

    /// Draws on that thread and waits.
    func draw(_ bytes: [UInt8], _ request: RenderRequest) throws(PluginError) -> Drawing {
        try run { renderer throws(PluginError) in
            let rendering = try renderer.render(BytesInput(bytes), request)
            let bitmap = rendering.bitmap
            var colors: Set<UInt32> = []
            bitmap.withUnsafeMutableBytes { bytes in
                for y in 0..<bitmap.height {
                    for x in 0..<bitmap.width {
                        let pixel = bytes.load(fromByteOffset: y * bitmap.bytesPerRow + x * 4, as: UInt32.self)
                        colors.insert(pixel & 0xFF_FFFF)
                    }
                }
            }
            return Drawing(width: bitmap.width, height: bitmap.height, colors: colors, facts: rendering.facts)
        }
    }

    /// A document as LibreOffice writes it in another format.
    /// - Parameters:
    ///   - suffix: of the format that it is in.
    ///   - other: of the one that is wanted.
    func converted(
        _ bytes: [UInt8], from suffix: String, to other: String
    ) throws(PluginError) -> [UInt8] {
        try run { renderer throws(PluginError) in
            let path = renderer.folder + "/converted."
            defer { for suffix in [suffix, other] { unlink(path + suffix) } }
            try SmallFile.write(bytes, to: path + suffix)
            let document = try renderer.kit.open("file://" + path + suffix, nil)
            guard document.save(as: "file://" + path + other, other) else {
                throw PluginError(.io, "LibreOffice cannot write the document as \(other)")
            }
            return SmallFile.bytes(path + other) ?? []
        }
    }

    private final class Answer<R: Sendable>: Sendable {
        let result = Mutex<Result<R, PluginError>?>(nil)
    }

    private func serve() {
        let environment = RendererEnvironment(pluginFolder: "/", privateFolder: folder, addressSpace: 4 << 30)
        let renderer = try? OfficeRenderer(environment)
        // As workers do, whose end LibreOffice has no part in: what it does at the end of a process aborts now and then. What is
        // registered last is called first.
        on_exit(
            { status, _ in
                fflush(nil)
                _exit(status)
            }, nil)
        while true {
            asked.wait()
            job.withLock({ $0 })?(renderer)
            answered.signal()
        }
    }
}
