import Transfer
import VitrineKit
import XML

/// One page of a listing: `ListBucketResult` of ListObjectsV2 in the Amazon S3 API Reference.
struct S3ListPage {
    struct Object {
        var key: [UInt8] = []
        var size: Int64?
        /// Seconds since 1970.
        var modified: Int64?
        var etag: String?
    }

    private(set) var objects: [Object] = []
    private(set) var prefixes: [[UInt8]] = []
    /// Where the next page begins; `nil` at the end.
    private(set) var token: String?

    /// Reads a page.
    /// - Throws: `io` when it is none.
    init(_ body: [UInt8], subject: String) throws(PluginError) {
        do throws(PluginError) {
            let listener = S3PageListener()
            let reader = XMLReader(subject, listener: listener)
            try reader.read(body, isLast: false)
            try reader.read([], isLast: true)
            guard listener.isListing else { throw PluginError(.corrupt, "\(subject) is no listing of S3") }
            (objects, prefixes) = (listener.objects, listener.prefixes)
            if listener.isTruncated {
                token = listener.token
                guard token?.isEmpty == false else {
                    throw PluginError(.corrupt, "\(subject) goes on, and does not say where")
                }
            }
            if listener.isEncoded { try decode(subject) }
        } catch {
            throw PluginError(error.code == .corrupt ? .io : error.code, error.message)
        }
    }

    /// Names may come before what says that they are encoded.
    private mutating func decode(_ subject: String) throws(PluginError) {
        func decoded(_ bytes: [UInt8]) throws(PluginError) -> [UInt8] {
            // Most names are written as they are.
            let isPlain = !bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") || $0 == 0 }
            if isPlain { return bytes }
            let blanks = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            guard let plain = PercentEncoding.decode(String(decoding: blanks, as: UTF8.self)) else {
                throw PluginError(.corrupt, "\(subject) has a name that is encoded wrongly")
            }
            return plain
        }
        for index in objects.indices { objects[index].key = try decoded(objects[index].key) }
        for index in prefixes.indices { prefixes[index] = try decoded(prefixes[index]) }
    }
}

/// Puts a page together while its XML is read. What other elements say is passed over.
private final class S3PageListener: XMLListener {
    fileprivate enum Name: Int {
        case other, listing, object, folder, key, size, modified, etag, prefix, encoding, isTruncated, token
    }

    private(set) var objects: [S3ListPage.Object] = []
    private(set) var prefixes: [[UInt8]] = []
    private(set) var token: String?
    private(set) var isEncoded = false
    private(set) var isTruncated = false
    private(set) var isListing = true

    private var depth = 0
    /// The open element of the second level, and that of the third.
    private var record = Name.other
    private var field = Name.other
    private var object = S3ListPage.Object()
    private var prefix: [UInt8] = []

    func meaning(of name: XMLName) -> Int {
        let known: Name =
            switch name.local {
            case "ListBucketResult": .listing
            case "Contents": .object
            case "CommonPrefixes": .folder
            case "Key": .key
            case "Size": .size
            case "LastModified": .modified
            case "ETag": .etag
            case "Prefix": .prefix
            case "EncodingType": .encoding
            case "IsTruncated": .isTruncated
            case "NextContinuationToken": .token
            default: .other
            }
        return known.rawValue
    }

    // What is no listing is read to its end for nothing but errors.
    func start(_ meaning: Int, _: XMLAttributes) {
        depth += 1
        guard isListing else { return }
        let name = Name(rawValue: meaning) ?? .other
        switch depth {
        case 1: isListing = name == .listing
        case 2:
            record = name
            if name == .object { object = S3ListPage.Object() }
        case 3:
            field = name
            if name == .prefix { prefix = [] }
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard isListing else { return }
        switch (depth, record) {
        case (2, .encoding): isEncoded = bytes.elementsEqual("url".utf8)
        case (2, .isTruncated): isTruncated = bytes.elementsEqual("true".utf8)
        case (2, .token): token = String(decoding: bytes, as: UTF8.self)
        case (3, .object): object.set(field, bytes)
        case (3, .folder): if field == .prefix { prefix = Array(bytes) }
        default: break
        }
    }

    func end(_ meaning: Int) {
        defer { depth -= 1 }
        guard isListing else { return }
        if depth == 2, record == .object { objects.append(object) }
        if depth == 3, record == .folder, field == .prefix { prefixes.append(prefix) }
    }
}

extension S3ListPage.Object {
    /// Takes what an element says; others than these are passed over.
    fileprivate mutating func set(_ field: S3PageListener.Name, _ text: UnsafeBufferPointer<UInt8>) {
        switch field {
        case .key: key = Array(text)
        case .size: size = Int64(String(decoding: text, as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
        // The head of an object tells whole seconds; the same object must look the same in both.
        case .modified: modified = HTTPDate.parse(text)?.seconds
        case .etag: etag = ResponseHead.version(text)
        default: break
        }
    }
}
