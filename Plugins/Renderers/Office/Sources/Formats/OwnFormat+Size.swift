internal import CompoundFiles

extension OwnFormat {
    /// The size that LibreOffice gives a picture as its header says, with the margins that it has; what is drawn may be
    /// smaller.
    ///
    /// Sources: [MS-WMF] 2.3.2.3, [MS-EMF] 2.2.9, Inside Macintosh: Imaging With QuickDraw, A-22 (`HeaderOp`).
    /// - Parameter head: at least the first 548 bytes of the file, if it has so many.
    /// - Returns: twips, both at least 1; `nil` when the header says nothing, or nothing that can be.
    func statedSize(_ head: [UInt8]) -> (width: Int, height: Int)? {
        switch self {
        case .wmf: Self.isPlaceable(head) ? Self.placeableSize(head) : nil
        case .emf: Self.frameSize(head)
        case .pict: Self.pictSize(head)
        case .abw, .appleWorks, .cdr, .corelExchange, .dxf, .gnumeric, .keynote, .lotus, .met, .numbers, .oldHangul,
            .oldPowerPoint, .oldWord, .oldWorks, .oldWorksBase, .pages, .palm, .pocketWord, .quarkXPress, .quattroPro,
            .starView, .sylk, .text602, .wordPro, .wpd, .wpg, .wri:
            nil
        }
    }

    private static let twipsPerInch = 1440.0

    /// A box, and how many of its units are an inch.
    private static func placeableSize(_ head: [UInt8]) -> (width: Int, height: Int)? {
        let box = stride(from: 6, to: 14, by: 2).compactMap { signed16(head.uint16(at: $0)) }
        guard box.count == 4, let inch = head.uint16(at: 14), inch > 0 else { return nil }
        return size(box[2] - box[0], box[3] - box[1], perInch: (Double(inch), Double(inch)))
    }

    /// `Frame`, in hundredths of a millimetre.
    private static func frameSize(_ head: [UInt8]) -> (width: Int, height: Int)? {
        let frame = stride(from: 24, to: 40, by: 4).compactMap { at in
            head.uint32(at: at).map { Int(Int32(truncatingIfNeeded: $0)) }
        }
        guard frame.count == 4 else { return nil }
        return size(frame[2] - frame[0], frame[3] - frame[1], perInch: (2540, 2540))
    }

    /// The frame, in dots; in an extended picture of version 2 another one, with its resolution. Without one 72 dots are
    /// an inch, but LibreOffice takes each for an inch, so that the picture fills its page.
    private static func pictSize(_ head: [UInt8]) -> (width: Int, height: Int)? {
        func big(_ at: Int) -> Int? { head.count >= at + 2 ? Int(head[at]) << 8 | Int(head[at + 1]) : nil }
        /// Top, left, bottom, right.
        func box(_ at: Int) -> [Int] { stride(from: at, to: at + 8, by: 2).compactMap { signed16(big($0)) } }
        guard let start = pictStart(head) else { return nil }
        let isExtended = head.dropFirst(start + 14).starts(with: [0x0C, 0x00, 0xFF, 0xFE])
        let frame = box(start + (isExtended ? 28 : 2))
        guard frame.count == 4, let across = isExtended ? big(start + 20) : 1,
            let down = isExtended ? big(start + 24) : 1,
            across > 0, down > 0
        else { return nil }
        return size(frame[3] - frame[1], frame[2] - frame[0], perInch: (Double(across), Double(down)))
    }

    private static func signed16(_ value: Int?) -> Int? { value.map { Int(Int16(truncatingIfNeeded: $0)) } }

    private static func size(
        _ width: Int, _ height: Int, perInch: (Double, Double)
    ) -> (width: Int, height: Int)? {
        let (wide, high) = (Double(width) / perInch.0 * twipsPerInch, Double(height) / perInch.1 * twipsPerInch)
        return wide >= 1 && high >= 1 ? (Int(wide), Int(high)) : nil
    }
}
