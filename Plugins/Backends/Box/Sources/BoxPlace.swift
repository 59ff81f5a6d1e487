import Transfer
import VitrineKit

/// Where a source lies, and whom it may ask.
struct BoxPlace: Sendable {
    /// The source's root, seen from the user's own root folder.
    let base: ItemPath
    /// The service's interface, without a slash at its end.
    let service: TransferURL
    /// Servers besides Box's own that files may be taken from, as `host:port`.
    private let downloads: Set<String>

    /// Box's own interface.
    private static let usual = "https://api.box.com/2.0"
    /// Domains of Box that hand out files.
    private static let domains = ["boxcloud.com", "box.com"]

    /// Reads a source's URI and its settings.
    /// - Throws: `invalidArgument` for what makes no sense, and for an address that would send a token without TLS to
    ///   another machine.
    init(_ source: SourceURI, _ settings: BackendSettings) throws(PluginError) {
        guard source.scheme == "box", source.query == nil else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(source.text))' names no folder of Box: write box:/folder")
        }
        base = try ItemPath(source.path.split(separator: UInt8(ascii: "/")).joined(separator: [UInt8(ascii: "/")]))
        let text = settings.values["api-url"] ?? Self.usual
        service = try TransferURL(text.hasSuffix("/") ? String(text.dropLast()) : text)
        guard service.query == nil, service.scheme == "https" || (service.scheme == "http" && service.isThisMachine)
        else {
            throw PluginError(
                .invalidArgument,
                "the setting 'api-url' is an https: address without a query; http: only on this machine itself")
        }
        var downloads: Set<String> = []
        for text in (settings.values["download-hosts"] ?? "").split(separator: ",") {
            let url = try TransferURL("\(service.scheme)://\(String(text).trimmed)")
            downloads.insert("\(url.host):\(url.port)")
        }
        self.downloads = downloads
    }

    /// A path of the source as one of the user's root folder.
    func path(_ path: ItemPath) throws(PluginError) -> ItemPath {
        if path.isRoot { return base }
        return base.isRoot ? path : try ItemPath(base.bytes + [UInt8(ascii: "/")] + path.bytes)
    }

    /// An address of the service's interface.
    func url(_ path: String) throws(PluginError) -> TransferURL { try TransferURL("\(service.text)/\(path)") }

    /// Where a redirect of the service leads, if files may be taken from there.
    /// - Throws: `io` for any other place.
    func download(_ location: String, _ purpose: String) throws(PluginError) -> TransferURL {
        func refused(_ why: String) -> PluginError { PluginError(.io, "\(purpose): '\(service.server)' points \(why)") }
        let target: TransferURL
        guard !location.isEmpty else { throw refused("to no address") }
        do throws(PluginError) { target = try TransferURL(location, relativeTo: service) } catch {
            throw refused("to an address that cannot be used: \(error.message)")
        }
        let isOfBox =
            target.scheme == "https" && target.port == 443
            && Self.domains.contains { target.host == $0 || target.host.hasSuffix("." + $0) }
        let isAllowed =
            ["https", service.scheme].contains(target.scheme) && downloads.contains("\(target.host):\(target.port)")
        guard isOfBox || isAllowed || service.trusts(target) else {
            throw refused(
                "to '\(DisplayText.of(target.scheme))://\(target.server)', from where no files are taken: if it is a server "
                    + "of yours, name it in the setting 'download-hosts'")
        }
        return target
    }
}
