import Glibc
public import VitrineKit

/// Misbehaves on command: what a renderer does whose library was taken over by a file. For tests only.
///
/// The input is the line `VITRINE-HOSTILE`, then a line with a command of ``HostileCommand`` and its argument:
///
///     VITRINE-HOSTILE
///     read /etc/passwd
///
/// A command that tries to get out and is refused throws `unsupported` with the errno's words. One that gets out
/// returns a picture whose title is ``HostileRenderer/escaped``, which no test may ever see.
public final class HostileRenderer: Renderer {
    /// The first line of an input.
    public static let magic = "VITRINE-HOSTILE\n"
    /// The title of the picture that is returned by an attempt that went through.
    public static let escaped = "ESCAPED"

    /// Has nothing to warm up, unless its folder holds a file that names what some libraries do: `threads` starts a thread,
    /// `shares` maps memory that a fork would share, `opens` leaves a file open, `hangs` never ends, `crashes` ends the
    /// process, `allocates` takes and touches half a GiB and never ends.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        func has(_ habit: String) -> Bool { access(environment.pluginFolder + "/" + habit, F_OK) == 0 }
        if has("hangs") { HostileCommand.wait() }
        if has("crashes") { abort() }
        if has("allocates") {
            HostileCommand.keep(512 << 20)
            HostileCommand.wait()
        }
        if has("opens"), open(environment.pluginFolder + "/opens", O_RDONLY | O_CLOEXEC) < 0 {
            throw PluginError(errno: errno, "cannot open a file")
        }
        if has("shares"),
            mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
        {
            throw PluginError(errno: errno, "cannot share memory")
        }
        guard has("threads") else { return }
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, { _ in HostileCommand.wait() }, nil)
        guard failure == 0 else { throw PluginError(errno: failure, "cannot start a thread") }
    }

    /// Does what the input says.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        let text = String(decoding: try input.bytes(at: 0, count: 64 << 10), as: UTF8.self)
        guard text.hasPrefix(Self.magic) else { throw PluginError(.corrupt, "the file is not a hostile one") }
        let line = text.dropFirst(Self.magic.count).prefix { $0 != "\n" }
        let words = line.split(separator: " ", maxSplits: 1)
        guard let name = words.first, let command = HostileCommand(rawValue: String(name)) else {
            throw PluginError(.unsupported, "the command '\(DisplayText.of(String(line)))' is not known")
        }
        return try command.run(words.count == 2 ? String(words[1]) : "", input)
    }
}
