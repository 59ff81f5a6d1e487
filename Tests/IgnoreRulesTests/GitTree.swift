import Foundation
import IgnoreRules
import TestSupport
import VitrineKit

/// Folders with the same files but other rules, about which git and the module are asked alike.
struct GitTree {
    /// Files of patterns by the folder that they lie in, "" for the top.
    typealias Rules = [String: [UInt8]]
    struct GitFailed: Error { var message: String }

    /// In each of the folders.
    static let files: [[UInt8]] =
        [
            "a", "b", "ab", "abc", "foo", "bar", "foo.txt", "foo.o", ".hid", "a b", "trailing ", "#c", "!d", "x[y",
            "x\\y",
            "]", "-", "^", "é", "dir/a", "dir/b.o", "dir/foo.txt", "dir/sub/a", "dir/sub/b.o", "dir/sub/deep/a",
            "dir/sub/deep/foo.txt", "build/out/a", "build/x.o", "doc/a/b", "doc/frotz", "*", "q?",
        ].map { Array($0.utf8) } + [Array("raw".utf8) + [0xFF], Array("dir/".utf8) + [0xC3, 0x28]]

    /// The files and every folder above them.
    static let paths: [[UInt8]] = {
        var all = Set(files)
        for file in files {
            for place in file.indices where file[place] == UInt8(ascii: "/") { all.insert(Array(file[..<place])) }
        }
        return all.sorted { $0.lexicographicallyPrecedes($1) }
    }()
    static let folders = Set(paths).subtracting(files)

    private let scratch: TemporaryFolder
    private let cases: [Rules]

    init(_ cases: [Rules]) throws {
        self.cases = cases
        scratch = try TemporaryFolder()
        for (number, rules) in cases.enumerated() {
            let top = "\(scratch.path)/case\(number)"
            for folder in [""] + Self.folders.map({ String(decoding: $0, as: UTF8.self) }).sorted() {
                mkdir("\(top)/\(folder)", 0o755)
            }
            for file in Self.files { try Self.write([], Array("\(top)/".utf8) + file) }
            for (folder, content) in rules { try Self.write(content, Array("\(top)/\(folder)/.gitignore".utf8)) }
        }
        try git(["init", "-q", "."], [])
    }

    /// What git takes out: the file and line of the pattern, by case and path.
    func excludedByGit() throws -> [[[UInt8]: String]] {
        var asked: [UInt8] = []
        for number in cases.indices { for path in Self.paths { asked += "case\(number)/".utf8 + path + [0] } }
        let fields = try git(["check-ignore", "--no-index", "-v", "-z", "--stdin"], asked)
            .split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        var excluded = cases.map { _ in [[UInt8]: String]() }
        for start in stride(from: 0, to: fields.count - 3, by: 4) {
            let path = fields[start + 3]
            guard let slash = path.firstIndex(of: UInt8(ascii: "/")),
                let number = Int(String(decoding: path[4..<slash], as: UTF8.self))
            else { throw GitFailed(message: "answered about \(DisplayText.of(path))") }
            if fields[start + 2].first == UInt8(ascii: "!") { continue }
            let source = String(decoding: fields[start], as: UTF8.self)
            let line = String(decoding: fields[start + 1], as: UTF8.self)
            excluded[number][Array(path[(slash + 1)...])] = "'\(source)', line \(line)"
        }
        return excluded
    }

    /// What the rules take out, asked as a walk does: no folder that is excluded is entered.
    func excludedByRules() throws -> [[[UInt8]: String]] {
        try cases.indices.map { number in
            var excluded: [[UInt8]: String] = [:]
            let top = try ItemPath("case\(number)")
            for path in Self.paths {
                var rules = try rules(in: top, top: top, IgnoreRules())
                var folder = top
                let names = path.split(separator: UInt8(ascii: "/"))
                for (depth, name) in names.enumerated() {
                    let next = try folder.appending(name)
                    let isFolder = depth < names.count - 1 || Self.folders.contains(path)
                    if case .excluded(let pattern, let origin) = rules.decision(for: next, isFolder: isFolder) {
                        excluded[path] = "\(origin), line \(pattern.line ?? 0)"
                        break
                    }
                    folder = next
                    rules = try self.rules(in: folder, top: top, rules.entering(folder))
                }
            }
            return excluded
        }

    }

    private func rules(in folder: ItemPath, top: ItemPath, _ above: IgnoreRules) throws -> IgnoreRules {
        let number = Int(top.description.dropFirst(4)) ?? 0
        let below = String(decoding: folder.bytes.dropFirst(top.bytes.count + 1), as: UTF8.self)
        guard let content = cases[number][below] else { return above }
        return try above.adding(IgnoreList(content: content, of: folder.appending(Array(".gitignore".utf8))))
    }

    private static func write(_ content: [UInt8], _ path: [UInt8]) throws {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw GitFailed(message: "cannot write \(DisplayText.of(path))") }
        defer { close(descriptor) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(content))
    }

    /// Runs git in the folder, without the settings of whoever runs the tests.
    @discardableResult
    private func git(_ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
        let (asked, answer) = (scratch.url.appending(path: ".asked"), scratch.url.appending(path: ".answer"))
        try Data(input).write(to: asked)
        try Data().write(to: answer)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/git")
        process.arguments =
            ["-C", scratch.path, "-c", "core.ignoreCase=false", "-c", "core.excludesFile=/dev/null"] + arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
            "GIT_CEILING_DIRECTORIES": scratch.path,
        ]
        process.standardInput = try FileHandle(forReadingFrom: asked)
        process.standardOutput = try FileHandle(forWritingTo: answer)
        try process.run()
        process.waitUntilExit()
        // 1 says that nothing is ignored.
        guard process.terminationStatus < 2 else { throw GitFailed(message: "git \(arguments)") }
        return Array(try Data(contentsOf: answer))
    }
}
