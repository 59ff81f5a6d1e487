import Picture
import VitrineKit
import WorkerWire

// What a process does before others are forked of it. Swift's runtime looks up types and what they conform to at their first
// use and keeps what it found; done before, it is there in each worker.
extension Worker {
    /// Makes one small picture of nothing, from the job to the answer, which is not sent.
    func rehearse() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { memory.deallocate() }
        var job = RenderJob(number: 0, boxes: [Stage.side / 2], mimeType: "image/png", seconds: 1, outputSize: 0)
        job.wantsText = true
        do throws(PluginError) {
            guard case .render(let received) = try HostMessage(decoding: HostMessage.render(job).encoded()) else {
                return
            }
            let answer = try render(received, Stage(), nil, with: Stage(), into: memory)
            _ = WorkerMessage.rendered(answer).encoded()
        } catch {
            // It will be met again by the first item, which is told of it.
        }
    }
}

/// An item without bytes, and a renderer that draws a grey square of it.
private final class Stage: Renderer, RandomAccessInput {
    static let side = 64

    let size: Int64 = 0
    let fileDescriptor: CInt? = nil

    init() {}
    init(_ environment: RendererEnvironment) {}

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        let bitmap = try Bitmap(width: Self.side, height: Self.side, format: .bgrx)
        bitmap.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
        }
        var facts = Facts(pages: 1, size: PixelSize(width: Self.side, height: Self.side), title: "rehearsal")
        facts.set(.author, "Vitrine")
        facts.text = request.wantsText ? "rehearsal" : nil
        return Rendering(bitmap, facts: facts)
    }
}
