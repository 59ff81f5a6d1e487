import CPlatform
import Glibc
import VitrineKit
import WorkerWire

// What all jobs have in common: an item, memory for what is made of it, a time that ends, and an answer.
extension Worker {
    /// Does a job and answers it.
    /// - Parameters:
    ///   - number: the job's, for the host.
    ///   - seconds: after which the process ends, with two more for the host to do so first.
    ///   - outputSize: bytes of memory that come with this job and replace those of the last one; zero: they stay.
    ///   - isRanged: whether the item is not there yet, and the host brings ranges of it. Default: no.
    ///   - fds: the item, and the memory if it comes; owned by the callee.
    ///   - output: the memory of the last job, if there was one.
    ///   - work: makes the answer. What it throws becomes `refused`.
    /// - Returns: whether the worker goes on: a host that sends fewer descriptors than it says is not to be served.
    func answer(
        _ number: UInt32, seconds: Int, outputSize: Int64, isRanged: Bool = false, _ fds: [CInt],
        in output: inout SharedOutput?,
        _ work: (any RandomAccessInput, SharedOutput) throws(PluginError) -> WorkerMessage
    ) -> Bool {
        var fds = fds[...]
        let answer: WorkerMessage
        do throws(PluginError) {
            guard let input = fds.popFirst() else { return false }
            let item = try item(input, isRanged: isRanged, number)
            if outputSize > 0 {
                guard let memory = fds.popFirst() else { return false }
                output = nil
                output = try SharedOutput(fd: memory, size: Int(outputSize))
            }
            guard let output else { return false }
            alarm(UInt32(clamping: seconds + 2))
            defer { alarm(0) }
            answer = try work(item, output)
        } catch {
            answer = .refused(number: number, error)
        }
        send(answer)
        vp_return_memory(Self.keptMemory)
        return true
    }

    /// What a job is about.
    private func item(
        _ fd: CInt, isRanged: Bool, _ number: UInt32
    ) throws(PluginError) -> any RandomAccessInput {
        guard isRanged else { return try DescriptorInput(fd: fd) }
        return try RangedInput(window: fd) { (offset, count) throws(PluginError) in
            try bring(offset, count, for: number)
        }
    }

    /// Bytes of free memory that stay for the next item: to return them and ask for them again costs more than a small
    /// item itself.
    private static let keptMemory = 24 << 20

    /// Asks the host for a range of the input, and waits until it is there. The alarm does not count that time.
    /// - Returns: what is there now.
    private func bring(_ offset: Int64, _ count: Int64, for number: UInt32) throws(PluginError) -> Range<Int64> {
        let left = alarm(0)
        defer { alarm(left) }
        send(.needs(number: number, offset: offset, count: count))
        guard case .provided(number, let answer)? = receive().0 else {
            throw PluginError(.io, "the host did not provide bytes \(offset) to \(offset + count - 1) of the item")
        }
        return try answer.get()
    }
}
