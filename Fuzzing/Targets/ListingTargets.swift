import JSON
import Transfer
import VitrineKit

@testable import FTPBackend
@testable import FeedBackend
@testable import S3Backend
@testable import WebDAVBackend

extension FuzzTarget {
    /// A feed, RSS or Atom.
    static let feed = FuzzTarget(
        name: "feed", maximumLength: 1 << 14,
        seeds: {
            [
                """
                <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title><item><title>a/b</title>
                <guid>1</guid><pubDate>Wed, 31 Jan 2024 23:59:00 GMT</pubDate>
                <enclosure url="https://example.org/a.png" type="image/png" length="99999999999999999999"/>
                <description>&lt;img src="b.jpg"&gt;</description>
                <media:group><media:content url="c.mp4" fileSize="5"/></media:group></item></channel></rss>
                """,
                """
                <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>x</id><title>..</title>
                <updated>2024-01-31T23:59:00Z</updated><link rel="enclosure" href="/a.png"/>
                <content src="b.png" type="image/png"/></entry></feed>
                """,
            ].map { Array($0.utf8) }
        },
        words: [
            "<item>", "</item>", "<entry>", "<enclosure url=\"a\"/>", "&#0;", "&#x202E;", "<![CDATA[", "]]>",
            "<img src=",
            "<!DOCTYPE a [<!ENTITY b \"c\">]>",
        ],
        check: { bytes in
            let entries: [FeedEntry]
            let index: FeedIndex
            do throws(PluginError) {
                entries = try FeedReader.read(bytes, "the feed")
                index = FeedIndex(
                    entries, base: try TransferURL("https://example.org/feed"), guardian: FeedGuard(isInside: false))
            } catch { return try error.mustBe(.io, .corrupt, .limitExceeded, .unsupported, .invalidArgument) }
            try hold(entries.count <= FeedReader.longest, "\(entries.count) entries were taken")
            try hold(entries.flatMap(\.media).allSatisfy { ($0.size ?? 1) > 0 }, "a size is none")
            try names(index.folders.map(\.entry))
            for folder in index.folders { try names(folder.files.map(\.entry)) }
        })

    /// The answer of a server of WebDAV to PROPFIND, which comes in pieces.
    static let multiStatus = FuzzTarget(
        name: "multi-status", maximumLength: 1 << 14,
        seeds: {
            [
                """
                <?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:response>
                <d:href>/a%20b/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype>
                <d:getcontentlength>12</d:getcontentlength><d:getetag>"x"</d:getetag>
                <d:getlastmodified>Wed, 31 Jan 2024 23:59:00 GMT</d:getlastmodified>
                <oc:checksums><oc:checksum>SHA1:da39a3ee5e6b4b0d3255bfef95601890afd80709</oc:checksum></oc:checksums>
                <oc:fileid>7</oc:fileid></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
                </d:multistatus>
                """
            ].map { Array($0.utf8) }
        },
        words: [
            "<d:response>", "</d:response>", "<d:href>", "<d:status>", "HTTP/1.1 404 No", "<d:propstat>", "-1",
            "99999999999999999999", "&amp;", "&#9;", "MD5:", "<!DOCTYPE a>",
        ],
        check: { bytes in
            func answers(_ piece: Int) -> Result<[String], PluginError> {
                Result { () throws(PluginError) in
                    var reader = MultiStatusReader("the listing")
                    var found: [DAVResponse] = []
                    for start in stride(from: 0, to: bytes.count, by: piece) {
                        found += try reader.responses(from: Array(bytes[start..<min(start + piece, bytes.count)]))
                    }
                    found += try reader.responses(from: nil)
                    return found.map {
                        "\($0.href) \($0.status ?? 0) \($0.isFolder) \($0.size ?? -1) \($0.etag ?? "") \($0.checksums)"
                    }
                }
            }
            let whole = answers(max(1, bytes.count))
            guard case .success(let responses) = whole else {
                if case .failure(let error) = whole { try error.mustBe(.io, .limitExceeded, .unsupported) }
                return
            }
            try hold((try? answers(5).get()) == responses, "small pieces have other answers")
        })

    /// The answer of a server of S3 to a listing.
    static let s3Listing = FuzzTarget(
        name: "s3-listing", maximumLength: 1 << 14,
        seeds: {
            [
                """
                <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType>
                <IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken><Contents>
                <Key>a+b%2Fc</Key><Size>5</Size><LastModified>2024-01-31T23:59:00.000Z</LastModified><ETag>"x"</ETag>
                </Contents><CommonPrefixes><Prefix>p/</Prefix></CommonPrefixes></ListBucketResult>
                """
            ].map { Array($0.utf8) }
        },
        words: [
            "<Contents>", "</Contents>", "<Key>", "%00", "%zz", "<Size>-1</Size>", "<IsTruncated>", "<!DOCTYPE a>",
            "<IsTruncated>true<", "<NextContinuationToken>", "</NextContinuationToken>",
        ],
        check: { bytes in
            if let token = S3PageAhead.likelyToken(in: bytes)?.utf8 {
                try hold(
                    1...S3PageAhead.longestToken ~= token.count, "a token of \(token.count) bytes is guessed")
                try hold(
                    !token.contains(UInt8(ascii: "<")) && !token.contains(UInt8(ascii: "&")),
                    "a token that is more than text is guessed")
            }
            let page: S3ListPage
            do throws(PluginError) { page = try S3ListPage(bytes, subject: "the listing") } catch {
                return try error.mustBe(.io, .limitExceeded, .unsupported)
            }
            try hold(page.objects.allSatisfy { ($0.size ?? 0) >= 0 }, "an object has less than no bytes")
        })

    /// The lines of a server of FTP, in each of its forms.
    static let ftpListing = FuzzTarget(
        name: "ftp-listing", maximumLength: 2048,
        seeds: {
            [
                "type=file;size=5;modify=20240131235959.5; a b", "type=dir;modify=20240131235959; ..", "type=cdir; /",
                "-rw-r--r-- 1 owner group 1234 Jan 31 23:59 a b", "drwxr-xr-x 2 o g 0 Feb 29  2023 .",
                "lrwxrwxrwx 1 o 5 Jan 1 00:00 a -> b", "total 5",
                "02-20-23  03:30PM       <DIR>          a b", "02-20-2023  15:30                 1234 a",
            ].map { Array($0.utf8) }
        },
        words: ["type=", "size=-1;", "modify=", ";", " ", " -> ", "Feb 30 99:99", "<DIR>", "PM", "\u{0}"],
        check: { bytes in
            for format in [ListingFormat.machine, .unix, .plain] {
                for now in [0, 1_706_745_599, 253_402_300_799] as [Int64] {
                    _ = format.parse(bytes, now: now)
                }
            }
        })

    /// The answers of rclone, in JSON.
    static let rcloneAnswer = FuzzTarget(
        name: "rclone-answer", maximumLength: 4096,
        seeds: {
            [
                #"{"list":[{"Path":"a","Name":"a\u00fc\ud83d\ude00","Size":-1,"IsDir":false,"ModTime":"2024-01-31"}],"n":[null,true,-1.5e3]}"#,
                #"["\\\"\n"]"#,
            ].map { Array($0.utf8) }
        },
        words: ["\\ud800", "\\u0000", "1e999", "-", "[[[[[[[[[[[[[[[[[[", "\"\"", "null", "{\"a\":"],
        check: { bytes in
            guard let value = JSONValue(bytes) else { return }
            for text in texts(in: value) {
                try hold(
                    JSONValue(Array(JSONValue.quoted(text).utf8)) == .text(text), "a text changes when it is written")
            }
        })

    private static func texts(in value: JSONValue) -> [String] {
        switch value {
        case .text(let text): [text]
        case .list(let values): values.flatMap(texts)
        case .object(let members): members.keys + members.values.flatMap(texts)
        case .null, .boolean, .number: []
        }
    }

    /// Names that the host makes itself out of what strangers wrote are names of files, and each comes once.
    private static func names(_ entries: [Entry]) throws {
        for entry in entries {
            try hold(1...255 ~= entry.name.count, "a name has \(entry.name.count) bytes")
            try hold(!entry.name.contains(0x2F) && !entry.name.contains(0), "a name is none: \(entry.name)")
            try hold(![[0x2E], [0x2E, 0x2E]].contains(entry.name), "a name is a way up")
        }
        try hold(Set(entries.map(\.name)).count == entries.count, "a name comes twice")
    }
}
