import VitrineKit
import WorkerWire

extension WorkerProcess {
    /// Hands over previews and waits for the picture that is made of them.
    /// - Parameter input: the previews one after the other; borrowed until the call returns.
    func finish(_ job: FinishingJob, input: CInt, startTime: Duration) async -> Outcome<WorkerResult> {
        var message = FinishJob(
            number: link.nextNumber(), lengths: job.previews.map(\.count), box: job.box, finish: job.finish,
            labels: job.labels, seconds: specification.patience)
        var fds = [input]
        do throws(PluginError) {
            try specification.checkOutput(for: [job.box])
            if let output = try link.growOutput(for: [job.box]) {
                message.outputSize = Int64(output.size)
                fds.append(output.fd)
            }
        } catch { return .refused(error) }
        let reply = await link.exchange(
            HostMessage.finish(message).encoded(), fds: fds, deadline: .seconds(specification.patience),
            watch: link.watch(specification))
        return outcome(of: reply, message.number, boxes: [job.box], startTime: startTime, .zero)
    }
}
