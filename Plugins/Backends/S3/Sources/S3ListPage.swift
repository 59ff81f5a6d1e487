import Transfer
import VitrineKit
import XML

/// One page of a listing: `ListBucketResult` of ListObjectsV2 in the Amazon S3 API Reference.
struct S3ListPage {
    struct Object {
        var key: [UInt8] = []
        var size: Int64?
        var modified: Timestamp?
        var etag: String?
    }

    private(set) var objects: [Object] = []
    private(set) var prefixes: [[UInt8]] = []
    /// Where the next page begins; `nil` at the end.
    private(set) var token: String?

    /// Reads a page.
    /// - Throws: `io` when it is none.
    init(_ body: [UInt8], subject: String) throws(PluginError) {
        let reader = XMLReader(subject)
        do throws(PluginError) {
            try read(try reader.events(from: body, isLast: false) + reader.events(from: [], isLast: true), subject)
        } catch {
            throw PluginError(error.code == .corrupt ? .io : error.code, error.message)
        }
    }

    private mutating func read(_ events: [XMLEvent], _ subject: String) throws(PluginError) {
        var open: [String] = []
        var isEncoded = false
        var object = Object()
        var isTruncated = false
        var text = ""
        for event in events {
            switch event {
            case .start(let name, _):
                open.append(name.local)
                text = ""
                guard open[0] == "ListBucketResult" else {
                    throw PluginError(.corrupt, "\(subject) is no listing of S3")
                }
                if open.count == 2, name.local == "Contents" { object = Object() }
            case .text(let part): text = part
            case .end(let name):
                switch (open.count, name.local) {
                case (2, "EncodingType"): isEncoded = text == "url"
                case (2, "IsTruncated"): isTruncated = text == "true"
                case (2, "NextContinuationToken"): token = text
                case (2, "Contents"): objects.append(object)
                case (3, _) where open[1] == "Contents": object.set(name.local, text)
                case (3, "Prefix") where open[1] == "CommonPrefixes": prefixes.append(Array(text.utf8))
                default: break
                }
                open.removeLast()
                text = ""
            }
        }
        if !isTruncated { token = nil }
        if isTruncated, token?.isEmpty ?? true {
            throw PluginError(.corrupt, "\(subject) goes on, and does not say where")
        }
        if isEncoded { try decode(subject) }
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

extension S3ListPage.Object {
    /// Takes what an element says; others than these are passed over.
    fileprivate mutating func set(_ name: String, _ text: String) {
        switch name {
        case "Key": key = Array(text.utf8)
        case "Size": size = Int64(text).flatMap { $0 >= 0 ? $0 : nil }
        // The head of an object tells whole seconds; the same object must look the same in both.
        case "LastModified": modified = HTTPDate.parse(text).map { Timestamp(seconds: $0.seconds) }
        case "ETag": etag = ResponseHead.version(text)
        default: break
        }
    }
}
