internal import VitrineKit

/// What the head of a file of Geomview claims to follow it: Assimp takes the memory for that before it looks whether it is there.
struct OFFCounts {
    /// Zero where something else stands.
    let points: Int, faces: Int

    /// Reads the head: a word of letters, the number of dimensions where an `n` is among them, and the counts.
    init(_ bytes: UnsafeRawBufferPointer) {
        // Assimp passes the mark of UTF-8 over.
        var text = TextScanner(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        Self.skipComments(&text)
        for letter in "STCN4".utf8 { _ = text.take(letter) }
        let namesDimensions = text.take(UInt8(ascii: "n"))
        for letter in "OFF".utf8 { _ = text.take(letter) }
        if namesDimensions { _ = Self.count(&text) }
        points = Self.count(&text)
        faces = Self.count(&text)
    }

    /// Refuses more than there can be: each has a line of its own, of two bytes at least.
    /// - Throws: `corrupt`; `unsupported` for what is written in units of more than a byte, whose head was not read.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0, 0]) else {
            throw PluginError(.unsupported, "the model is not written in UTF-8 or ASCII")
        }
        try OFFCounts(bytes).check(size: bytes.count)
    }

    private func check(size: Int) throws(PluginError) {
        guard points <= size / 2, faces <= size / 2 else {
            throw PluginError(
                .corrupt, "the model claims \(points) points and \(faces) faces, more than its \(size) bytes can hold")
        }
    }

    /// More digits than any count has are as many as there can be.
    private static func count(_ text: inout TextScanner) -> Int {
        skipComments(&text)
        let start = text.at
        let number = text.integer()
        return number ?? (text.at > start ? .max : 0)
    }

    private static func skipComments(_ text: inout TextScanner) {
        text.skipSpace()
        while text.take(UInt8(ascii: "#")) {
            text.skipLine()
            text.skipSpace()
        }
    }
}
