import Glibc
import Testing
import VitrineKit

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct ActiveTransfersTests {
    @Test func aTransferThatLibcurlDoesNotTakeEndsWithItsReason() async throws {
        // Memory that is no multi handle, which libcurl says of it.
        let nothing = try #require(calloc(1, 1 << 16))
        defer { free(nothing) }
        let url = try TransferURL("http://localhost:1/a")
        let transfer = Transfer(
            TransferRequest(url, purpose: "cannot read 'a'"), TransferPolicy(schemes: ["http"]), scheme: nil,
            meter: Meter(), loop: .shared)
        Self.start(transfer, nothing)
        let failure = await #expect(throws: TransferFailure.self) { try await transfer.head() }
        #expect(failure?.error.message.hasPrefix("cannot read 'a': libcurl does not begin it: ") == true)
    }

    private static func start(_ transfer: Transfer, _ multi: UnsafeMutableRawPointer) {
        var transfers = ActiveTransfers(multi)
        transfers.obey(.start(transfer))
    }
}
