import CPlatform
import Containment
import Dispatch
import FileBytes
import Glibc
public import VitrineKit
import WorkerWire

extension WorkerSpecification {
    /// The worker that makes finished pictures: no file, no thread, one minute for a picture.
    /// - Parameter library: path of `libVitrineEncoders.so`.
    public static func finisher(library: String) -> WorkerSpecification {
        var specification = WorkerSpecification(
            id: "finisher", library: library, pluginFolder: "", profile: .strictest, seconds: 60,
            addressSpace: 4 << 30, residentMemory: 2 << 30)
        specification.isFinisher = true
        return specification
    }
}

extension WorkerPool {
    /// Makes one picture out of previews. The result is in ``WorkerResult/pictures``, in the format that was asked for;
    /// nobody has looked at it yet.
    /// - Parameters:
    ///   - job: the previews.
    ///   - specification: ``WorkerSpecification/finisher(library:)``.
    /// - Throws: `invalidArgument` and `limitExceeded` with a sentence, and as ``render(_:by:failed:)`` does.
    public nonisolated func finish(
        _ job: FinishingJob, by specification: WorkerSpecification
    ) async throws(PluginError) -> WorkerResult {
        let total = job.previews.reduce(0) { $0 + $1.count }
        guard 1...FinishJob.maximumPictures ~= job.previews.count, total <= FinishJob.maximumInput else {
            throw PluginError(
                .limitExceeded, "\(job.previews.count) previews of \(total) bytes are too many for one picture")
        }
        let input = try await Self.memory(of: job.previews, named: "vitrine-previews")
        defer { close(input) }
        return try await serve(specification) { process, startTime in
            await process.finish(job, input: input, startTime: startTime)
        }
    }

    /// Draws one picture of bytes that are in no file.
    /// - Parameters:
    ///   - parts: what the item consists of, one after the other.
    ///   - box: the longest side, in pixels.
    ///   - mimeType: of the whole.
    ///   - specification: of a renderer.
    /// - Throws: as ``render(_:by:failed:)`` does.
    public nonisolated func render(
        bytes parts: [[UInt8]], box: Int, mimeType: String, by specification: WorkerSpecification
    ) async throws(PluginError) -> WorkerResult {
        let input = try await Self.memory(of: parts, named: "vitrine-input")
        defer { close(input) }
        return try await render(
            WorkerJob(input: input, RenderWish(boxes: [box], mimeType: mimeType)), by: specification)
    }

    /// Copies bytes into memory that is handed to a worker, on a thread of its own: they may be a hundred MiB, and other
    /// items wait neither for the pool nor for one of Swift's threads meanwhile.
    /// - Returns: a descriptor for reading, which the caller closes. Nobody can change the memory any more.
    static func memory(of parts: [[UInt8]], named name: String) async throws(PluginError) -> CInt {
        let made: Result<CInt, PluginError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "vitrine.memory").async {
                let result = Result { () throws(PluginError) in try filled(with: parts, named: name) }
                continuation.resume(returning: result)
            }
        }
        return try made.get()
    }

    private static func filled(with parts: [[UInt8]], named name: String) throws(PluginError) -> CInt {
        let fd = vp_growing_memory(name)
        guard fd >= 0 else { throw PluginError(errno: -fd, "cannot make memory for '\(name)'") }
        defer { close(fd) }
        for part in parts {
            if let failure = FileBytes.write(part, to: fd) {
                throw PluginError(errno: failure, "cannot copy previews into memory")
            }
        }
        let finished = vp_finished_memory(fd)
        guard finished >= 0 else {
            throw PluginError(errno: -finished, "cannot open memory for '\(name)' a second time")
        }
        return finished
    }
}
