import Containment
import Finishing
import VitrineKit
import WorkerWire

extension FuzzTarget {
    /// What a worker reads from the host.
    static let hostMessage = FuzzTarget(
        name: "host-message", maximumLength: WireMessage.sizeLimit,
        seeds: {
            [
                .start(
                    WorkerSetup(
                        library: "/usr/lib/libPDF.so", pluginFolder: "/usr/lib/pdf", privateFolder: "/tmp/a",
                        profile: .strictest, addressSpace: 1 << 31, maximumPixels: 1 << 28, processorTime: 160)),
                .fork,
                .provided(number: 7, .success(65_536..<131_072)),
                .provided(number: 7, .failure(PluginError(.offline, "the server does not answer"))),
                .render(RenderJob(number: 7, RenderWish(boxes: [128, 256], mimeType: "image/png"), seconds: 10)),
                .render(momentOfPage),
                started(by: ProgramSetup(path: "/usr/bin/thumbnail", arguments: ["%u", "%o"])),
                .finish(
                    FinishJob(
                        number: 7, lengths: [5, 9], box: 512, finish: Finish(key: "sheet=2x1n,cover=9:9") ?? .plain,
                        labels: ["1", "2"], seconds: 60)),
                .list(ListJob(number: 7, seconds: 60)),
                .unpack(
                    UnpackJob(
                        number: 7, seconds: 60, parts: [.init(place: 0, limit: 9), .init(place: 1 << 62, limit: 0)],
                        wanted: 1)),
            ].map { (message: HostMessage) in message.encoded() }
        },
        check: { bytes in
            let message: HostMessage
            do throws(PluginError) { message = try HostMessage(decoding: bytes) } catch {
                return try error.mustBe(.invalidAnswer, .invalidArgument)
            }
            if case .render(let job) = message {
                try hold(job.wish.boxes.count <= RenderWish.maximumBoxes, "\(job.wish.boxes.count) sizes were taken")
                try hold(job.wish.boxes.allSatisfy { 1...RenderWish.maximumBox ~= $0 }, "a size is out of range")
                try hold(job.wish.time.map(\.isFinite) ?? true, "the moment is no number")
            }
            if case .finish(let job) = message {
                try hold(1...FinishJob.maximumPictures ~= job.lengths.count, "\(job.lengths.count) pictures were taken")
                try hold(job.lengths.allSatisfy { $0 >= 0 }, "a picture has less than no bytes")
            }
            if case .unpack(let job) = message {
                try hold(job.parts.indices.contains(job.wanted), "the wanted member is none of the parts")
            }
            let encoded = message.encoded()
            let again = try HostMessage(decoding: encoded)
            try hold(again == message, "a message changed when it was written and read again")
            try hold(again.encoded() == encoded, "the same message was written in two ways")
        })

    private static var momentOfPage: RenderJob {
        var wish = RenderWish(boxes: [], mimeType: "")
        (wish.page, wish.time) = (9, 1.5)
        var job = RenderJob(number: .max, wish, seconds: 0)
        job.outputSize = 4096
        return job
    }

    private static func started(by program: ProgramSetup) -> HostMessage {
        var setup = WorkerSetup(
            library: "", pluginFolder: "", privateFolder: "/tmp/a", profile: .strictest, addressSpace: 1 << 31,
            maximumPixels: 1 << 28, processorTime: 160)
        setup.program = program
        return .start(setup)
    }

    /// What the host reads from a worker that may have been taken over.
    static let workerMessage = FuzzTarget(
        name: "worker-message", maximumLength: WireMessage.sizeLimit,
        seeds: {
            var facts = Facts(pages: 3, size: PixelSize(width: 640, height: 480), duration: 2.5, title: "Aä€😀")
            facts.text = "Aä€😀 text"
            let picture = RenderAnswer.Picture(offset: 0, length: 900, size: PixelSize(width: 128, height: 96))
            return [
                .ready(
                    WorkerReadiness(layers: [
                        LayerLine(name: "seccomp", state: .active, reason: ""),
                        LayerLine(name: "landlock", state: .absent, reason: "the kernel lacks it"),
                    ])),
                .warm, .forked(4711),
                .needs(number: 7, offset: 65_536, count: 65_536),
                .unavailable(PluginError(.pluginUnavailable, "no library")),
                .rendered(
                    RenderAnswer(number: 7, pictures: [picture, picture], facts: facts, renderTime: 9, encodeTime: 1)),
                .refused(number: 7, PluginError(.corrupt, "it is cut short")),
                .listed(
                    ListAnswer(
                        number: 7, length: 90,
                        outline: ContainerOutline(
                            isSequential: true, failure: PluginError(.corrupt, "it is cut off")))),
                .unpacked(
                    UnpackAnswer(
                        number: 7, parts: [.init(index: 0, length: 9)],
                        failure: PluginError(.encrypted, "it is locked"))),
            ].map { (message: WorkerMessage) in message.encoded() }
        },
        check: { bytes in
            let message: WorkerMessage
            do throws(PluginError) { message = try WorkerMessage(decoding: bytes) } catch {
                return try error.mustBe(.invalidAnswer)
            }
            switch message {
            case .warm: break
            case .forked(let pid): try hold(pid > 0, "a process has no such id")
            case .ready(let readiness):
                for layer in readiness.layers {
                    try layer.name.mustBeShowable("the name of a layer")
                    try layer.reason.mustBeShowable("the reason of a layer")
                }
            case .unavailable(let error), .refused(_, let error):
                try error.message.mustBeShowable("a worker's message")
                try error.code.rawValue.mustBeShowable("a worker's code")
            case .needs(_, let offset, let count):
                let (end, overflow) = offset.addingReportingOverflow(count)
                try hold(offset >= 0 && count > 0 && !overflow && end > 0, "a range is none")
            case .listed(let answer):
                try hold(0...MemberTable.sizeLimit ~= answer.length, "a list is too long")
                try answer.outline.failure?.message.mustBeShowable("a worker's message")
            case .unpacked(let answer):
                try hold(answer.parts.allSatisfy { $0.index >= 0 && $0.length >= 0 }, "an unpacked member is none")
                try answer.failure?.message.mustBeShowable("a worker's message")
            case .rendered(let answer):
                for picture in answer.pictures {
                    let (end, overflow) = picture.offset.addingReportingOverflow(picture.length)
                    try hold(picture.offset >= 0 && picture.length > 0 && !overflow && end > 0, "a place is none")
                }
                try hold(answer.facts.pages.map { $0 >= 0 } ?? true, "there are less than no pages")
                try hold((answer.facts.text?.utf8.count ?? 0) <= Facts.textLimit, "a text is longer than its bound")
                try answer.facts.title?.mustBeShowable("a title")
                try hold(answer.facts.duration.map { $0.isFinite && $0 >= 0 } ?? true, "a duration is no time")
            }
            // What is longer than the encoder writes is cut; after that nothing changes any more.
            let again = try WorkerMessage(decoding: message.encoded())
            let encoded = again.encoded()
            try hold(encoded.count <= WireMessage.sizeLimit, "\(encoded.count) bytes fit in no datagram")
            try hold(try WorkerMessage(decoding: encoded) == again, "a message changed when it was read again")
        })
    /// The list of a container's members, which the host reads from a worker that may have been taken over.
    static let memberTable = FuzzTarget(
        name: "member-table", maximumLength: 4096,
        seeds: {
            var member = ContainerMember(path: Array("a/b.jpg".utf8), kind: .file, size: 9, place: 1 << 62)
            member.modified = Timestamp(seconds: -1, nanoseconds: 999_999_999)
            (member.checksum, member.isEncrypted, member.extent) = (.max, true, 0..<99)
            let folder = ContainerMember(path: [0xFF, 0], kind: .folder, place: 1)
            return [MemberTable.encoded(member) + MemberTable.encoded(folder)]
        },
        check: { bytes in
            let members: [ContainerMember]
            do throws(PluginError) { members = try MemberTable.decoded(bytes) } catch {
                return try error.mustBe(.invalidAnswer)
            }
            try hold(
                members.allSatisfy { $0.path.count <= ContainerMember.pathLimit + 1 && ($0.size ?? 0) >= 0 },
                "a member is out of range")
            try hold(members.flatMap(MemberTable.encoded) == bytes, "the same list was written in two ways")
        })
}
