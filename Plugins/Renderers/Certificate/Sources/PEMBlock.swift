internal import CGnuTLS

/// What stands behind a mark of PEM, such as `-----BEGIN CERTIFICATE-----` (RFC 7468).
struct PEMBlock {
    /// What the mark says, such as `CERTIFICATE`.
    let label: String
    /// From the mark to the next one, or to the end of the file.
    let bytes: UnsafeRawBufferPointer

    private static let mark = Array("-----BEGIN ".utf8)
    /// Bytes of a label.
    private static let longestLabel = 40
    /// More are in no file that people have.
    private static let most = 10000

    /// The bytes that its letters stand for; `nil` where these are damaged.
    var decoded: [UInt8]? {
        var status: CInt = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, done in
            var length = buffer.count
            status = SignedContent(bytes: self.bytes, format: GNUTLS_X509_FMT_PEM).read(isList: true) { letters, _ in
                gnutls_pem_base64_decode(label, letters, buffer.baseAddress, &length)
            }
            done = status >= 0 ? min(length, buffer.count) : 0
        }
        return status >= 0 ? bytes : nil
    }

    /// All blocks of a file.
    static func blocks(_ file: UnsafeRawBufferPointer) -> [PEMBlock] {
        var starts: [Int] = []
        var at = file.startIndex
        while starts.count < most, let dash = file[at...].firstIndex(of: UInt8(ascii: "-")) {
            let isMark = file[dash...].starts(with: mark)
            if isMark { starts.append(dash) }
            at = dash + (isMark ? mark.count : 1)
        }
        return starts.indices.compactMap { index in
            let end = index + 1 < starts.count ? starts[index + 1] : file.count
            let letters = file[(starts[index] + mark.count)..<end].prefix(longestLabel)
            guard let dash = letters.firstIndex(of: UInt8(ascii: "-")) else { return nil }
            let label = String(decoding: letters[..<dash], as: UTF8.self)
            return PEMBlock(label: label, bytes: UnsafeRawBufferPointer(rebasing: file[starts[index]..<end]))
        }
    }
}
