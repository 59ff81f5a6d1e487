import Glibc
import TestServers
import Testing
import Transfer
import VitrineKit
import VitrineTesting

@testable import S3Backend

@Suite(.serialized) struct SourceTests {
    @Test(arguments: [
        ("s3://bucket", [:], "https://bucket.s3.us-east-1.amazonaws.com/"),
        ("s3://bucket/a?region=eu-west-1", [:], "https://bucket.s3.eu-west-1.amazonaws.com/"),
        ("s3://a.b/c", ["region": "eu-west-1"], "https://s3.eu-west-1.amazonaws.com/a.b"),
        ("s3://bucket?endpoint=https://h:9000", [:], "https://h:9000/bucket"),
        ("s3://bucket?style=virtual", ["endpoint": "http://h:9000"], "http://bucket.h:9000/"),
    ])
    func addresses(uri: String, values: [String: String], address: String) throws {
        let bucket = try S3Bucket(SourceURI(uri), values.merging(S3Writer.login) { $1 })
        #expect(bucket.base.description == address)
    }

    @Test(arguments: [
        "s3:bucket", "s3:///a", "s3://b?endpoint=ftp://h", "s3://b?secret-key=x", "s3://b?style=other", "s3://b/../c",
        "s3://b?region=a%20b", "s3://bob:pw@b/", "s3://b?endpoint=https://h/path", "s3://b//c//d",
    ])
    func sourcesThatMakeNoSense(uri: String) {
        #expect { try S3Bucket(SourceURI(uri), S3Writer.login) } throws: {
            ($0 as? PluginError)?.code == .invalidArgument
        }
    }

    @Test func credentialsComeFromTheUsualFiles() throws {
        let folder = try ScratchFolder("aws")
        try TestFile.write(
            folder.path + "/credentials",
            """
            [default]
            aws_access_key_id = A
            aws_secret_access_key = B
            # [work]
            [work]
            aws_access_key_id=C
            aws_secret_access_key=D=E
            aws_session_token=F
            """)
        try TestFile.write(
            folder.path + "/config", "[default]\nregion = eu-1\n[profile work]\nregion=eu-2\ns3 =\n  region = no\n")
        // Nothing else in this program reads them.
        setenv("AWS_SHARED_CREDENTIALS_FILE", folder.path + "/credentials", 1)
        setenv("AWS_CONFIG_FILE", folder.path + "/config", 1)
        defer {
            unsetenv("AWS_SHARED_CREDENTIALS_FILE")
            unsetenv("AWS_CONFIG_FILE")
        }
        let first = try S3Credentials.find([:], AWSProfile(nil))
        #expect(first?.accessKey == "A" && first?.secretKey == "B" && first?.sessionToken == nil)
        let work = try S3Credentials.find([:], AWSProfile("work"))
        #expect(work?.accessKey == "C" && work?.secretKey == "D=E" && work?.sessionToken == "F")
        #expect(AWSProfile("work").value("region") == "eu-2" && AWSProfile(nil).value("region") == "eu-1")
        #expect(try S3Credentials.find([:], AWSProfile("other")) == nil)
        let own = try S3Credentials.find(S3Writer.login, AWSProfile(nil))
        #expect(own?.accessKey == "key")
    }

    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"),
        arguments: [
            (
                400, "", "<Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region>",
                "write 'region=eu-west-1'"
            ),
            (301, "x-amz-bucket-region: eu-west-1", "<Code>PermanentRedirect</Code>", "write 'region=eu-west-1'"),
            (301, "x-other: a", "<Code>PermanentRedirect</Code>", "name it with 'region='"),
            // Nobody is told to write what another server may have thought out.
            (
                301, "x-amz-bucket-region: eu-1", "<Code>PermanentRedirect</Code><Region>a&amp;endpoint=b</Region>",
                "write 'region=eu-1'"
            ),
        ])
    func otherRegionsAreNamed(status: Int, field: String, text: String, words: String) async throws {
        let server = try NginxServer()
        let proxy = try FaultProxy(before: server.port) { _ in
            .answer(status: status, headers: field.isEmpty ? [] : [field], body: "<Error>\(text)</Error>")
        }
        await #expect { _ = try await connect(proxy.port) } throws: {
            let error = $0 as? PluginError
            return error?.code == .invalidArgument && error?.message.contains(words) == true
        }
    }

    @Test(.enabled(if: SeaweedServer.program != nil, "seaweedfs is not installed: 'make test' installs it"))
    func serversSayWhoMayComeIn() async throws {
        let server = try SeaweedServer()
        let writer = try await S3Writer(server.port, "bucket")
        try await writer.put(Array("a/b/c.txt".utf8), Array("here".utf8))
        let inside = try await connect(server.port, "bucket/a/b")
        #expect(try await inside.open(try ItemPath("c.txt")).read(at: 1, count: 9) == Array("ere".utf8))
        func code(_ path: String, _ values: [String: String]) async -> PluginError.Code? {
            do { _ = try await connect(server.port, path, values) } catch { return (error as? PluginError)?.code }
            return nil
        }
        #expect(await code("bucket", ["secret-key": "wrong"]) == .unauthorized)
        #expect(await code("bucket", ["access-key": "wrong"]) == .unauthorized)
        #expect(await code("bucket", ["anonymous": "true"]) == .forbidden)
        #expect(await code("missing", [:]) == .notFound)
        #expect(await code("bucket/missing", [:]) == .notFound)
    }
}
