internal import CGhostscript
internal import Glibc
internal import VitrineKit

/// Ghostscript's interpreter, for one program; the one owner of its instance. There can be one at a time in a process.
final class Interpreter {
    private let instance: UnsafeMutableRawPointer
    private let sink: PageSink
    private let callbacks: UnsafeMutablePointer<display_callback>
    private let talk: Talk

    /// What programs and Ghostscript say, as far as it is of use.
    private final class Talk {
        private(set) var text = ""
        static let longest = 4096

        /// Keeps the last of it.
        func add(_ bytes: UnsafePointer<CChar>?, _ count: CInt) {
            guard let bytes, count > 0 else { return }
            let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count)).suffix(Talk.longest)
            text = String((text + String(decoding: buffer, as: UTF8.self)).suffix(Talk.longest))
        }
    }

    /// Bytes that Ghostscript takes at once.
    private static let piece = 32 << 10

    /// Starts Ghostscript, which reads its resources: a twentieth of a second.
    /// - Parameter sink: where pages go.
    /// - Throws: `pluginUnavailable`.
    init(_ sink: PageSink) throws(PluginError) {
        let talk = Talk()
        var made: UnsafeMutableRawPointer?
        guard gsapi_new_instance(&made, Unmanaged.passUnretained(talk).toOpaque()) == 0, let made else {
            throw PluginError(.pluginUnavailable, "Ghostscript cannot be started")
        }
        instance = made
        self.sink = sink
        self.talk = talk
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: PageSink.callbacks)
        gsapi_set_stdio(
            made, { _, _, _ in 0 },
            { handle, bytes, count in
                if let handle { Unmanaged<Talk>.fromOpaque(handle).takeUnretainedValue().add(bytes, count) }
                return count
            },
            { handle, bytes, count in
                if let handle { Unmanaged<Talk>.fromOpaque(handle).takeUnretainedValue().add(bytes, count) }
                return count
            })
        gsapi_set_arg_encoding(made, CInt(GS_ARG_ENCODING_UTF8))
        gsapi_set_display_callback(made, callbacks)
        let address = UInt(bitPattern: Unmanaged.passUnretained(sink).toOpaque())
        let words = [
            "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dNOPROMPT", "-dNOPLATFONTS", "-sDEVICE=display",
            "-dDisplayFormat=\(cghostscript_format())", "-sDisplayHandle=16#\(String(address, radix: 16))",
            "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4",
        ]
        var arguments = words.map { word in word.withCString { strdup($0) } }
        defer { for argument in arguments { free(argument) } }
        let status = gsapi_init_with_args(made, CInt(arguments.count), &arguments)
        guard status == 0 else {
            throw PluginError(.pluginUnavailable, "Ghostscript cannot be started (\(DisplayText.of(talk.text)))")
        }
    }

    deinit {
        gsapi_exit(instance)
        gsapi_delete_instance(instance)
        callbacks.deallocate()
    }

    /// Runs a program to its end, or until its page is there.
    /// - Parameters:
    ///   - program: all of it.
    ///   - prologue: what is run before.
    /// - Returns: how it failed; `nil` when it came to its end, or to the page.
    func run(_ program: UnsafeRawBufferPointer, _ prologue: Prologue) -> PluginError? {
        var code: CInt = 0
        var status = gsapi_run_string(instance, prologue.program, 0, &code)
        guard status == 0 else { return failure(status) }
        status = gsapi_run_string_begin(instance, 0, &code)
        guard status == 0 else { return failure(status) }
        var at = 0
        while at < program.count {
            let piece = program[at..<min(at + Self.piece, program.count)]
            let start = UnsafeRawBufferPointer(rebasing: piece).baseAddress?.assumingMemoryBound(to: CChar.self)
            status = gsapi_run_string_continue(instance, start, CUnsignedInt(piece.count), 0, &code)
            guard status == gs_error_NeedInput.rawValue else { break }
            at += piece.count
        }
        if status == gs_error_NeedInput.rawValue { status = gsapi_run_string_end(instance, 0, &code) }
        guard sink.bitmap == nil else { return nil }
        if status == 0, sink.shown == 0, prologue.file?.isDrawing == true {
            // Drawings need not show the page that they lie on.
            status = gsapi_run_string(instance, "showpage\n", 0, &code)
        }
        // A program may end itself.
        return status == 0 || status == gs_error_Quit.rawValue || sink.bitmap != nil ? nil : failure(status)
    }

    /// What an error of Ghostscript's means.
    private func failure(_ status: CInt) -> PluginError {
        // Behind what the program itself said.
        let mark = talk.text.firstRange(of: "error: ")?.upperBound ?? talk.text.startIndex
        let said = DisplayText.of(String(talk.text[mark...].prefix { !$0.isNewline }.prefix(200)))
        let words = said.isEmpty ? "Ghostscript: error \(status)" : "Ghostscript: \(said)"
        switch status {
        case gs_error_limitcheck.rawValue:
            return PluginError(
                .limitExceeded, "the PostScript program asks for more than Ghostscript can do (\(words))")
        case gs_error_VMerror.rawValue:
            return PluginError(.limitExceeded, "the PostScript program needs more memory than it may use (\(words))")
        case gs_error_configurationerror.rawValue:
            return PluginError(.limitExceeded, "the PostScript program asks for paper that cannot be had (\(words))")
        case gs_error_invalidfileaccess.rawValue:
            return PluginError(.unsupported, "the PostScript program asks for files, which it is not given (\(words))")
        default: return PluginError(.corrupt, "the PostScript program is damaged (\(words))")
        }
    }
}
