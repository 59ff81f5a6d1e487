internal import COffice

extension [UInt8] {
    /// The first bytes of a gzip file (RFC 1952) whose beginning this is, unpacked.
    /// - Parameter count: how many at most.
    /// - Returns: fewer where the beginning holds no more, or is damaged; none when it is no gzip file's.
    func inflatedGzip(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
            found = Int(
                coffice_inflate_gzip_head(self, CUnsignedInt(self.count), buffer.baseAddress, CUnsignedInt(count)))
        }
    }
}
