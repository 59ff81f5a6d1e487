import CExpat
public import VitrineKit

/// Reads XML of servers part by part, with memory for no more than a part.
///
/// A document type declaration is refused, and with it every entity but the five that XML itself knows: no document can
/// blow up, or name a file. Not for several tasks at once.
public final class XMLReader {
    private let parser: OpaquePointer?
    private let gathering: UnsafeMutablePointer<XMLGathering>

    /// Begins a document.
    /// - Parameters:
    ///   - subject: what is read, for sentences: "the listing of 'a'".
    ///   - limits: what it may take.
    ///   - listener: takes what is read; `nil` for who asks for ``events(from:isLast:)``, which are none else.
    ///   - knowsNamespaces: whether names have namespaces, and a prefix without one is an error. Default: they do. Else prefixes
    ///     are left out: there are writers that forget to declare theirs.
    public init(
        _ subject: String, limits: XMLLimits = XMLLimits(), listener: (any XMLListener)? = nil,
        knowsNamespaces: Bool = true
    ) {
        gathering = .allocate(capacity: 1)
        gathering.initialize(to: XMLGathering(subject, limits, listener))
        // A blank cannot be part of a URI; it separates it from the name.
        parser = knowsNamespaces ? XML_ParserCreateNS(nil, 0x20) : XML_ParserCreate(nil)
        guard let parser else { return }
        XML_SetUserData(parser, gathering)
        XML_SetElementHandler(parser, startElement, endElement)
        XML_SetCharacterDataHandler(parser, characterData)
        XML_SetStartDoctypeDeclHandler(parser, documentType)
    }

    deinit {
        if let parser { XML_ParserFree(parser) }
        gathering.deinitialize(count: 1)
        gathering.deallocate()
    }

    /// Takes a part of the document.
    /// - Parameters:
    ///   - bytes: the part; empty at the end.
    ///   - isLast: whether it is the end.
    /// - Returns: what it completes, in order.
    /// - Throws: `corrupt` for what is no XML or beyond a limit; nothing more can be read then.
    public func events(from bytes: [UInt8], isLast: Bool) throws(PluginError) -> [XMLEvent] {
        try read(bytes, isLast: isLast)
        return gathering.pointee.take()
    }

    /// Takes a part of the document, and tells the listener what it completes.
    ///
    /// When this throws, the listener may have been told of what stands before the error; it must not count that.
    /// - Parameters:
    ///   - bytes: the part; empty at the end.
    ///   - isLast: whether it is the end.
    /// - Throws: as ``events(from:isLast:)``.
    public func read(_ bytes: [UInt8], isLast: Bool) throws(PluginError) {
        guard let parser else { throw PluginError(.io, "there is no memory to read \(gathering.pointee.subject)") }
        try gathering.pointee.count(bytes.count)
        let status = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                XML_Parse(parser, $0.baseAddress, CInt(clamping: $0.count), isLast ? 1 : 0)
            }
        }
        // A tag without an end is kept by expat until it is whole.
        gathering.pointee.waiting(behind: Int64(XML_GetCurrentByteIndex(parser)))
        try gathering.pointee.check()
        guard status == XML_STATUS_OK else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it makes no sense"
            throw PluginError(
                .corrupt,
                "\(gathering.pointee.subject) is no XML: \(reason), in line \(XML_GetCurrentLineNumber(parser))")
        }
        if isLast { gathering.pointee.flush() }
    }
}

/// Called by expat at the beginning of an element; attributes are names and values in turn, up to a null.
private let startElement: XML_StartElementHandler = { user, name, attributes in
    guard let user, let name else { return }
    user.assumingMemoryBound(to: XMLGathering.self).pointee.start(name, attributes)
}

/// Called by expat at the end of an element.
private let endElement: XML_EndElementHandler = { user, name in
    guard let user, let name else { return }
    user.assumingMemoryBound(to: XMLGathering.self).pointee.end(name)
}

/// Called by expat with a part of a text.
private let characterData: XML_CharacterDataHandler = { user, bytes, count in
    guard let user, let bytes, count > 0 else { return }
    bytes.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
        user.assumingMemoryBound(to: XMLGathering.self).pointee.text(
            UnsafeBufferPointer(start: $0, count: Int(count)))
    }
}

/// Called by expat when a document type is declared.
private let documentType: XML_StartDoctypeDeclHandler = { user, _, _, _, _ in
    user?.assumingMemoryBound(to: XMLGathering.self).pointee.refuse(
        "declares a document type, whose entities may hide anything")
}
