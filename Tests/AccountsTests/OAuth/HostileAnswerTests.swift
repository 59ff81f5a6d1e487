import TestServers
import Testing
import VitrineKit
import VitrineTesting

@testable import Accounts

/// What no honest authorization server answers.
@Suite(.enabled(if: ServiceStub.canLogIn, "python3 or curl is not installed: 'make test' installs them"))
struct HostileAnswerTests {
    /// What a log-in by a code comes to when each answer is this one.
    private func logIn(_ fault: Fault) async throws -> PluginError? {
        let stub = try ServiceStub.oauth()
        let proxy = try FaultProxy(before: stub.port) { _ in fault }
        let url = "http://127.0.0.1:\(proxy.port)/oauth2/"
        let service = OAuthService(name: "Test", token: url + "token", device: url + "device", clientID: "vitrine-test")
        let login = try OAuthLogin(service) { _ in }
        do throws(PluginError) { _ = try await login.byCode { _ in } } catch { return error }
        return nil
    }

    private static func answer(_ text: String) -> Fault { .answer(status: 200, headers: [], body: text) }

    @Test func `answers that make no sense are refused, with the reason`() async throws {
        let whole = #""device_code":"d","user_code":"u","verification_uri":"https://example.com/""#
        let cases: [(Fault, PluginError.Code, String)] = [
            (Self.answer(""), .io, "makes no sense"), (Self.answer("<html>"), .io, "makes no sense"),
            (Self.answer("[]"), .io, "makes no sense"), (Self.answer("{\(whole)"), .io, "makes no sense"),
            (Self.answer(#"{"device_code":1,"user_code":[],"verification_uri":{}}"#), .io, "makes no sense"),
            (Self.answer("{\(whole),\"interval\":\"soon\"}"), .io, "makes no sense"),
            (Self.answer("{\(whole),\"interval\":-1}"), .io, "makes no sense"),
            (Self.answer(String(repeating: "[", count: 60_000)), .io, "makes no sense"),
            (Self.answer("{\(whole),\"x\":\"\(String(repeating: "y", count: 70_000))\"}"), .limitExceeded, "64 KiB"),
            (
                Self.answer(#"{"device_code":"d","user_code":"u","verification_uri":"http://evil.example/"}"#),
                .invalidArgument, "no address to log in at"
            ),
            (.redirect(to: "http://example.com/"), .io, "status 302"),
            (.answer(status: 503, headers: []), .offline, "503"),
            (.reset, .offline, "cannot be asked"), (.truncate(after: 5), .offline, "cannot be asked"),
        ]
        for (fault, code, word) in cases {
            let error = try await logIn(fault)
            #expect(
                error?.code == code && error?.message.contains(word) == true, "\(fault): \(String(describing: error))")
        }
    }

    @Test(arguments: [
        #"{"access_token":""}"#, #"{"access_token":"a b"}"#, "{\"access_token\":\"a\\nb\"}", #"{"access_token":7}"#,
        #"{"access_token":"a","token_type":"mac"}"#, #"{"access_token":"a","refresh_token":"b c"}"#,
        #"{"refresh_token":"a"}"#, #"{"access_token":"a","expires_in":-1}"#, #"{"access_token":"a","expires_in":1e99}"#,
    ])
    func `a token that is none is not taken`(text: String) {
        #expect(OAuthAnswer(Array(text.utf8))?.tokens() == nil)
    }

    @Test func `a token may come with more or less`() throws {
        let short = try #require(OAuthAnswer(Array(#"{"access_token":"a"}"#.utf8))?.tokens(replacing: "old"))
        #expect(short.refresh == "old" && short.isFresh())
        let text = #"{"access_token":"a","refresh_token":"b","token_type":"Bearer","expires_in":"3600","more":[{}]}"#
        let tokens = try #require(OAuthAnswer(Array(text.utf8))?.tokens(now: 1000))
        #expect(tokens.expires == 4600 && tokens.isFresh(now: 4539) && !tokens.isFresh(now: 4540))
        #expect(TokenSet(kept: tokens.kept) == tokens && TokenSet(kept: "{}") == nil && TokenSet(kept: "") == nil)
    }
}
