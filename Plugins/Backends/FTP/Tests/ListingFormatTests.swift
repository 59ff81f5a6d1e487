import Testing
import VitrineKit

@testable import FTPBackend

struct ListingFormatTests {
    /// 2026-11-21T12:00:00Z.
    private let now: Int64 = 1_795_262_400

    private func entry(_ format: ListingFormat, _ line: String) -> Entry? {
        if case .entry(let entry)? = format.parse(Array(line.utf8), now: now) { entry } else { nil }
    }

    @Test func unixLinesAreUnderstood() {
        let file = entry(.unix, "-rw-r--r--    1 0        0            1234 Nov 21 11:59  two  blanks ")
        #expect(file?.name == Array(" two  blanks ".utf8) && file?.size == 1234 && file?.kind == .file)
        #expect(file?.modified == Timestamp(seconds: now - 60))
        // A time that would lie ahead is last year's.
        #expect(entry(.unix, "-rw-r--r-- 1 a b 1 Dec 31 00:00 x")?.modified == Timestamp(seconds: 1_767_139_200))
        #expect(entry(.unix, "-rw-r--r-- 1 a b 1 Jan  1  1970 x")?.modified == Timestamp(seconds: 0))
        #expect(entry(.unix, "lrwxrwxrwx 1 a b 1 Jan  1  1970 x -> y")?.name == Array("x".utf8))
        #expect(entry(.unix, "drwxr-xr-x 1 a b 1 Jan  1  1970 x")?.kind == .folder)
        #expect(entry(.unix, "prw-r--r-- 1 a b 1 Jan  1  1970 x")?.kind == .special)
        #expect(entry(.unix, "-rw-r--r-- 1 owner 55 Jan  1  1970 x")?.size == 55)
        #expect(ListingFormat.unix.parse(Array("drwxr-xr-x 1 a b 1 Jan  1  1970 .".utf8), now: now) == .itself)
        #expect(ListingFormat.unix.parse(Array("total 12".utf8), now: now) == .nothing)
    }

    @Test func linesOfWindowsAreUnderstood() {
        let file = entry(.unix, "02-20-23  03:30PM                 1234  two  blanks ")
        #expect(file?.name == Array(" two  blanks ".utf8) && file?.size == 1234 && file?.kind == .file)
        // 2023-02-20T15:30:00Z.
        #expect(file?.modified == Timestamp(seconds: 1_676_907_000))
        #expect(entry(.plain, "02-20-2023  15:30                 1 x")?.modified == file?.modified)
        #expect(entry(.plain, "01-01-70  12:00AM                 1 x")?.modified == Timestamp(seconds: 0))
        #expect(entry(.plain, "01-01-70  12:01PM                 1 x")?.modified == Timestamp(seconds: 43_260))
        let folder = entry(.unix, "02-20-23  03:30AM       <DIR>           Café 1")
        #expect(folder?.name == Array(" Café 1".utf8) && folder?.kind == .folder && folder?.size == nil)
        #expect(entry(.unix, "02-20-23  03:30AM       <JUNCTION>     x")?.kind == .special)
        #expect(ListingFormat.unix.parse(Array("02-20-23  03:30AM  <DIR>          .".utf8), now: now) == .itself)
        #expect(ListingFormat.unix.parse(Array("02-20-23  03:30AM  <DIR>          ..".utf8), now: now) == .nothing)
    }

    @Test func machineLinesAreUnderstood() {
        let file = entry(.machine, "Type=file;Size=12;Modify=19700101000100.250; a; b=c ")
        #expect(file?.name == Array("a; b=c ".utf8) && file?.size == 12)
        #expect(file?.modified == Timestamp(seconds: 60))
        let immeasurable = entry(.machine, "type=file;size=-5; a")
        #expect(immeasurable?.kind == .file && immeasurable?.size == nil)
        #expect(entry(.machine, "type=dir;x.y=z; d")?.kind == .folder)
        #expect(entry(.machine, "type=OS.unix=slink:/x; l")?.kind == .link)
        #expect(ListingFormat.machine.parse(Array("type=cdir; /".utf8), now: now) == .itself)
        #expect(ListingFormat.machine.parse(Array("type=pdir; ..".utf8), now: now) == .nothing)
    }

    @Test func whatMakesNoSenseIsNotPassedOver() {
        for line in [
            "-rw-r--r-- 1 a b", "-rw-r--r-- 1 a b -5 Jan 1 1970 x", "?rw-r--r-- 1 a b 5 Jan 1 1970 x",
            "02-20-23  03:30PM  <DIR>", "02-20-23  03:30XM  <DIR>  name", "20-02-23  03:30PM  1 name",
            "02-20-23  25:30  1 name", "02-20-23  03:30PM  -1 name", "02-20-123  03:30PM  1 name",
            "02--20-23 03:30 1 name",
            "02-20-23  03:30PM", "hello",
        ] {
            #expect(ListingFormat.unix.parse(Array(line.utf8), now: now) == nil, "\(line)")
        }
        for line in ["name", "type=file;size=1;name", "size=1; x", "=; "] {
            #expect(ListingFormat.machine.parse(Array(line.utf8), now: now) == nil, "\(line)")
        }
    }
}
