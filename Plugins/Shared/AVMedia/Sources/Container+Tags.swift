internal import CAV
internal import Glibc
internal import MIME
package import VitrineKit

extension Container {
    /// Demuxers of files that may have tags which libav passes over.
    private static let tagged = "mp3,aac,ac3,eac3,dts,wav,iff,flac,tta,wv,mpc,mpc8,ape,tak"
    /// Of these, those that read a tag of ID3 in front whatever else there is.
    private static let readID3 = "mp3,aac"

    /// The file and its tags that libav passes over, each as a file of its own, in the order in which they are to be believed.
    /// These are looked for where something is missing that they might have.
    /// - Throws: what the input throws.
    package func withOverlookedTags() throws(PluginError) -> [Container] {
        guard isOne(of: Self.tagged), !saysAll else { return [self] }
        let places = TagPlaces.all(size: stream.input.size, stream.peek)
        if let inputFailure { throw inputFailure }
        let hasID3 = places.contains { $0.form == .id3 }
        // What is written for a format goes before what is put around it, and both before the 30 letters of ID3v1.
        let isOwnFirst = isOne(of: "flac") || isOne(of: Self.readID3) && hasID3
        var tags: [Container] = []
        for place in places where place.form == .ape || !isOne(of: Self.readID3) {
            if let tag = try Self.open(TagInput(place, of: stream.input)) { tags.append(tag) }
        }
        return isOwnFirst ? [self] + tags : tags + [self]
    }

    /// The cover of an Ogg file as it was written before there were pictures in comments, as a file of its own.
    /// - Returns: none or one.
    /// - Throws: what the input throws.
    package func coverOfComment() throws(PluginError) -> [Container] {
        guard isOne(of: "ogg") else { return [] }
        for stream in streams {
            guard let entry = av_dict_get(stream.pointee.metadata, "COVERART", nil, 0), let value = entry.pointee.value
            else {
                continue
            }
            let letters = UnsafeRawBufferPointer(start: value, count: strnlen(value, Self.mostLetters))
            let picture = TransferCoding.base64.decode(letters)
            return try Self.open(TagInput(cover: picture, of: self.stream.input)).map { [$0] } ?? []
        }
        return []
    }

    /// Letters of a comment up to which it is decoded.
    private static let mostLetters = 32 << 20

    /// Opens a tag.
    /// - Returns: `nil` for a damaged one.
    private static func open(_ input: TagInput) throws(PluginError) -> Container? {
        do throws(PluginError) { return try Container(input, .tag, as: TagInput.demuxer) } catch {
            if let failure = input.failure { throw failure }
            return nil
        }
    }
}
