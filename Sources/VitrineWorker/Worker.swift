import CPlatform
import Containment
import Picture
import PluginLoader
import VitrineKit
import WorkerWire

/// The worker's life: set up, warm up, lock down, then one item after the other.
///
/// Libraries are trusted, files are not: none is opened before the lock-down is complete. The plugin's library comes
/// first of all, since it may lie in a folder that the worker cannot reach once it has given up its rights.
///
/// A template stops after the warm-up and forks processes that go on from there; see ``multiply(_:)``.
struct Worker {
    let socket: CInt

    /// - Returns: the process's exit status.
    func run() -> CInt {
        let setup: WorkerSetup
        switch receive() {
        case (.start(let received)?, _): setup = received
        default: return 64
        }
        if setup.isFinisher { return finish(setup) }
        if let program = setup.program { return run(program, setup) }
        do throws(PluginError) {
            let entry = try PluginLibrary.open(setup.library)
            guard entry.makeRenderer != nil || entry.makeContainerReader != nil else {
                throw PluginError(.pluginUnavailable, "'\(setup.library)' neither draws nor reads containers")
            }
            let companions = setup.companions.map(Companion.init)
            let begun = Containment.begin(
                profile: setup.profile, privateFolder: setup.privateFolder, pluginFolder: setup.pluginFolder,
                extraReadable: companions.map(\.setup.pluginFolder))
            let environment = RendererEnvironment(
                pluginFolder: setup.pluginFolder, privateFolder: setup.privateFolder,
                maximumPixels: Int(setup.maximumPixels), addressSpace: setup.addressSpace)
            if let first = try entry.makeRenderer?(environment) {
                for companion in companions { companion.warmUp() }
                let library = setup.library
                guard let setup = setup.isTemplate ? multiply(setup) : setup else { return 0 }
                let renderer = setup.library == library ? first : try Companion.renderer(setup.library, of: companions)
                try renderer.begin()
                lockDown(begun, setup)
                serve(renderer)
            } else if let reader = try entry.makeContainerReader?(environment) {
                guard let setup = setup.isTemplate ? multiply(setup) : setup else { return 0 }
                lockDown(begun, setup)
                serve(reader)
            }
        } catch {
            send(.unavailable(error))
            return 1
        }
        return 0
    }

    /// Takes away what the profile does not grant, and tells how well that holds.
    func lockDown(_ begun: [LayerReport], _ setup: WorkerSetup) {
        let limits = ContainmentLimits(
            for: setup.profile, addressSpace: setup.addressSpace, processorTime: Int(setup.processorTime))
        let report = Containment.finish(
            begun, profile: setup.profile, limits: limits, privateFolder: setup.privateFolder)
        send(.ready(WorkerReadiness(report)))
    }

    /// Answers jobs until the host closes its end.
    func serve(_ renderer: any Renderer) {
        var output: SharedOutput?
        var key: Key?
        while case (.render(let job)?, let fds) = receive(keeping: &key) {
            let password = key?.number == job.number ? key?.password : nil
            key = nil
            let goesOn = answer(
                job.number, seconds: job.seconds, outputSize: job.outputSize, isRanged: job.isRanged, fds, in: &output
            ) { (item, memory) throws(PluginError) in
                .rendered(try render(job, item, password, with: renderer, into: memory))
            }
            guard goesOn else { return }
        }
    }

    private func render(
        _ job: RenderJob, _ item: any RandomAccessInput, _ password: Password?, with renderer: any Renderer,
        into output: SharedOutput
    ) throws(PluginError) -> RenderAnswer {
        let clock = ContinuousClock()
        let began = clock.now
        let wish = job.wish
        let request = RenderRequest(wish, password)
        let largest = request.box
        (renderer as? ForeignRenderer)?.suffix = wish.suffix
        var rendering = try renderer.render(item, request)
        if !request.wantsText { rendering.facts.text = nil }
        if !request.wantsPlace { rendering.facts.place = nil }
        var drawing = clock.now - began
        var encoding = Duration.zero
        var pictures: [RenderAnswer.Picture] = []
        var placeholder: [UInt8] = []
        var isPlain = false
        var offset = 0
        for box in wish.boxes {
            let start = clock.now
            let smaller = box < largest ? try rendering.drawSmaller?(box).shaped(as: rendering.bitmap, in: box) : nil
            let drawn = clock.now
            let rest = UnsafeMutableRawBufferPointer(rebasing: output.memory[offset...])
            let made = try PictureEncoder.encode(
                smaller ?? rendering.bitmap, box: box, wantsPlaceholder: pictures.isEmpty,
                convertColors: rendering.convertColors, into: rest)
            drawing += drawn - start
            encoding += clock.now - drawn
            if pictures.isEmpty { isPlain = made.isPlain && !rendering.isKnownBlank }
            placeholder += made.placeholder
            pictures.append(RenderAnswer.Picture(offset: offset, length: made.length, size: made.size))
            offset += made.length
        }
        var answer = RenderAnswer(
            number: job.number, pictures: pictures, facts: rendering.facts, renderTime: drawing.nanoseconds,
            encodeTime: encoding.nanoseconds)
        answer.placeholder = placeholder
        answer.isPlain = isPlain
        answer.embedded = rendering.embedded
        return answer
    }

    /// A password, and the number of the job that it is for.
    private struct Key {
        var number: UInt32
        var password: Password
    }

    /// The next message that is no password, and the last password before it.
    private func receive(keeping key: inout Key?) -> (HostMessage?, fds: [CInt]) {
        while true {
            let received = receive()
            guard case .unlock(let number, let password)? = received.0 else { return received }
            key = Key(number: number, password: password)
        }
    }

    func receive() -> (HostMessage?, fds: [CInt]) {
        var fds = [CInt](repeating: -1, count: Int(VP_MAX_FDS))
        var fdCount = VP_MAX_FDS
        var bytes = [UInt8](unsafeUninitializedCapacity: WireMessage.sizeLimit) { buffer, used in
            used = max(0, vp_receive(socket, buffer.baseAddress, buffer.count, &fds, &fdCount))
        }
        guard !bytes.isEmpty else { return (nil, []) }
        defer { HostMessage.wipe(&bytes) }
        do throws(PluginError) {
            return (try HostMessage(decoding: bytes), Array(fds.prefix(Int(fdCount))))
        } catch { return (nil, []) }
    }

    func send(_ message: WorkerMessage) {
        let bytes = message.encoded()
        // A host that is gone ends the next receive; there is nobody to tell.
        _ = vp_send(socket, bytes, bytes.count, nil, 0)
    }
}

extension Bitmap {
    /// - Returns: `nil` when a preview of it would not have the shape that one of another picture has: whoever sees both takes
    ///   them for two items.
    fileprivate func shaped(as other: Bitmap, in box: Int) -> Bitmap? {
        func shape(_ bitmap: Bitmap, _ box: Int) -> PixelSize? {
            PixelSize.fitting(width: Double(bitmap.width), height: Double(bitmap.height), in: box, enlarging: false)
        }
        guard let own = shape(self, box), let wanted = shape(other, max(own.width, own.height)) else { return nil }
        return abs(own.width - wanted.width) <= 1 && abs(own.height - wanted.height) <= 1 ? self : nil
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
