import Foundation
import Testing
import VitrineTesting

/// An installed tree, run by a user whom permissions stop: as nobody when the tests run as root.
@Suite struct OrdinaryUserTests {
    private static var isRoot: Bool { geteuid() == 0 }

    private func home(_ tree: InstalledTree) throws -> UserHome {
        try UserHome(tree: tree, prefix: Self.isRoot ? Surroundings.asNobody.prefix() : [])
    }

    /// Hands everything in a home to the user who runs the program.
    private func handOver(_ home: UserHome) throws {
        if Self.isRoot { home.handOver() }
    }

    @Test func whatTheUserMayNotReadIsForbidden() async throws {
        let home = try home(try await InstalledTree.shared())
        let content = try UserHome.fixture("pdf/plain.pdf")
        try OddFiles(in: home.files).everything(content: content)
        try home.write("closed/plain.pdf", content)
        chmod(home.file("closed"), 0o200)
        for name in ["pdf/plain.pdf", "image/rgb-8.png", "video/vp9.webm", "office/vitrine.odt"] {
            try home.copy(name, as: "good/\(name)")
        }
        try handOver(home)
        let run = try await home.run("prebuild", "--progress=json", home.files)
        #expect(run.exitCode == 0, "\(run.errors)")
        let results = try run.items().map { ($0.uri.replacing("file://\(home.files)/", with: ""), $0.result) }
        let byName = Dictionary(results) { first, _ in first }
        for name in ["unreadable.pdf", "unreadable", "closed"] { #expect(byName[name] == "forbidden", "\(name)") }
        for name in ["pdf/plain.pdf", "image/rgb-8.png", "video/vp9.webm", "office/vitrine.odt"] {
            #expect(byName["good/\(name)"] == "made", "\(name)")
        }
        // Not even a failure is kept of what the user may not read.
        let failures = home.cached.keys.filter { $0.hasPrefix("thumbnails/fail/") }
        #expect(failures.count == 1, "of the sparse file only")
        #expect(home.leftovers(of: run.pid) == [])
        let named = try await home.run("get", home.file("unreadable.pdf"))
        #expect(named.exitCode == 1 && named.errors.contains("Permission denied"))
        let folder = try await home.run("prebuild", home.file("unreadable"))
        #expect(folder.errors.contains(home.file("unreadable")))
    }

    @Test func aCacheThatTheUserMayNotWriteTo() async throws {
        let home = try home(try await InstalledTree.shared())
        try home.copy("image/plain.jpg", as: "plain.jpg")
        try home.copy("pdf/zero-pages.pdf", as: "zero-pages.pdf")
        try handOver(home)
        chmod(home.cache, 0o500)
        let run = try await home.run("prebuild", "--size=large,300", "--progress=json", home.files)
        #expect(run.exitCode == 1, "\(run.errors)")
        let stopped = try #require(try run.summary().stopped)
        #expect(try run.items().isEmpty && stopped.contains("'\(home.cache)': Permission denied"), "\(stopped)")
        #expect(home.leftovers(of: run.pid) == [])
        // A folder of somebody else below is no reason to do nothing.
        chmod(home.cache, 0o700)
        #expect(try await home.run("prebuild", "--size=large", home.files).exitCode == 0)
    }

    /// Words before a program that sees a /proc in which there are only its own processes.
    private static let hidingProcesses = [
        "/usr/bin/unshare", "--mount", "/bin/sh", "-c", "mount -t proc -o hidepid=2 proc /proc && exec \"$@\"", "sh",
    ]

    private static let canHideProcesses = isRoot && Ability.works(hidingProcesses + ["/bin/true"])

    @Test(.enabled(if: canHideProcesses, "/proc cannot be mounted here"))
    func workersAreWatchedWhereProcHidesProcesses() async throws {
        let prefix = Self.hidingProcesses + (try Surroundings.asNobody.prefix())
        let home = try UserHome(tree: try await InstalledTree.shared(), prefix: prefix)
        home.handOver()
        let other = try await home.run(program: prefix + ["/bin/cat", "/proc/1/comm"])
        try #require(other.exitCode == 1 && other.errors.contains("No such file"), "nothing is hidden")
        let doctor = try await home.run("doctor", "--json")
        struct Report: Decodable {
            struct Line: Decodable {
                var subject: String
                var state: String
            }
            var findings: [Line]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(doctor.output))
        #expect(report.findings.filter { $0.subject == "memory watch" }.map(\.state) == ["ok"])
    }

    /// Words before a program that sees itself as root and knows nobody else, as in a container of one ordinary user.
    private static let aloneAsRoot = ["/usr/bin/unshare", "--user", "--map-root-user", "--"]

    private static var aloneAsRootOfAnybody: [String] {
        get throws { (isRoot ? try Surroundings.asNobody.prefix() : []) + aloneAsRoot }
    }

    private static var canBeAlone: Bool {
        guard let words = try? aloneAsRootOfAnybody else { return false }
        return Ability.works(words + ["/bin/true"])
    }

    @Test(.enabled(if: canBeAlone, "ordinary users may make no user namespaces here"))
    func rootOfANamespaceThatKnowsNobodyElse() async throws {
        let home = try UserHome(tree: try await InstalledTree.shared(), prefix: try Self.aloneAsRootOfAnybody)
        for name in ["office/vitrine.odt", "pdf/plain.pdf"] { try home.copy(name, as: name) }
        try handOver(home)
        // Without the network's namespace at most, which a machine may refuse to those who have one already.
        try home.configure("[containment]\nrequired = calls\n")
        let run = try await home.run("prebuild", "--progress=json", home.files)
        #expect(try run.items().map(\.result) == ["made", "made"], "\(run.errors)")
        #expect(!run.errors.contains("identity"), "\(run.errors)")
        #expect(home.leftovers(of: run.pid) == [])
    }

    /// Words before a program that knows its own user and nobody else, as in the sandbox in which GNOME runs thumbnailers.
    private static let aloneAsItself = ["/usr/bin/unshare", "--user", "--map-current-user", "--"]

    private static var canBeAloneAsNobody: Bool {
        guard isRoot, let words = try? Surroundings.asNobody.prefix() else { return false }
        return Ability.works(words + aloneAsItself + ["/bin/true"])
    }

    @Test(.enabled(if: canBeAloneAsNobody, "only root can lay a plugin of somebody else somewhere"))
    func whereRootIsUnknownPluginsOfStrangersAreNotRoots() async throws {
        let tree = try await InstalledTree.shared()
        // As a user whose number is not that by which strangers go.
        let prefix = ["/usr/bin/setpriv", "--reuid=4711", "--regid=4711", "--clear-groups"] + Self.aloneAsItself
        let home = try UserHome(tree: tree, prefix: prefix)
        let stranger = try ScratchFolder("stranger")
        chmod(stranger.path, 0o1777)
        try FileManager.default.copyItem(atPath: tree.plugins + "/s3", toPath: stranger.path + "/s3")
        for (user, path) in [("4711", home.path), ("4712", stranger.path + "/s3")] {
            let owned = try await home.run(program: ["/bin/chown", "-R", user, path])
            try #require(owned.exitCode == 0, "\(owned.errors)")
        }
        let run = try await home.run(
            program: prefix + ["/usr/bin/env", "VITRINE_PLUGIN_PATH=\(stranger.path)", home.program, "plugins"])
        // Those of the installation, which are root's, go on.
        let refused = run.errors.split(separator: "\n")
        #expect(refused.count == 1 && refused[0].contains("cannot be told in this sandbox"), "\(run.errors)")
        #expect(refused.first?.contains(stranger.path) == true)
    }

    @Test(.enabled(if: isRoot, "only root's workers run as somebody else"))
    func rootsOwnTemporaryFolderNeedNotBeOpenToItsWorkers() async throws {
        let home = try UserHome()
        let file = try home.copy("office/vitrine.odt", as: "vitrine.odt")
        chmod(home.temporary, 0o700)
        let run = try await home.run("get", file)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(home.leftovers(of: run.pid) == [])
    }
}
