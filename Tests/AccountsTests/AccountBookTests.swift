import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Accounts

/// Accounts of a machine without a keyring.
@Suite struct AccountBookTests {
    let scratch: TemporaryFolder
    let book: AccountBook

    init() throws {
        scratch = try TemporaryFolder()
        book = try #require(
            AccountBook(environment: [
                "XDG_CONFIG_HOME": scratch.path + "/config", "XDG_DATA_HOME": scratch.path + "/data",
            ]))
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `an account serves what lies at its address, the longest one first`() throws {
        _ = try book.add(
            "all", SourceURI("davs://cloud.example"), values: ["user": "anna"], secrets: ["password": "öne two"])
        _ = try book.add(
            "team", SourceURI("davs://cloud.example/team"), values: [:], secrets: ["token": "tok=en\n;#[x]\\"])
        #expect(
            try book.values(for: SourceURI("davs://cloud.example/photos")) == ["user": "anna", "password": "öne two"])
        #expect(try book.values(for: SourceURI("davs://cloud.example/team/x")) == ["token": "tok=en\n;#[x]\\"])
        #expect(
            try book.values(for: SourceURI("davs://cloud.example/teams")) == ["user": "anna", "password": "öne two"])
        #expect(try book.values(for: SourceURI("davs://other.example/team")) == [:])
        #expect(try book.values(for: SourceURI("dav://cloud.example/team")) == [:])
        #expect(try book.accounts().map(\.name) == ["all", "team"])
        #expect(try book.accounts().map(\.place) == [.file, .file])
    }

    @Test func `secrets lie in a file of their own that nobody else can read`() throws {
        _ = try book.add("a", SourceURI("s3://bucket"), values: ["region": "x"], secrets: ["secret-key": "hidden"])
        #expect(try permissions(book.path) == 0o600)
        #expect(try permissions(book.secretsPath) == 0o600)
        #expect(try !String(contentsOfFile: book.path, encoding: .utf8).contains("hidden"))
        #expect(try String(contentsOfFile: book.secretsPath, encoding: .utf8).contains("hidden"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: book.secretsPath)
        do {
            _ = try book.values(for: SourceURI("s3://bucket/prefix"))
            Issue.record("a file that others can read was used")
        } catch {
            #expect(error.code == .forbidden)
            #expect(error.message.contains("chmod 600"))
        }
    }

    @Test func `secrets and settings are replaced, and others stay`() throws {
        let address = try SourceURI("s3://bucket")
        _ = try book.add(
            "a", address, values: ["region": "x", "access-key": "1"],
            secrets: ["secret-key": "old", "session-token": "kept"])
        let renewed = try book.renew("a", values: ["access-key": "2"], secrets: ["secret-key": "new"])
        #expect(renewed.values == ["region": "x", "access-key": "2"])
        #expect(
            try book.values(for: address)
                == ["region": "x", "access-key": "2", "secret-key": "new", "session-token": "kept"])
        #expect(try !String(contentsOfFile: book.secretsPath, encoding: .utf8).contains("old"))
        for key in ["secret-key", "password", "uri", "A"] {
            #expect(throws: PluginError.self) { try book.renew("a", values: [key: "x"], secrets: [:]) }
        }
        #expect(throws: PluginError.self) { try book.renew("a", values: [:], secrets: ["passphrase": "x"]) }
        #expect(throws: PluginError.self) { try book.renew("b", values: [:], secrets: [:]) }
        #expect(try book.accounts() == [renewed])
    }

    @Test func `a removed account leaves nothing`() throws {
        _ = try book.add("a", SourceURI("s3://bucket"), values: [:], secrets: ["secret-key": "hidden"])
        #expect(try book.remove("a").address.text == "s3://bucket")
        #expect(try book.accounts() == [])
        #expect(try book.values(for: SourceURI("s3://bucket")) == [:])
        #expect(try !String(contentsOfFile: book.secretsPath, encoding: .utf8).contains("hidden"))
        #expect(throws: PluginError.self) { try book.remove("a") }
    }

    @Test func `what makes no sense is refused, and nothing is kept of it`() throws {
        let address = try SourceURI("davs://cloud.example")
        _ = try book.add("a", address, values: [:], secrets: [:])
        for name in ["a", "", "a b", "a/b", "ä", String(repeating: "x", count: 65)] {
            #expect(throws: PluginError.self) { try book.add(name, address, values: [:], secrets: ["password": "x"]) }
        }
        for key in ["", "A", "uri", "secrets", "secrets-in", "a b", "password"] {
            #expect(throws: PluginError.self) { try book.add("b", address, values: [key: "x"], secrets: [:]) }
        }
        #expect(throws: PluginError.self) {
            try book.add("b", SourceURI("davs://anna:pw@cloud.example"), values: [:], secrets: [:])
        }
        // A user and a port are no password.
        _ = try book.add("sftp", SourceURI("sftp://anna@host.example:2222"), values: [:], secrets: [:])
        #expect(try book.accounts().map(\.name) == ["a", "sftp"])
        #expect(!FileManager.default.fileExists(atPath: book.secretsPath))
    }

    @Test func `accounts that are added at the same time are all kept`() async throws {
        let book = book
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    _ = try book.add(
                        "n\(number)", SourceURI("davs://h\(number).example"), values: [:],
                        secrets: ["password": "p\(number)"])
                }
            }
            try await group.waitForAll()
        }
        #expect(try book.accounts().count == 20)
        for number in 0..<20 {
            #expect(try book.values(for: SourceURI("davs://h\(number).example/x")) == ["password": "p\(number)"])
        }
    }

    @Test func `a damaged file is said to be so, and is left as it is`() throws {
        try scratch.write("config/vitrine/accounts", Data("no key file".utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: book.path)
        #expect(throws: PluginError.self) { try book.accounts() }
        #expect(throws: PluginError.self) {
            try book.add("a", SourceURI("davs://x"), values: [:], secrets: ["password": "p"])
        }
        #expect(try String(contentsOfFile: book.path, encoding: .utf8) == "no key file")
    }
}
