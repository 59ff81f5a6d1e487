import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import BoxBackend

/// What Box never answers. The stub answers all else.
@Suite(.serialized, .enabled(if: ServiceStub.isInstalled, "python3 is not installed: 'make test' installs it"))
struct HostileServiceTests {
    /// What a listing comes to when it is answered with this text.
    private func list(_ text: String) async throws -> Result<[Entry], PluginError> {
        let stub = try ServiceStub.box()
        let proxy = try FaultProxy(before: stub.port) {
            $0.target.contains("/items") ? .answer(status: 200, headers: [], body: text) : nil
        }
        let backend = try await connect(stub, port: proxy.port)
        do throws(PluginError) {
            var entries: [Entry] = []
            for try await page in backend.list(.root) { entries += page }
            return .success(entries)
        } catch { return .failure(error) }
    }

    private static let file = #"{"type":"file","id":"7","name":"a","size":5}"#

    @Test(arguments: [
        "", "{", "null", "[]", "{}", #"{"entries":{}}"#, #"{"entries":7}"#, #"{"entries":[7]}"#, #"{"entries":[{}]}"#,
        #"{"entries":[{"type":"file","id":7,"name":"a"}]}"#, #"{"entries":[{"type":"file","id":"","name":"a"}]}"#,
        #"{"entries":[{"type":"file","id":"7","name":["a"]}]}"#, #"{"entries":[{"id":"7","name":"a"}]}"#,
        #"{"entries":[{"type":"file","id":"7","name":"a","size":-1}]}"#,
        #"{"entries":[{"type":"file","id":"7","name":"a","size":1.5}]}"#,
        #"{"entries":[{"type":"file","id":"7","name":"a","size":"5"}]}"#,
        #"{"entries":[{"type":"file","id":"7 8","name":"a"}]}"#, #"{"entries":[],"next_marker":{}}"#,
        #"{"entries":[],"next_marker":"again"}"#, String(repeating: "[", count: 100_000),
        "{\"entries\":" + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "}",
    ])
    func whatMakesNoSenseIsRefused(text: String) async throws {
        guard case .failure(let error) = try await list(text) else {
            Issue.record("it was listed")
            return
        }
        #expect(error.code == .io && error.message.contains("sense") || error.message.contains("refused"), "\(error)")
    }

    @Test func whatIsTooLargeIsRefused() async throws {
        let many = "{\"entries\":[" + String(repeating: "0,", count: 600_000) + "0]}"
        let long = "{\"entries\":[],\"x\":\"" + String(repeating: "x", count: 9 << 20) + "\"}"
        for (text, code) in [(many, PluginError.Code.io), (long, .limitExceeded)] {
            guard case .failure(let error) = try await list(text) else {
                Issue.record("it was listed")
                return
            }
            #expect(error.code == code, "\(error)")
        }
    }

    @Test func whatIsStrangeAndHarmlessIsTaken() async throws {
        let link = #"{"type":"web_link","id":"8","name":"page"}"#
        let folder = #"{"type":"folder","id":"9","name":"f","size":-1}"#
        let entries = try await list(
            #"{"entries":[\#(Self.file),\#(link),\#(folder),\#(Self.file)],"next_marker":"","more":[[]]}"#
        ).get()
        #expect(entries.map(\.kind) == [.file, .special, .folder] && entries.first?.size == 5)
    }

    /// A redirect from the service, and whether a file is taken from there.
    @Test(arguments: [
        ("file:///etc/passwd", false), ("http://dl.boxcloud.com/d/1/x/download", false), ("gopher://127.0.0.1/", false),
        ("https://boxcloud.com.example.org/", false), ("https://example.org/boxcloud.com", false),
        ("https://notboxcloud.com/", false), ("https://user@dl.boxcloud.com/", false),
        ("https://dl.boxcloud.com:8443/", false), ("", false), ("https://dl.boxcloud.com/d/1/x/download", true),
        ("https://public.boxcloud.com/d/1/x/download?a=b", true), ("https://dl.box.com/x", true),
    ])
    func filesAreTakenFromBoxAlone(location: String, isTaken: Bool) throws {
        let place = try BoxPlace(try SourceURI("box:"), BackendSettings())
        let isAllowed: Bool
        do throws(PluginError) {
            _ = try place.download(location, "cannot read 'a'")
            isAllowed = true
        } catch {
            isAllowed = false
            #expect(error.code == .io)
        }
        #expect(isAllowed == isTaken)
    }

    @Test(arguments: ["http://example.org/2.0", "https://example.org/2.0?a=b", "ftp://example.org/", "nonsense", ""])
    func anInterfaceWithoutTLSIsRefused(url: String) {
        let settings = BackendSettings(values: ["api-url": url])
        #expect(throws: PluginError.self) { try BoxPlace(try SourceURI("box:"), settings) }
    }

    @Test(arguments: ["box:/a/../b", "box:/a?x=y"]) func foldersThatAreNoneAreRefused(uri: String) {
        #expect(throws: PluginError.self) { try BoxPlace(try SourceURI(uri), BackendSettings()) }
    }

    @Test func aFileThatIsNotReadyIsWaitedFor() async throws {
        let stub = try ServiceStub.box()
        try TestFile.write(stub.root + "/a.txt", "content")
        let proxy = try FaultProxy(before: stub.port) { _ in nil }
        let backend = try await connect(stub, port: proxy.port)
        proxy.set { request in
            guard request.target.contains("/content"), request.number < 3 else { return nil }
            return .answer(status: 202, headers: ["Retry-After: 1"])
        }
        #expect(try await backend.open(try ItemPath("a.txt")).read(at: 0, count: 100) == Array("content".utf8))
        proxy.set {
            $0.target.contains("/content") ? .answer(status: 202, headers: ["Retry-After: 3600"]) : nil
        }
        await #expect { _ = try await backend.open(try ItemPath("a.txt")) } throws: {
            ($0 as? PluginError)?.code == .throttled
        }
    }

    @Test(arguments: [
        (403, "access_denied_insufficient_permissions", PluginError.Code.forbidden), (404, "trashed", .notFound),
        (403, "storage_limit_exceeded", .noSpace), (429, "rate_limit_exceeded", .throttled), (400, "bad_request", .io),
    ])
    func errorsHaveTheirKind(status: Int, code: String, kind: PluginError.Code) async throws {
        let stub = try ServiceStub.box()
        let proxy = try FaultProxy(before: stub.port) { _ in nil }
        let backend = try await connect(stub, port: proxy.port)
        let body = #"{"type":"error","status":\#(status),"code":"\#(code)","message":"m"}"#
        proxy.set { _ in .answer(status: status, headers: ["Retry-After: 3600"], body: body) }
        await #expect { _ = try await backend.stat(.root) } throws: { ($0 as? PluginError)?.code == kind }
    }
}
