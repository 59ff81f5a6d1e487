import Glibc
public import VitrineKit
import VitrineTesting

/// nginx with its DAV modules, over a folder.
public struct NginxServer: Sendable {
    /// The running server.
    public let process: ServerProcess
    /// What it serves, as a path without a trailing slash.
    public var root: String { process.folder.path + "/root" }
    /// Where it listens.
    public var port: UInt16 { process.port }
    /// The certificate that signed its own, when it speaks TLS.
    public var authority: String { process.folder.path + "/certificate.pem" }

    /// Where the program is; `nil` when the package is not installed.
    public static let program = TestFile.program("/usr/sbin/nginx")
    private static let module = "/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"

    /// Whether the packages are installed.
    public static var isInstalled: Bool { program != nil && access(module, R_OK) == 0 }

    /// How it proves who it is.
    public enum Certificate: Sendable {
        /// It does not.
        case none
        /// A certificate for `localhost` that signs itself.
        case valid
        /// The same, which has expired.
        case expired
    }

    /// Starts it.
    /// - Parameters:
    ///   - certificate: whether it speaks TLS.
    ///   - location: further lines for the one location of its configuration.
    public init(_ certificate: Certificate = .none, location: String = "") throws(PluginError) {
        guard let program = Self.program else { throw PluginError(.notFound, "nginx is not installed") }
        let folder = try ScratchFolder("nginx")
        let port = try Loopback.freePort()
        let root = folder.path
        try TestFile.makeFolder(root + "/root")
        if certificate != .none { try Self.makeCertificate(in: folder, isExpired: certificate == .expired) }
        let tls =
            certificate == .none
            ? "" : "ssl_certificate \(root)/certificate.pem; ssl_certificate_key \(root)/key.pem;"
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(root)/\($0);"
        }.joined(separator: " ")
        try TestFile.write(
            root + "/nginx.conf",
            """
            load_module \(Self.module);
            \(getuid() == 0 ? "user root;" : "")
            daemon off; worker_processes 1; pid \(root)/nginx.pid; error_log \(root)/error.log;
            events { worker_connections 256; }
            http {
                access_log \(root)/access.log; default_type application/octet-stream;
                types { text/plain txt; }
                \(temporary)
                server {
                    listen 127.0.0.1:\(port)\(certificate == .none ? "" : " ssl");
                    \(tls)
                    location / { root \(root)/root; dav_methods PUT DELETE MKCOL MOVE; client_max_body_size 0; dav_ext_methods PROPFIND OPTIONS; \(location) }
                }
            }
            """)
        process = try ServerProcess(
            program, ["-p", root, "-c", root + "/nginx.conf", "-e", root + "/error.log"], port: port, folder: folder)
    }

    private static func makeCertificate(in folder: ScratchFolder, isExpired: Bool) throws(PluginError) {
        let path = folder.path
        try TestFile.write(path + "/index.txt", "")
        try TestFile.write(
            path + "/ca.conf",
            """
            [req]
            distinguished_name = name
            [name]
            [ca]
            default_ca = own
            [own]
            new_certs_dir = \(path)
            database = \(path)/index.txt
            rand_serial = yes
            default_md = sha256
            policy = any
            [any]
            commonName = supplied
            [extensions]
            subjectAltName = DNS:localhost,IP:127.0.0.1
            basicConstraints = critical,CA:TRUE
            """)
        let openssl = "/usr/bin/openssl"
        try ServerProcess.run(
            openssl,
            [
                "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", path + "/key.pem", "-out",
                path + "/request.pem",
                "-subj", "/CN=localhost", "-config", path + "/ca.conf",
            ], in: folder)
        let (start, end) = isExpired ? ("20200101000000Z", "20200201000000Z") : ("20200101000000Z", "20991231000000Z")
        try ServerProcess.run(
            openssl,
            [
                "ca", "-batch", "-selfsign", "-config", path + "/ca.conf", "-extensions", "extensions", "-keyfile",
                path + "/key.pem", "-in", path + "/request.pem", "-out", path + "/certificate.pem", "-notext",
                "-startdate", start, "-enddate", end,
            ], in: folder)
    }
}
