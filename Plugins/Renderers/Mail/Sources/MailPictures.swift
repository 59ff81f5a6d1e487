internal import PictureDecoding
internal import VitrineKit

/// Pictures that are shown in a mail or attached to it, of which the first good one is drawn.
struct MailPictures {
    /// Bytes of one that is kept, and of all.
    static let longest = 12 << 20, longestOfAll = 24 << 20
    /// How many are kept, and how many may turn out to be damaged before no more are tried.
    private static let most = 16, mostDamaged = 3
    /// Pixels of the shorter side of one beside a text: what signatures and newsletters are adorned with is smaller.
    private static let shortest = 100
    /// The same of one that is all there is of a mail; what counts readers is smaller.
    private static let shortestSole = 16
    /// How many times as long as it is wide, at most. Heads of newsletters are flatter.
    private static let flattest = 4

    private(set) var files: [[UInt8]] = []
    private var size = 0

    /// Whether more are taken.
    var isFull: Bool { files.count >= Self.most || size >= Self.longestOfAll }

    /// Keeps a file, if it begins as a picture that can be decoded and is not too long.
    mutating func append(_ bytes: [UInt8]) {
        guard !isFull, bytes.count <= min(Self.longest, Self.longestOfAll - size), PictureDecoder.canDecode(bytes)
        else { return }
        files.append(bytes)
        size += bytes.count
    }

    /// Forgets the last one.
    mutating func removeLast() {
        if let last = files.popLast() { size -= last.count }
    }

    /// The first picture that is worth to be shown.
    /// - Parameters:
    ///   - isSole: whether the mail has nothing else to show.
    ///   - box: the longest side wanted, in pixels.
    /// - Returns: `nil` where there is none.
    func first(_ decoder: PictureDecoder, isSole: Bool, box: Int) -> DecodedPicture? {
        var damaged = 0
        for file in files {
            do {
                let picture = try decoder.picture(file, box: box)
                if Self.isGood(picture.size, isSole: isSole) { return picture }
            } catch {
                damaged += 1
                if damaged == Self.mostDamaged { return nil }
            }
        }
        return nil
    }

    private static func isGood(_ size: PixelSize, isSole: Bool) -> Bool {
        let (short, long) = (min(size.width, size.height), max(size.width, size.height))
        return isSole ? short >= shortestSole : short >= shortest && long / short < flattest
    }
}
