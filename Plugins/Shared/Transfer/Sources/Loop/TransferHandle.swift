public import CCurl

/// An easy handle of libcurl while a request is prepared on it. Used on the thread of the transfers only, and not kept.
public struct TransferHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    /// Sets a number or a switch.
    public func set(_ option: CURLoption, _ value: Int) { ccurl_set_long(pointer, option, value) }

    /// Sets a text, which is copied; `nil` restores the default.
    public func set(_ option: CURLoption, _ value: String?) {
        guard let value else {
            ccurl_set_string(pointer, option, nil)
            return
        }
        // A NUL would end the text early: what is left would be another one.
        guard !value.utf8.contains(0) else { return }
        ccurl_set_string(pointer, option, value)
    }

    /// Sets a number of bytes.
    public func set(_ option: CURLoption, large value: Int64) { ccurl_set_large(pointer, option, curl_off_t(value)) }

    /// Lets new connections be made only to addresses that the function answers true for.
    public func connect(onlyTo filter: @escaping @convention(c) (UnsafePointer<sockaddr>?) -> Bool) {
        ccurl_filter_addresses(pointer, filter)
    }
}
