import CPlatform
import Containment
import Glibc
import Picture
import VitrineKit
import WorkerWire

// The life of the worker that makes finished pictures out of previews. It holds encoders instead of a renderer. What it
// reads was written by workers that read strangers' files, and perhaps by one of them that was taken over.
extension Worker {
    /// - Returns: the process's exit status.
    func finish(_ setup: WorkerSetup) -> CInt {
        let finisher: PictureFinisher
        do throws(PluginError) {
            finisher = PictureFinisher(writer: try EncoderLibrary(path: setup.library))
            let begun = Containment.begin(
                profile: setup.profile, privateFolder: setup.privateFolder, pluginFolder: setup.pluginFolder)
            lockDown(begun, setup)
        } catch {
            send(.unavailable(error))
            return 1
        }
        var output: SharedOutput?
        while case (.finish(let job)?, let fds) = receive() {
            var fds = fds[...]
            let answer: WorkerMessage
            do throws(PluginError) {
                guard let input = fds.popFirst() else { return 0 }
                let item = try DescriptorInput(fd: input)
                if job.outputSize > 0 {
                    guard let memory = fds.popFirst() else { return 0 }
                    output = nil
                    output = try SharedOutput(fd: memory, size: Int(job.outputSize))
                }
                guard let output else { return 0 }
                alarm(UInt32(clamping: job.seconds + 2))
                defer { alarm(0) }
                answer = .rendered(try make(job, item, finisher, output))
            } catch {
                answer = .refused(number: job.number, error)
            }
            send(answer)
            vp_return_memory(Self.keptMemory)
        }
        return 0
    }

    private func make(
        _ job: FinishJob, _ item: DescriptorInput, _ finisher: PictureFinisher, _ output: SharedOutput
    ) throws(PluginError) -> RenderAnswer {
        let clock = ContinuousClock()
        let began = clock.now
        let made = try item.withContents(limit: Int64(FinishJob.maximumInput)) { (bytes) throws(PluginError) in
            guard job.lengths.reduce(0, +) == bytes.count else {
                throw PluginError(.invalidArgument, "the previews are longer or shorter than was said")
            }
            var previews: [UnsafeRawBufferPointer] = []
            var start = 0
            for length in job.lengths {
                previews.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
                start += length
            }
            return try finisher.finish(
                previews, box: job.box, job.finish, labels: job.labels, into: output.memory)
        }
        var answer = RenderAnswer(
            number: job.number,
            pictures: [RenderAnswer.Picture(offset: 0, length: made.length, size: made.size)], facts: Facts(),
            renderTime: 0, encodeTime: (clock.now - began).nanoseconds)
        answer.placeholder = made.placeholder
        return answer
    }
}
