import CPlatform
import Foundation
import TestSupport
import Testing

/// What CPlatform does with folders and memory of this process.
@Suite struct PlatformTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    @Test func `a folder's size does not follow links out of it`() throws {
        try scratch.write("outside", Data(repeating: 1, count: 1 << 20))
        try scratch.write("folder/inside", Data([1]))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/folder/link", withDestinationPath: scratch.path)
        var bytes: Int64 = 0
        #expect(vp_folder_usage(scratch.path + "/folder", 100, &bytes) == 3)
        #expect(bytes < 1 << 20)
    }

    /// That it cannot be seen at all is another thing, after which no worker is forked any more.
    @Test func `of a process that was reaped it is said that it is gone`() throws {
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("3600"), nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        try #require(posix_spawn(&process, "/bin/sleep", nil, nil, words, environ) == 0)
        let memory = vp_open_memory(process)
        defer { close(memory) }
        #expect(vp_resident_memory(memory) >= 0)
        #expect(kill(process, SIGKILL) == 0 && waitpid(process, nil, 0) == process)
        #expect(vp_resident_memory(memory) == -Int64(ESRCH))
    }

    @Test("free memory between blocks in use goes back to the system") func returnsFreeMemoryBetweenBlocksInUse() throws
    {
        let count = 128 << 10
        var blocks = (0..<count).compactMap { _ in malloc(1 << 10) }
        for block in blocks { memset(block, 1, 1 << 10) }
        let last = blocks.removeLast()
        defer { free(last) }
        for block in blocks { free(block) }
        let pages = Set(blocks.map { UInt(bitPattern: $0) & ~(Self.page - 1) })
        // Of all memory of the process, other tests have a part that grows and shrinks meanwhile.
        vp_return_memory(.max)
        #expect(Self.held(pages) > pages.count * 3 / 4)
        vp_return_memory(1 << 20)
        #expect(Self.held(pages) < pages.count / 2)
    }

    /// How many of some pages of this process are in memory.
    private static func held(_ pages: Set<UInt>) -> Int {
        pages.count { page in
            var isHeld: UInt8 = 0
            return mincore(UnsafeMutableRawPointer(bitPattern: page), 1, &isHeld) == 0 && isHeld & 1 == 1
        }
    }

    /// Bytes of a page, which has more than 4096 on some machines.
    private static let page = UInt(sysconf(CInt(_SC_PAGESIZE)))

    @Test("a tree of any depth is removed, and a folder can be emptied") func removesDeepTrees() throws {
        let top = scratch.path + "/top"
        try FileManager.default.createDirectory(atPath: top + "/beside", withIntermediateDirectories: true)
        // Deeper than a path may be long, step by step.
        var folder = open(top, O_RDONLY | O_DIRECTORY)
        for _ in 0..<700 {
            #expect(mkdirat(folder, "deeper", 0o700) == 0)
            let next = openat(folder, "deeper", O_RDONLY | O_DIRECTORY)
            close(folder)
            folder = next
        }
        close(openat(folder, "file", O_WRONLY | O_CREAT, 0o600))
        close(folder)
        #expect(vp_empty_folder(top) == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: top) == [])
        #expect(vp_remove_tree(top) == 0)
        #expect(!FileManager.default.fileExists(atPath: top))
    }

    @Test func `folders that keep their owner out are counted as too much, and removed`() throws {
        let top = scratch.path + "/top"
        try FileManager.default.createDirectory(atPath: top, withIntermediateDirectories: true)
        // Root may pass everywhere: as nobody, who owns the folder, this thread sees what a user does.
        let isRoot = geteuid() == 0
        func setUser(_ user: Int) { vp_call(vp_call_number("setfsuid"), user, 0, 0, 0, 0) }
        if isRoot {
            for folder in [scratch.path, top] { #expect(chown(folder, 65534, 65534) == 0) }
            setUser(65534)
        }
        defer { if isRoot { setUser(0) } }
        for mode: mode_t in [0o300, 0o000, 0o500, 0o400] {
            let folder = "\(top)/\(String(mode, radix: 8))"
            #expect(mkdir(folder, 0o700) == 0)
            try #require(FileManager.default.createFile(atPath: folder + "/file", contents: Data(count: 100_000)))
            #expect(chmod(folder, mode) == 0)
        }
        var bytes: Int64 = 0
        #expect(vp_folder_usage(top, 1000, &bytes) == 1000)
        #expect(vp_remove_tree(top) == 0)
        #expect(!FileManager.default.fileExists(atPath: top))
    }
}
