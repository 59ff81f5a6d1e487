import Testing
import Transfer
import VitrineKit

@Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777, 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0, 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199, 0), ("1994-11-06T08:49:37Z", 784_111_777, 0),
    ("2024-02-29T23:59:59.250Z", 1_709_251_199, 250_000_000), ("1994-11-06T09:49:37+01:00", 784_111_777, 0),
    ("1969-12-31T23:59:59Z", -1, 0),
])
func readsDates(text: String, seconds: Int64, nanoseconds: UInt32) {
    #expect(HTTPDate.parse(text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
}

@Test(arguments: [
    "", "yesterday", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT", "1994-13-06T08:49:37Z",
    "1994-11-06T25:49:37Z", "1994-11-06T08:49:37", "1994-11-06T08:49:37+0100", "9999999999999999999", "Sun, 06 Nov",
])
func refusesOtherDates(text: String) { #expect(HTTPDate.parse(text) == nil) }

@Test func addressesHoldNoPasswords() throws {
    #expect { try TransferURL("https://bob:secret@example.org/a") } throws: {
        guard let error = $0 as? PluginError else { return false }
        return error.code == .invalidArgument && !error.message.contains("secret") && !error.message.contains("bob")
    }
    let base = try TransferURL("https://example.org/a")
    #expect(throws: PluginError.self) { try TransferURL("https://bob:secret@example.org/b", relativeTo: base) }
}

@Test func questionMarksInNamesAreToldHowToWrite() throws {
    try SourceURI("ftp://example.org/what%3F").checkNoQuery()
    #expect { try SourceURI("ftp://example.org/what?secret").checkNoQuery() } throws: {
        guard let error = $0 as? PluginError else { return false }
        return error.code == .invalidArgument && error.message.contains("%3F") && !error.message.contains("secret")
    }
}

@Test func addressesAreTrustedOnOneHostOnly() throws {
    let base = try TransferURL("http://example.org/a/b?c")
    #expect(try base.trusts(TransferURL("d", relativeTo: base)))
    #expect(try TransferURL("../d", relativeTo: base).host == "example.org")
    #expect(try base.trusts(TransferURL("https://EXAMPLE.org/")))
    #expect(try !TransferURL("https://example.org/").trusts(base))
    #expect(try !base.trusts(TransferURL("http://example.org:81/")))
    #expect(try !base.trusts(TransferURL("//example.com/a", relativeTo: base)))
    #expect(try !base.trusts(TransferURL("http://example.org.example.com/")))
    #expect(try TransferURL("http://h/%2e%2E/a//b?x=%20").path == "/%2e%2E/a//b")
}

@Test func credentialsAreNotPrinted() {
    let all: [Credentials] = [.password(user: "bob", password: "secret"), .bearer("secret")]
    for credentials in all {
        var text = "\(credentials) \(String(reflecting: credentials))"
        dump(credentials, to: &text)
        #expect(!text.contains("secret") && !text.contains("bob"))
    }
}

@Test func settingsAreChecked() throws {
    let wrong = [
        ["timeout": "soon"], ["connections": "0"], ["user": "a", "auth": "ntlm"], ["token": "a\r\nX: y"],
        ["stall-timeout": "-1"],
    ]
    for values in wrong {
        #expect { try TransferPolicy(settings: BackendSettings(values: values), schemes: ["http"]) } throws: {
            ($0 as? PluginError)?.code == .invalidArgument
        }
    }
    let policy = try TransferPolicy(
        settings: BackendSettings(values: ["timeout": "2.5", "connections": "3"]), schemes: ["http"])
    #expect(policy.timeout == .milliseconds(2500) && policy.connections == 3)
}
