public import VitrineKit
import VitrineTesting

/// SeaweedFS with its S3 gateway; the key is `key`, the secret `secret`. It has no bucket.
public struct SeaweedServer: Sendable {
    /// The running server.
    public let process: ServerProcess
    /// Where its S3 gateway listens.
    public var port: UInt16 { process.port }

    /// Where the program is; `nil` when it was not installed.
    public static var program: String? { TestFile.pythonProgram("weed") }

    /// Starts it, which takes some seconds.
    public init() throws(PluginError) {
        guard let program = Self.program else { throw PluginError(.notFound, "seaweedfs is not installed") }
        let folder = try ScratchFolder("seaweed")
        try TestFile.makeFolder(folder.path + "/data")
        try TestFile.write(
            folder.path + "/s3.json",
            """
            {"identities": [{"name": "bob", "credentials": [{"accessKey": "key", "secretKey": "secret"}], \
            "actions": ["Admin", "Read", "Write", "List"]}]}
            """)
        var ports: [UInt16] = []
        while ports.count < 8 { ports.append(try Loopback.freePort()) }
        process = try ServerProcess(
            program,
            [
                "-logdir=\(folder.path)", "server", "-dir=\(folder.path)/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                "-master.port=\(ports[0])", "-master.port.grpc=\(ports[1])", "-volume.port=\(ports[2])",
                "-volume.port.grpc=\(ports[3])", "-filer", "-filer.port=\(ports[4])", "-filer.port.grpc=\(ports[5])",
                "-s3", "-s3.port=\(ports[6])", "-s3.port.grpc=\(ports[7])", "-s3.port.iceberg=0", "-s3.port.lance=0",
                "-s3.config=\(folder.path)/s3.json",
                "-volume.max=16", "-master.volumeSizeLimitMB=64", "-s3.allowEmptyFolder=true",
            ], environment: ["HOME": folder.path], port: ports[6], folder: folder)
    }
}
