import BaseFolders
import Glibc
import Testing

/// Where the user's folders are.
@Suite struct BaseFoldersTests {
    private func folders(_ environment: [String: String], _ home: String? = "/record") -> [String?] {
        let folders = BaseFolders(environment: environment) { home }
        return [folders.cache, folders.config, folders.data]
    }

    @Test func `variables come before the home`() {
        let all = ["XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/o//", "XDG_DATA_HOME": "/d/", "HOME": "/h"]
        #expect(folders(all) == ["/c", "/o", "/d"])
        #expect(folders(["HOME": "/h"]) == ["/h/.cache", "/h/.config", "/h/.local/share"])
        #expect(folders(["HOME": "/h/", "XDG_DATA_HOME": "d"]) == ["/h/.cache", "/h/.config", "/h/.local/share"])
        #expect(folders(["HOME": "/"]) == ["/.cache", "/.config", "/.local/share"])
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative"], ["HOME": ".", "XDG_CACHE_HOME": ""]])
    func `a home that no variable tells is the one on record`(environment: [String: String]) {
        #expect(folders(environment) == ["/record/.cache", "/record/.config", "/record/.local/share"])
        #expect(folders(environment, "/record/") == folders(environment))
        #expect(folders(environment.merging(["XDG_CONFIG_HOME": "/o"]) { $1 })[1] == "/o")
    }

    @Test(arguments: [nil, "", "relative"])
    func `who has no home either has only what variables tell`(record: String?) {
        #expect(folders([:], record) == [nil, nil, nil])
        #expect(folders(["XDG_DATA_HOME": "/d"], record) == [nil, nil, "/d"])
    }

    @Test func `the record is the system's`() throws {
        let entry = try #require(getpwuid(getuid()))
        #expect(BaseFolders.homeOnRecord() == String(cString: entry.pointee.pw_dir))
    }
}
