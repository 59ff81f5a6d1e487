internal import CAV
package import VitrineKit

extension PluginError {
    /// Maps an error of libav, the one place where that is done.
    /// - Parameters:
    ///   - status: the negative value that the call returned.
    ///   - doing: what was tried, as the start of a sentence: `"the file cannot be opened"`.
    ///   - isOpening: whether a file was opened. Default: no.
    package init(libav status: CInt, _ doing: String, isOpening: Bool = false) {
        switch status {
        case cav_error_invalid_argument where isOpening, cav_error_unknown where isOpening:
            // Demuxers say so of headers whose numbers do not fit.
            self.init(Code(libav: status), "\(doing): its header is damaged, or it is of another kind than it seems")
            return
        case cav_error_io where isOpening, cav_error_end where isOpening, cav_error_invalid_data where isOpening:
            self.init(Code(libav: status), "\(doing): it is cut off, or its header is damaged")
            return
        case cav_error_busy where isOpening:
            // The demuxer of Y4M takes the size of a frame's head off the error for pictures that are too large.
            self.init(Code(libav: status), "\(doing): its pictures are larger than libav allows")
            return
        case cav_error_patch_welcome where isOpening:
            self.init(Code(libav: status), "\(doing): it is in a variety that libav does not read")
            return
        default: break
        }
        var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(status, &text, text.count)
        let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.init(Code(libav: status), "\(doing): \(reason)")
    }
}

extension PluginError {
    /// What it means that a decoder does not start.
    /// - Parameters:
    ///   - status: the negative value that the call returned.
    ///   - name: libav's name for the codec.
    package init(libav status: CInt, startingDecoder name: String) {
        let doing = "the decoder for '\(name)' does not start"
        switch status {
        // Decoders say so of headers, and older ones that nothing is permitted.
        case cav_error_not_permitted, cav_error_invalid_argument, cav_error_unknown, cav_error_invalid_data:
            self.init(.corrupt, "\(doing): what the file says of its stream is damaged")
        default: self.init(libav: status, doing)
        }
    }
}

extension PluginError.Code {
    /// The code for an error of libav. What is not named here comes from a parser or decoder that met bytes
    /// it did not expect; `EIO` too, which demuxers say at an early end. The input's own failures do not come
    /// this way.
    package init(libav status: CInt) {
        switch status {
        case cav_error_no_decoder, cav_error_no_demuxer, cav_error_no_protocol, cav_error_patch_welcome,
            cav_error_not_implemented, cav_error_not_permitted:
            self = .unsupported
        case cav_error_no_memory, cav_error_stopped, cav_error_busy: self = .limitExceeded
        default: self = .corrupt
        }
    }
}
