import Containment
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
            let goesOn = answer(
                job.number, seconds: job.seconds, outputSize: job.outputSize, fds, in: &output
            ) { (item, memory) throws(PluginError) in
                .rendered(try make(job, item, finisher, memory))
            }
            guard goesOn else { break }
        }
        return 0
    }

    private func make(
        _ job: FinishJob, _ item: any RandomAccessInput, _ finisher: PictureFinisher, _ output: SharedOutput
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
