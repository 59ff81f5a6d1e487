import Glibc
import VitrineKit

/// What a hostile file can tell ``HostileRenderer`` to do.
enum HostileCommand: String, CaseIterable {
    // Well behaved, for comparison.

    /// A red picture of 64 × 48 pixels.
    case ok
    /// The same, said to be known as blank.
    case blank
    /// The same, with one of its own for each smaller size: half as large as that.
    case smaller
    /// The same, where those of the smaller sizes are strips.
    case misshapen
    /// `error CODE MESSAGE`: throws it.
    case error

    /// `range OFFSET COUNT`: reads so many bytes there, then a picture.
    case range
    /// Reads a byte of each 64 KiB, one after the other, then a picture.
    case steps

    // Ends.

    /// Writes to address 8.
    case crash
    /// Calls `abort`.
    case abort
    /// Calls `exit` with the argument as status, 0 by default.
    case exit
    /// Recurses until the stack is used up.
    case recurse

    // Never ends.

    /// Spins.
    case hang
    /// Spins with all signals blocked, so that only SIGKILL helps.
    case stubborn
    /// Waits for what nobody posts, using no processor time.
    case sleep
    /// `hold SIZE`: waits until the input has grown to so many bytes, then a picture. With it a test decides when
    /// rendering ends.
    case hold

    // Takes.

    /// Takes and touches memory until there is none, then throws `limitExceeded`.
    case allocate
    /// `leak COUNT`: duplicates the input's descriptor so often (as often as it can by default) and keeps them.
    case leak
    /// `threads COUNT`: starts so many threads that never end, or as many as it can; the picture's title says how many.
    case threads

    // Tries to get out.

    /// Starts /bin/true.
    case fork
    /// Makes a TCP socket.
    case socket
    /// `read PATH`: opens a file and reads a byte.
    case read
    /// `write PATH`: makes a file and writes a byte.
    case write
    /// Sends signal 0 to the host.
    case signal
    /// Makes memory executable.
    case execute

    // Lies to the host.

    /// Sends 64 bytes of noise on descriptor 3 as its answer.
    case garbage
    /// Sends 5,000 messages of noise on descriptor 3, as far as they are read, then a picture.
    case flood
    /// `lie HEX`: sends these bytes on descriptor 3 as its answer, then a picture.
    case lie
    /// `insist HEX`: sends these bytes on descriptor 3 over and over, and reads no answer.
    case insist
    /// `hand HEX`: sends these bytes on descriptor 3 as its answer with descriptors, that of the socket among them, then a
    /// picture.
    case hand
    /// Closes descriptor 3 and goes on as if nothing were.
    case hangup
    /// `huge-bitmap SIDE`: a picture far larger than asked for, 8,192 pixels square by default.
    case hugeBitmap = "huge-bitmap"
    /// A picture with facts that cannot be: fewer than no pages, endless, a title of control characters.
    case facts
    /// Writes a megabyte with terminal escapes to standard error, then a picture.
    case noise

    /// Carries the command out.
    func run(_ argument: String, _ input: any RandomAccessInput) throws(PluginError) -> Rendering {
        switch self {
        case .ok: return try Self.picture()
        case .blank:
            var rendering = try Self.picture()
            rendering.isKnownBlank = true
            return rendering
        case .smaller:
            var rendering = try Self.picture()
            rendering.drawSmaller = { (box) throws(PluginError) in
                try Self.picture(width: box / 2, height: box * 3 / 8).bitmap
            }
            return rendering
        case .misshapen:
            var rendering = try Self.picture()
            rendering.drawSmaller = { (_) throws(PluginError) in try Self.picture(width: 5000, height: 1).bitmap }
            return rendering
        case .error:
            let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
            throw PluginError(PluginError.Code(rawValue: words.first ?? ""), words.count == 2 ? words[1] : "")
        case .range:
            let numbers = argument.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 2 else { throw PluginError(.invalidArgument, "range takes OFFSET and COUNT") }
            _ = try input.bytes(at: numbers[0], count: Int(numbers[1]))
            return try Self.picture()
        case .steps:
            for offset in stride(from: 0, to: input.size, by: 64 << 10) { _ = try input.bytes(at: offset, count: 1) }
            return try Self.picture()
        case .crash:
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
            return try Self.picture()
        case .abort: Glibc.abort()
        case .exit: Glibc.exit(CInt(argument) ?? 0)
        case .recurse: return try Self.picture(width: Self.recurse(1))
        case .hang: Self.spin()
        case .stubborn:
            var all = sigset_t()
            sigfillset(&all)
            sigprocmask(SIG_BLOCK, &all, nil)
            Self.spin()
        case .sleep: Self.wait()
        case .hold: return try Self.hold(untilSize: off_t(argument) ?? .max, input)
        case .allocate: try Self.allocate()
        case .leak: return try Self.leak(Int(argument) ?? .max, of: input)
        case .threads: return try Self.picture(title: "\(Self.startThreads(Int(argument) ?? 0)) threads")
        case .fork: return try Self.attempt { Attempts.spawn() }
        case .socket: return try Self.attempt { Attempts.socket() }
        case .read: return try Self.attempt { Attempts.read(argument) }
        case .write: return try Self.attempt { Attempts.write(argument) }
        case .signal: return try Self.attempt { kill(getppid(), 0) == 0 ? 0 : errno }
        case .execute: return try Self.attempt { Attempts.executableMemory() }
        case .garbage:
            Self.answer((0..<64).map { _ in UInt8.random(in: 0...255) })
            return try Self.picture()
        case .flood:
            for _ in 0..<5000 { Self.answer((0..<64).map { _ in UInt8.random(in: 0...255) }) }
            return try Self.picture()
        case .lie:
            Self.answer(Self.bytes(hexadecimal: argument))
            return try Self.picture()
        case .insist:
            let bytes = Self.bytes(hexadecimal: argument)
            while true { Self.answer(bytes) }
        case .hand:
            Self.answer(Self.bytes(hexadecimal: argument), with: [Self.host, input.fileDescriptor ?? 0])
            return try Self.picture()
        case .hangup:
            close(Self.host)
            return try Self.picture()
        case .hugeBitmap:
            let side = Int(argument) ?? 8192
            return try Self.picture(width: side, height: side)
        case .facts:
            let rendering = try Self.picture()
            let title = String(repeating: "\u{1B}[2J\u{202E}", count: 100_000)
            let facts = Facts(pages: -1, size: PixelSize(width: -1, height: 0), duration: -.infinity, title: title)
            return Rendering(rendering.bitmap, facts: facts)
        case .noise:
            let escapes = [UInt8]("\u{1B}]0;owned\u{07}\u{1B}[2J".utf8)
            let noise = [UInt8]((0..<(1 << 20)).map { escapes[$0 % escapes.count] })
            _ = noise.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
            return try Self.picture()
        }
    }
}
