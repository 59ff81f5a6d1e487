/// Code that reads what strangers write, and the rules that hold for it whatever the bytes are.
struct FuzzTarget: Sendable {
    /// Name of the target, of its folder in `Fuzzing/Corpus`, and what `make fuzz` calls it.
    var name: String
    /// The most bytes of an input: more than the code reads at once, or than it accepts.
    var maximumLength: Int
    /// Folders and files below `fixtures/` whose content is a good beginning.
    var fixtures: [String] = []
    /// What the target wants before the content of a fixture.
    var fixturePrefix: [UInt8] = []
    /// Inputs to begin with, beside those in the target's folder.
    var seeds: @Sendable () -> [[UInt8]] = { [] }
    /// Words of the format, which a mutation puts somewhere.
    var words: [String] = []
    /// Feeds one input to the code.
    /// - Throws: ``BrokenRule`` when a rule does not hold. A trap or a loop without end is a finding as well.
    var check: @Sendable (_ input: [UInt8]) throws -> Void

    /// The target of a name.
    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    /// Every target.
    static let all: [FuzzTarget] =
        [hostMessage, workerMessage, memberTable, manifest, settings, arguments, ignoreRules, thumbnailer]
        + [sourceURI, itemLocation, archiveAddress, itemPath, percentEncoding, fileList]
        + [pictureKeys, workerPicture, typeSniffer, zipDirectory, compoundFile, documentSniffer]
        + [documentHeads, contentLines]
        + [
            previewPlace, imageFormat, pictureChunks, tiffPages, tiffPicture, targaGreys, texture, rareBitmap,
            photoshop,
        ]
        + [mimeMessage, mbox, imapAnswer, pop3Session, feed, multiStatus, s3Listing, ftpListing, rcloneAnswer]
        + [exif, summaryInformation, documentXML, archiveMembers, book, sheet, keyFile]
        + [paintbrush, brush, pictureHeads, networkGraphic, extendedRange]
        + [markdown, notebook, delimitedTable, stepReferences, database, animationFile, soundTags]
        + [filmLengths, tagWords, tagPictures, correctionBlock, song, model]
}

/// A rule that an input broke.
struct BrokenRule: Error, CustomStringConvertible {
    /// The rule, as a sentence.
    var description: String

    init(_ description: String) { self.description = description }
}

/// States a rule.
/// - Throws: ``BrokenRule`` when it does not hold.
func hold(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
    if !holds { throw BrokenRule(rule()) }
}
