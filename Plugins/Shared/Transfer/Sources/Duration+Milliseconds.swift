extension Duration {
    /// Rounded down, and within what libcurl takes: at most 68 years.
    public var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: min(seconds, 1 << 31) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
