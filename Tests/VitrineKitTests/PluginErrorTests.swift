import Glibc
import Testing
import VitrineKit

struct PluginErrorTests {
    @Test(
        arguments: [
            .corrupt, .encrypted, .locked, .empty, .unsupported, .limitExceeded, .notAFile, .isThumbnail, .crashed,
            .timeout,
            .invalidAnswer, PluginError.Code(rawValue: "of-tomorrow"),
        ] as [PluginError.Code])
    func whatLiesInTheItemIsPermanent(_ code: PluginError.Code) { #expect(PluginError(code, "").isPermanent) }

    @Test(
        arguments: [
            .notFound, .forbidden, .unauthorized, .throttled, .offline, .changed, .io, .noSpace, .workerLost,
            .cancelled, .busy,
            .invalidArgument, .pluginUnavailable, .wrongPassword,
        ] as [PluginError.Code])
    func whatLiesAroundItPasses(_ code: PluginError.Code) { #expect(!PluginError(code, "").isPermanent) }

    @Test(
        arguments: [
            (ENOENT, .notFound), (ELOOP, .notAFile), (ENOTDIR, .notAFile), (EISDIR, .notAFile), (EACCES, .forbidden),
            (EROFS, .forbidden), (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EIO, .io), (EBADF, .io), (ENOTCONN, .offline),
        ] as [(CInt, PluginError.Code)])
    func systemErrorsHaveCodes(_ number: CInt, _ code: PluginError.Code) {
        let error = PluginError(errno: number, "cannot open 'a'")
        #expect(error.code == code)
        #expect(error.description.hasPrefix("cannot open 'a': "))
        #expect(error.description.count > "cannot open 'a': ".count)
    }
}
