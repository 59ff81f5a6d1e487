import VitrineKit
import WorkerWire

extension WorkerProcess {
    /// Has the members of a container listed.
    func list(_ container: ContainerInput) async -> Outcome<MemberList> {
        var job = ListJob(number: link.nextNumber(), seconds: specification.patience)
        job.isRanged = container.ranges != nil
        var fds = [container.input]
        do throws(PluginError) { job.outputSize = try makeRoom(MemberTable.sizeLimit, &fds) } catch {
            return .refused(error)
        }
        let (reply, reading) = await converse(.list(job), job.number, fds, container.ranges)
        if let failure = reading.failure { return refuse(failure, after: reply, job.number) }
        guard case .message(.listed(let answer)) = reply, answer.number == job.number else {
            return outcome(without: reply, job.number)
        }
        do throws(PluginError) {
            let bytes = answer.length > 0 ? try link.copyOutput(offset: 0, length: answer.length) : []
            return .answered(MemberList(members: try MemberTable.decoded(bytes), outline: answer.outline))
        } catch { return fail(error) }
    }

    /// Has members of a container unpacked.
    func unpack(_ order: MemberOrder, of container: ContainerInput) async -> Outcome<UnpackedMembers> {
        var job = UnpackJob(
            number: link.nextNumber(), seconds: specification.patience,
            parts: order.parts.map { UnpackJob.Part(place: $0.place, limit: $0.limit) }, wanted: order.wanted)
        job.job.isRanged = container.ranges != nil
        let number = job.job.number
        let total = order.parts.reduce(0) { $0 + $1.limit }
        guard total <= specification.outputSize else {
            return .refused(
                PluginError(
                    .limitExceeded,
                    "\(total) bytes would be unpacked at once, and plugin '\(specification.id)' may use "
                        + "\(specification.outputSize >> 20) MiB for that (output)"))
        }
        var fds = [container.input]
        do throws(PluginError) { job.job.outputSize = try makeRoom(max(1, Int(total)), &fds) } catch {
            return .refused(error)
        }
        let (reply, reading) = await converse(.unpack(job), number, fds, container.ranges)
        if let failure = reading.failure { return refuse(failure, after: reply, number) }
        guard case .message(.unpacked(let answer)) = reply, answer.number == number else {
            return outcome(without: reply, number)
        }
        do throws(PluginError) { return .answered(try collect(answer, job)) } catch { return fail(error) }
    }

    private func makeRoom(_ size: Int, _ fds: inout [CInt]) throws(PluginError) -> Int64 {
        guard let output = try link.growOutput(to: size) else { return 0 }
        fds.append(output.fd)
        return Int64(output.size)
    }

    /// What comes of a container of which a range could not be had: it is not to blame, whatever the worker made of it.
    private func refuse<Value>(_ failure: PluginError, after reply: Link.Reply, _ number: UInt32) -> Outcome<Value> {
        switch reply {
        case .message(.listed(let answer)) where answer.number == number: break
        case .message(.unpacked(let answer)) where answer.number == number: break
        case .message(.refused(number, _)): break
        default: link.end()
        }
        return .refused(failure)
    }

    private func collect(_ answer: UnpackAnswer, _ job: UnpackJob) throws(PluginError) -> UnpackedMembers {
        var starts: [Int] = []
        var end = 0
        for part in job.parts {
            starts.append(end)
            end += Int(part.limit)
        }
        var seen: Set<Int> = []
        var result = UnpackedMembers(
            wanted: .failure(
                answer.failure ?? PluginError(.corrupt, "the archive does not hold what its list says")), others: [])
        for part in answer.parts {
            guard job.parts.indices.contains(part.index), part.length <= job.parts[part.index].limit,
                seen.insert(part.index).inserted
            else { throw PluginError(.invalidAnswer, "the worker unpacked something else than it was asked for") }
            let (start, length) = (starts[part.index], Int(part.length))
            if part.index == job.wanted {
                let memory = try MemberMemory(size: part.length) { (fd) throws(PluginError) in
                    try link.copyOutput(offset: start, length: length, to: fd)
                }
                result.wanted = .success(memory)
            } else {
                let bytes = length > 0 ? try link.copyOutput(offset: start, length: length) : []
                result.others.append((part.index, bytes))
            }
        }
        if case .failure(let error) = result.wanted, !Self.mayAnswer.contains(error.code) {
            throw Self.foreignReason(error)
        }
        return result
    }
}
