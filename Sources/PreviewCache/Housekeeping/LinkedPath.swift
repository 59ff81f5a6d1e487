import Glibc

/// Follows the symbolic links of a path one by one, as path_resolution(7) describes.
enum LinkedPath {
    /// More links are a ring; the kernel's own limit.
    private static let limit = 40

    /// Where a path leads to.
    /// - Parameters:
    ///   - path: absolute.
    ///   - isAllowed: whether a place may be asked for; nothing at or below any other one is touched.
    /// - Returns: a path without links as far as its folders are there; `nil` when it leads to a place that may not be
    ///   asked for, or in circles.
    static func resolved(_ path: [UInt8], while isAllowed: ([UInt8]) -> Bool) -> [UInt8]? {
        let slash = UInt8(ascii: "/")
        var rest: [[UInt8]] = path.split(separator: slash).map { Array($0) }.reversed()
        var place: [UInt8] = []
        var links = 0
        while let name = rest.popLast() {
            if name == [UInt8(ascii: ".")] { continue }
            if name == Array("..".utf8) {
                place = Array(place[..<(place.lastIndex(of: slash) ?? 0)])
                continue
            }
            let next = place + [slash] + name
            guard isAllowed(next) else { return nil }
            var status = stat()
            let text = next.map { CChar(bitPattern: $0) } + [0]
            guard lstat(text, &status) == 0 else { return rest.reversed().reduce(next) { $0 + [slash] + $1 } }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                place = next
                continue
            }
            links += 1
            guard links <= limit, let target = target(text) else { return nil }
            if target.first == slash { place = [] }
            rest += target.split(separator: slash).map { Array($0) }.reversed()
        }
        return place.isEmpty ? [slash] : place
    }

    private static func target(_ link: [CChar]) -> [UInt8]? {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &room, room.count)
        return count > 0 ? room[..<count].map { UInt8(bitPattern: $0) } : nil
    }
}
