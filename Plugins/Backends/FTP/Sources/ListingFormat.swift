import Glibc
import Transfer
import VitrineKit

/// How a server writes what lies in a folder.
enum ListingFormat: Sendable {
    /// As RFC 3659, section 7 says.
    case machine
    /// As `ls -l` does, hidden files included, or as `dir` of Windows.
    case unix
    /// The same of servers that take no options.
    case plain

    /// The command that asks for it.
    var command: String {
        switch self {
        case .machine: "MLSD"
        case .unix: "LIST -a"
        case .plain: "LIST"
        }
    }

    /// What a line tells.
    enum Line: Hashable {
        case entry(Entry)
        /// The folder itself or the one above, or nothing.
        case nothing
        /// The folder itself.
        case itself
    }

    /// Reads one line without its end.
    /// - Parameter now: seconds since 1970, for times without a year.
    /// - Returns: `nil` for what cannot be understood.
    func parse(_ line: [UInt8], now: Int64) -> Line? {
        if line.isEmpty { return .nothing }
        return self == .machine ? Self.machine(line) : Self.unix(line, now) ?? Self.windows(line)
    }

    private static func machine(_ line: [UInt8]) -> Line? {
        guard let blank = line.firstIndex(of: 0x20) else { return nil }
        let name = Array(line[(blank + 1)...])
        var facts: [String: String] = [:]
        for fact in String(decoding: line[..<blank], as: UTF8.self).split(separator: ";") {
            guard let sign = fact.firstIndex(of: "=") else { return nil }
            facts[fact[..<sign].lowercased()] = String(fact[fact.index(after: sign)...])
        }
        guard let type = facts["type"]?.lowercased() else { return nil }
        switch type {
        case "cdir": return .itself
        case "pdir": return .nothing
        case "file":
            let size = facts["size"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
            var entry = Entry(name: name, kind: .file, size: size)
            entry.modified = facts["modify"].flatMap(time)
            return .entry(entry)
        case "dir":
            if name == [0x2E] { return .itself }
            if name == [0x2E, 0x2E] { return .nothing }
            return .entry(Entry(name: name, kind: .folder, modified: facts["modify"].flatMap(time)))
        default:
            let isLink = type.hasPrefix("os.unix=slink") || type.hasPrefix("os.unix=symlink")
            return .entry(Entry(name: name, kind: isLink ? .link : .special))
        }
    }

    /// `20240131235959`, with a fraction that is left out: the command for one file does not tell it.
    private static func time(_ text: String) -> Timestamp? {
        let digits = Array(text.utf8.prefix(14))
        guard digits.count == 14, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        return HTTPDate.parse(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z")
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// `-rw-r--r-- 1 owner group 1234 Jan 31 23:59 name`: what stands between is told by words, the name by what is left.
    private static func unix(_ line: [UInt8], _ now: Int64) -> Line? {
        if line.starts(with: "total ".utf8) { return .nothing }
        var words: [String] = []
        var rest = line[...]
        while words.count < 8 {
            rest = rest.drop { $0 == 0x20 }
            let word = rest.prefix { $0 != 0x20 }
            guard !word.isEmpty else { return nil }
            words.append(String(decoding: word, as: UTF8.self))
            rest = rest.dropFirst(word.count)
            // Some leave the group out.
            if words.count == 7, months.contains(words[4].lowercased()) { words.insert("", at: 3) }
        }
        guard rest.first == 0x20, words[0].utf8.count >= 10, let size = Int64(words[4]), size >= 0 else { return nil }
        var name = Array(rest.dropFirst())
        let modified = time(words[5], words[6], words[7], now)
        switch words[0].utf8.first {
        case UInt8(ascii: "-"): return .entry(Entry(name: name, kind: .file, size: size, modified: modified))
        case UInt8(ascii: "d"):
            if name == [0x2E] { return .itself }
            if name == [0x2E, 0x2E] { return .nothing }
            return .entry(Entry(name: name, kind: .folder, modified: modified))
        case UInt8(ascii: "l"):
            if let arrow = name.firstRange(of: Array(" -> ".utf8)) { name = Array(name[..<arrow.lowerBound]) }
            return .entry(Entry(name: name, kind: .link))
        case UInt8(ascii: "p"), UInt8(ascii: "s"), UInt8(ascii: "b"), UInt8(ascii: "c"):
            return .entry(Entry(name: name, kind: .special))
        default: return nil
        }
    }

    /// `02-20-2023  03:30PM       <DIR>          name`, or a size in place of `<DIR>`, as IIS writes it: month, day, and a year
    /// of two digits or four.
    private static func windows(_ line: [UInt8]) -> Line? {
        var words: [String] = []
        var rest = line[...]
        while words.count < 3 {
            rest = rest.drop { $0 == 0x20 }
            let word = rest.prefix { $0 != 0x20 }
            words.append(String(decoding: word, as: UTF8.self))
            rest = rest.dropFirst(word.count)
        }
        guard let modified = time(words[0], words[1]) else { return nil }
        // Sizes end where the blanks behind a word such as <DIR> do.
        let isFile = !words[2].hasPrefix("<")
        let name = Array(rest.dropFirst(isFile ? 1 : rest.prefix(10).prefix { $0 == 0x20 }.count))
        guard !name.isEmpty else { return nil }
        if isFile {
            guard let size = Int64(words[2]), size >= 0 else { return nil }
            return .entry(Entry(name: name, kind: .file, size: size, modified: modified))
        }
        guard words[2] == "<DIR>" else { return .entry(Entry(name: name, kind: .special)) }
        if name == [0x2E] { return .itself }
        if name == [0x2E, 0x2E] { return .nothing }
        return .entry(Entry(name: name, kind: .folder, modified: modified))
    }

    /// `02-20-23` and `03:30PM`, or `15:30`.
    private static func time(_ date: String, _ clock: String) -> Timestamp? {
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        let isNumeric = parts.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        guard parts.count == 3, isNumeric, parts[0].utf8.count == 2, parts[1].utf8.count == 2, let year = Int(parts[2]),
            parts[2].utf8.count == 2 || parts[2].utf8.count == 4, clock.utf8.count == 5 || clock.utf8.count == 7,
            let hour = Int(clock.prefix(2)), 0..<24 ~= hour
        else { return nil }
        // Years of two digits are those from 1970 on.
        let whole = parts[2].utf8.count == 4 ? year : year < 70 ? 2000 + year : 1900 + year
        let hours: Int
        switch clock.dropFirst(5) {
        case "": hours = hour
        case "AM": hours = hour % 12
        case "PM": hours = hour % 12 + 12
        default: return nil
        }
        let text = hours < 10 ? "0\(hours)" : "\(hours)"
        return HTTPDate.parse("\(whole)-\(parts[0])-\(parts[1])T\(text)\(clock.dropFirst(2).prefix(3)):00Z")
    }

    /// A time of the last year has no year, one that is older no hour.
    private static func time(_ month: String, _ day: String, _ last: String, _ now: Int64) -> Timestamp? {
        guard let number = months.firstIndex(of: month.lowercased()), let day = Int(day), 1...31 ~= day else {
            return nil
        }
        func text(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        func moment(_ year: String, _ time: String) -> Timestamp? {
            HTTPDate.parse("\(year)-\(text(number + 1))-\(text(day))T\(time):00Z")
        }
        guard last.utf8.count == 5, last.contains(":") else {
            return last.utf8.count == 4 ? moment(last, "00:00") : nil
        }
        var seconds = time_t(now)
        var today = tm()
        gmtime_r(&seconds, &today)
        let year = Int(today.tm_year) + 1900
        // A clock or a time zone may be a day ahead.
        guard let recent = moment("\(year)", last), recent.seconds <= now + 86_400 else {
            return moment("\(year - 1)", last)
        }
        return recent
    }
}
