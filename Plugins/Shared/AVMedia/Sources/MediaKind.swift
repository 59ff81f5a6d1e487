/// What a renderer expects a file to be.
package struct MediaKind: Sendable {
    /// What its users call it, for sentences: "video".
    let noun: String
    /// Names of the demuxers that may read it, separated by commas. Playlists (HLS, DASH, concat), which name other
    /// files, must not be among them.
    let formats: String

    /// Creates a kind.
    package init(noun: String, formats: String) {
        self.noun = noun
        self.formats = formats
    }

    /// What ``TagInput`` is.
    static let tag = MediaKind(noun: "tag", formats: TagInput.demuxer)
}
