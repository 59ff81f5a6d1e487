import RendererFixtures

/// A zip file whose checksums are right, as LibreOffice wants them; see `zipFile` of RendererFixtures.
func zipPackage(
    _ files: [(name: String, bytes: [UInt8])], claimedSize: Int? = nil, isPacked: Bool = false
) -> [UInt8] {
    zipFile(files, claimedSize: claimedSize, isPacked: isPacked, checksum: nil)
}
