internal import CAV
internal import Glibc
internal import MIME
package import VitrineKit

extension Container {
    /// Demuxers of files that may have tags which libav passes over.
    private static let tagged = "mp3,aac,ac3,eac3,dts,wav,iff,flac,tta,wv,mpc,mpc8,ape,tak"
    /// Of these, those that read a tag of ID3 in front whatever else there is.
    private static let readID3 = "mp3,aac"
    /// Of these, those for which tags of APE are written, and TTA, which has none of its own: libav believes these there, too.
    private static let firstAPE = "wv,ape,mpc,mpc8,tak,tta"

    /// The file and its tags that libav passes over, each as a file of its own, in the order in which they are to be believed.
    /// These are looked for where something is missing that they might have.
    /// - Throws: what the input throws.
    package func withOverlookedTags() throws(PluginError) -> [Container] {
        guard isOne(of: Self.tagged), !saysAll else { return [self] }
        // What is written for a format goes before what is put around it, and both before the 30 letters of ID3v1.
        let places = isOne(of: Self.firstAPE) ? tagPlaces.reversed() : tagPlaces
        if let inputFailure { throw inputFailure }
        let hasID3 = places.contains { $0.form == .id3 }
        let isOwnFirst = isOne(of: "flac") || isOne(of: Self.readID3) && hasID3
        var tags: [Container] = []
        for place in places where place.form == .ape || !isOne(of: Self.readID3) {
            if let tag = try Self.open(TagInput(place, of: stream.input)) { tags.append(tag) }
        }
        return isOwnFirst ? [self] + tags : tags + [self]
    }

    /// The bytes of the file behind a tag in front and before one at the end. Tags in chunks lie among them.
    package var bytesBetweenTags: Range<Int64> {
        let size = stream.input.size
        guard isOne(of: Self.tagged) else { return 0..<size }
        let front = tagPlaces.first { $0.form == .id3 && $0.bytes.lowerBound == 0 }?.bytes.upperBound ?? 0
        let end = tagPlaces.first { $0.form == .ape }?.bytes.lowerBound ?? size
        return front < end ? front..<end : 0..<size
    }

    /// How much of the bytes behind a tag in front lies before a tag at the end; at most 1.
    package var partBeforeLastTag: Double {
        let bytes = bytesBetweenTags
        return bytes.isEmpty ? 1 : Double(bytes.count) / Double(stream.input.size - bytes.lowerBound)
    }

    /// A cover that libav passes over, as a file of its own: one whose kind it does not know by what the file says, and that of an
    /// Ogg file as it was written before there were pictures in comments.
    /// - Returns: `nil` when there is none.
    /// - Throws: what the input throws.
    package func overlookedCover() throws(PluginError) -> Container? {
        let picture = isOne(of: "ogg") ? pictureOfComment() : attachedPicture() ?? pictureOfTag()
        if let inputFailure { throw inputFailure }
        guard let picture else { return nil }
        return try Self.open(TagInput(cover: picture, of: stream.input))
    }

    private func pictureOfComment() -> [UInt8]? {
        for stream in streams {
            guard let entry = av_dict_get(stream.pointee.metadata, "COVERART", nil, 0), let value = entry.pointee.value
            else {
                continue
            }
            return TransferCoding.base64.decode(
                UnsafeRawBufferPointer(start: value, count: strnlen(value, Self.mostLetters)))
        }
        return nil
    }

    /// The picture that is called a cover among the attachments of a Matroska file (RFC 9559, "Cover Art"), else the first.
    private func attachedPicture() -> [UInt8]? {
        let attachments = streams.filter { $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT }
        let pictures = attachments.compactMap { stream -> (isCover: Bool, bytes: [UInt8])? in
            guard let parameters = stream.pointee.codecpar?.pointee, let data = parameters.extradata else { return nil }
            let bytes = UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size))
            guard CoverFormat.codec(of: bytes) != nil else { return nil }
            let name = av_dict_get(stream.pointee.metadata, "filename", nil, 0)
            return (
                name.map { String(cString: $0.pointee.value).lowercased().hasPrefix("cover") } == true, Array(bytes)
            )
        }
        return (pictures.first(where: \.isCover) ?? pictures.first)?.bytes
    }

    private func pictureOfTag() -> [UInt8]? {
        if isOne(of: "mov") { return TagPictures.inMP4(size: stream.input.size, stream.peek) }
        guard isOne(of: Self.tagged) else { return nil }
        if isOne(of: "flac"), let picture = TagPictures.inFLAC(from: bytesBetweenTags.lowerBound, stream.peek) {
            return picture
        }
        return tagPlaces.lazy.filter { $0.form == .id3 }
            .compactMap { TagPictures.inID3(self.stream.peek($0.bytes.lowerBound, $0.bytes.count)) }.first
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
