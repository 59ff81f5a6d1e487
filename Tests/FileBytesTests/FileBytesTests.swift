import FileBytes
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileBytesTests {
    /// Calls `body` with a new file that is open for reading and writing.
    private func withFile(_ body: (CInt) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let file = open(folder.path + "/file", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try body(file)
    }

    @Test func whatIsWrittenIsRead() throws {
        try withFile { file in
            #expect(FileBytes.write([1, 2, 3], to: file) == nil)
            #expect(FileBytes.write([4], to: file) == nil)
            let (bytes, failure) = FileBytes.read(4, from: file, at: 0)
            #expect(bytes == [1, 2, 3, 4] && failure == nil)
        }
    }

    @Test func aPlaceIsReadAndWrittenWithoutGoingThere() throws {
        try withFile { file in
            #expect(FileBytes.write([7, 8, 9], to: file, at: 2) == nil)
            #expect(FileBytes.read(8, from: file, at: 3).bytes == [8, 9])
            #expect(FileBytes.read(2, from: file).bytes == [0, 0])
            #expect(FileBytes.read(8, from: file).bytes == [7, 8, 9])
        }
    }

    @Test func theEndOfAFileIsNoFailure() throws {
        try withFile { file in
            let (bytes, failure) = FileBytes.read(10, from: file)
            #expect(bytes.isEmpty && failure == nil)
        }
    }

    /// A pipe holds 64 KiB, so that more is taken and given in several pieces.
    @Test func piecesBecomeAWhole() async throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        // Programs that other tests start would keep the pipe open.
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let writing = Task.detached {
            defer { close(writer) }
            return FileBytes.write(sent, to: writer)
        }
        let (bytes, failure) = FileBytes.read(2_000_000, from: reader)
        #expect(bytes == sent && failure == nil)
        #expect(await writing.value == nil)
    }

    @Test func aFileIsReadToItsEnd() throws {
        try withFile { file in
            let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
            #expect(FileBytes.write(sent, to: file, at: 0) == nil)
            #expect(FileBytes.readToEnd(limit: 1 << 20, from: file, at: 0).bytes == sent)
            #expect(FileBytes.readToEnd(limit: 1 << 20, from: file, at: 1).bytes == Array(sent[1...]))
            #expect(FileBytes.readToEnd(limit: 100_000, from: file).bytes == Array(sent[..<100_000]))
            #expect(FileBytes.readToEnd(limit: 1 << 20, from: file).bytes == Array(sent[100_000...]))
        }
        #expect(FileBytes.readToEnd(limit: 1, from: -1).failure == EBADF)
    }

    @Test func whatIsInTheWayIsSaid() throws {
        let folder = try TemporaryFolder()
        let place = open(folder.path, O_RDONLY | O_CLOEXEC)
        try #require(place >= 0)
        defer { close(place) }
        let (bytes, failure) = FileBytes.read(4, from: place)
        #expect(bytes.isEmpty && failure == EISDIR)
        #expect(FileBytes.write([1], to: place) == EBADF)
        #expect(FileBytes.read(1, from: -1, at: 0).failure == EBADF)
        #expect(FileBytes.write([], to: -1) == nil)
    }

    @Test func aFullDiskIsSaid() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        #expect(FileBytes.write([1, 2], to: full) == ENOSPC)
    }
}
