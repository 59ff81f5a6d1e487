import Glibc
import Transfer
import VitrineKit

/// Which addresses a feed may name. Whoever writes a feed is a stranger, and must not make this machine ask what only it can
/// reach: other programs on it, or machines of its network.
struct FeedGuard: Sendable {
    /// Whether the feed itself lies in that network: then its items may, too.
    private let isInside: Bool

    init(isInside: Bool) { self.isInside = isInside }

    /// By its text alone.
    func allows(_ url: TransferURL) -> Bool {
        guard url.scheme == "https" || url.scheme == "http" else { return false }
        guard !isInside, let address = Self.address(url.host) else { return true }
        return Self.isPublic(address)
    }

    /// By its text, and by what its name means now. Connections are looked at once more when they are made.
    /// - Throws: `forbidden` for what the feed may not name.
    func check(_ url: TransferURL, _ purpose: String) async throws(PluginError) {
        guard allows(url) else { throw refusal(url, purpose) }
        if isInside { return }
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        guard let found = await Self.resolve(host) else {
            throw PluginError(.offline, "\(purpose): no address of '\(DisplayText.of(host))' is known")
        }
        guard found.allSatisfy({ Self.isPublic($0) }) else { throw refusal(url, purpose) }
    }

    /// Lets a request connect to nothing else, whatever a name means by then.
    func configure(_ handle: borrowing TransferHandle) {
        guard !isInside else { return }
        handle.connect { address in
            guard let address, let bytes = FeedGuard.bytes(address) else { return false }
            return FeedGuard.isPublic(bytes)
        }
    }

    /// The same for the feed itself. One that was found inside is fetched from inside: a name that means this machine's
    /// network once, and a stranger's server afterwards, would let that stranger's feed name whatever it likes.
    func configureFeed(_ handle: borrowing TransferHandle) {
        guard isInside else { return configure(handle) }
        handle.connect { address in
            guard let address, let bytes = FeedGuard.bytes(address) else { return false }
            return !FeedGuard.isPublic(bytes)
        }
    }

    private static func bytes(_ address: UnsafePointer<sockaddr>) -> [UInt8]? {
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { mapped($0.pointee.sin_addr) }
        case AF_INET6:
            var six = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
            return withUnsafeBytes(of: &six) { Array($0) }
        default: return nil
        }
    }

    private func refusal(_ url: TransferURL, _ purpose: String) -> PluginError {
        PluginError(
            .forbidden,
            "\(purpose): the feed points to '\(url.server)', which lies in a network that only this machine can reach")
    }

    // MARK: Addresses

    /// Whether a host is one of this machine or its network.
    static func isInside(_ url: TransferURL) async -> Bool {
        let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
        return await resolve(host)?.allSatisfy { !isPublic($0) } ?? false
    }

    /// Sixteen bytes; those of version 4 as they are mapped (RFC 4291, section 2.5.5.2).
    static func address(_ host: String) -> [UInt8]? {
        let text = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        var four = in_addr()
        // As liberal as libraries that connect: `127.1` and `0x7f000001` are addresses to them.
        if inet_aton(text, &four) != 0 { return mapped(four) }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        return withUnsafeBytes(of: &six) { Array($0) }
    }

    private static func mapped(_ address: in_addr) -> [UInt8] {
        var address = address
        return [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + withUnsafeBytes(of: &address) { Array($0) }
    }

    /// Whether everybody may reach an address (the registries of RFC 6890, and multicast).
    static func isPublic(_ address: [UInt8]) -> Bool {
        guard address.count == 16 else { return false }
        let prefix = Array(address.prefix(12))
        let zeros = [UInt8](repeating: 0, count: 10)
        if prefix == zeros + [0xFF, 0xFF] || prefix == zeros + [0, 0] {
            return isPublicFour(Array(address.suffix(4)))
        }
        // Addresses of version 4 inside others: NAT64, 6to4. Where they stand in those for local use (RFC 8215) only the
        // network knows that translates them; they are in none of the ranges below.
        if address.starts(with: [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)) {
            return isPublicFour(Array(address.suffix(4)))
        }
        if address.starts(with: [0x20, 0x02]) { return isPublicFour(Array(address[2..<6])) }
        // Global unicast, without documentation and Teredo.
        return address[0] & 0xE0 == 0x20 && !address.starts(with: [0x20, 0x01, 0x0D, 0xB8])
            && !address.starts(with: [0x20, 0x01, 0, 0])
    }

    private static func isPublicFour(_ four: [UInt8]) -> Bool {
        switch (four[0], four[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): false
        case (172, 16...31), (100, 64...127), (198, 18...19): false
        case (192, 0): four[2] != 0 && four[2] != 2
        case (198, 51): four[2] != 100
        case (203, 0): four[2] != 113
        case (224..., _): false
        default: true
        }
    }

    /// Asks the system, on a thread of its own.
    private static func resolve(_ host: String) async -> [[UInt8]]? {
        await Blocking.run {
            var hints = addrinfo()
            hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, nil, &hints, &found) == 0 else { return nil }
            defer { freeaddrinfo(found) }
            var addresses: [[UInt8]] = []
            var next = found
            while let entry = next?.pointee {
                next = entry.ai_next
                guard let place = entry.ai_addr else { continue }
                if entry.ai_family == AF_INET {
                    addresses.append(
                        place.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { mapped($0.pointee.sin_addr) })
                } else if entry.ai_family == AF_INET6 {
                    var six = place.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr }
                    addresses.append(withUnsafeBytes(of: &six) { Array($0) })
                }
            }
            return addresses
        }
    }
}
