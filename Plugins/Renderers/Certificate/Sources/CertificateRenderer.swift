internal import CGnuTLS
internal import TextDrawing
public import VitrineKit

/// Draws certificates, requests for them, lists of those that are revoked, and public keys as a page that says what is in them.
///
/// Of private keys the page says that there is one, and of which kind: nothing else of them is drawn or told.
public final class CertificateRenderer: Renderer {
    /// Bytes of a file. Lists of revoked certificates have some megabytes.
    private static let longest: Int64 = 32 << 20

    /// Loads fonts.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        guard gnutls_global_init() >= 0 else {
            throw PluginError(.pluginUnavailable, "GnuTLS, which reads certificates, cannot be used on this machine")
        }
        try DrawingLibrary.warmUp()
    }

    /// Draws what is in a file, which has one page and no moments.
    /// - Throws: `empty` for no bytes, `corrupt`, `unsupported` for what holds none of these, `locked` for messages that are
    ///   enciphered, `limitExceeded`, `invalidArgument` for another page or a moment, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the certificate")
        try request.checkSinglePicture(in: "the certificate")
        let file = try input.withContents(limit: Self.longest) { bytes throws(PluginError) in
            try CredentialFile(bytes)
        }
        var facts = file.shown.facts
        facts.title = file.shown.name ?? file.shown.kind
        if request.wantsText { facts.text = Facts.bounded(file.text) }
        let page = try Page(box: request.box)
        page.draw(file)
        return Rendering(try page.finish("the certificate"), facts: facts)
    }
}
