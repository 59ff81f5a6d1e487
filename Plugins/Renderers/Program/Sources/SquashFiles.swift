internal import CProgram
internal import VitrineKit

/// A file system that is read only (SquashFS 4.0), by libsquashfs; the one owner of its objects.
///
/// Links are followed inside of it. Those that lead out of it lead nowhere.
final class SquashFiles {
    private let source: SquashSource
    private let compressor: UnsafeMutablePointer<sqfs_compressor_t>
    private let folders: OpaquePointer
    private let contents: OpaquePointer

    /// Steps of a path with all links on the way, and names of a folder that are looked at.
    private static let mostSteps = 64, mostNames = 1024
    /// Bytes of a link's target.
    private static let longestTarget = 4096

    /// Reads where everything is.
    /// - Parameters:
    ///   - input: the file in which it lies; must outlive this object.
    ///   - start: where it begins there.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`, or what the input throws.
    init(_ input: any RandomAccessInput, from start: Int64) throws(PluginError) {
        let source = SquashSource(input, from: start)
        let head = source.head
        try source.check(sqfs_super_read(head, source.file))
        var settings = sqfs_compressor_config_t()
        try source.check(
            sqfs_compressor_config_init(
                &settings, SQFS_COMPRESSOR(UInt32(head.pointee.compression_id)), Int(head.pointee.block_size),
                UInt16(SQFS_COMP_FLAG_UNCOMPRESS.rawValue)))
        var compressor: UnsafeMutablePointer<sqfs_compressor_t>?
        try source.check(sqfs_compressor_create(&settings, &compressor))
        guard let compressor else { throw SquashSource.noMemory }
        guard let folders = sqfs_dir_reader_create(head, compressor, source.file, 0) else {
            sqfs_destroy(compressor)
            throw SquashSource.noMemory
        }
        guard let contents = sqfs_data_reader_create(source.file, Int(head.pointee.block_size), compressor, 0) else {
            sqfs_destroy(UnsafeMutableRawPointer(folders))
            sqfs_destroy(compressor)
            throw SquashSource.noMemory
        }
        (self.source, self.compressor, self.folders, self.contents) = (source, compressor, folders, contents)
        try source.check(sqfs_data_reader_load_fragment_table(contents, head))
    }

    deinit {
        sqfs_destroy(UnsafeMutableRawPointer(contents))
        sqfs_destroy(UnsafeMutableRawPointer(folders))
        sqfs_destroy(compressor)
    }

    /// The names in the topmost folder.
    /// - Throws: `corrupt`, or what the input throws.
    func names() throws(PluginError) -> [String] {
        guard let root = try node([]) else { return [] }
        try source.check(withExtendedLifetime(root) { sqfs_dir_reader_open_dir(folders, root.inode, 0) })
        var names: [String] = []
        var entry: UnsafeMutablePointer<sqfs_dir_entry_t>?
        while names.count < Self.mostNames {
            let status = sqfs_dir_reader_read(folders, &entry)
            try source.check(status)
            guard status == 0, let entry else { break }
            defer { sqfs_free(entry) }
            let name = UnsafeBufferPointer(start: cprogram_name(entry), count: Int(entry.pointee.size) + 1)
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    /// The bytes of a file.
    /// - Parameters:
    ///   - path: from the topmost folder on.
    ///   - limit: how many bytes it may have.
    /// - Returns: `nil` when there is no such file.
    /// - Throws: `corrupt`, `limitExceeded`, or what the input throws.
    func contents(of path: String, limit: Int) throws(PluginError) -> [UInt8]? {
        guard let node = try found(path), node.kind == SQFS_INODE_MODE_REG else { return nil }
        var size: UInt64 = 0
        try source.check(withExtendedLifetime(node) { sqfs_inode_get_file_size(node.inode, &size) })
        guard size <= limit else {
            throw PluginError(
                .limitExceeded, "a file in the AppImage has \(size) bytes; at most \(limit) are unpacked")
        }
        var status: Int32 = 0
        let bytes = withExtendedLifetime(node) {
            [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
                while count < Int(size) {
                    status = sqfs_data_reader_read(
                        contents, node.inode, UInt64(count), buffer.baseAddress.map { $0 + count },
                        UInt32(Int(size) - count))
                    guard status > 0 else { break }
                    count += Int(status)
                }
            }
        }
        try source.check(status)
        guard bytes.count == Int(size) else { throw SquashSource.broken }
        return bytes
    }

    /// Follows a path, and the links on it.
    private func found(_ path: String) throws(PluginError) -> Node? {
        var rest = Self.parts(path)[...]
        var here: [String] = []
        for _ in 0..<Self.mostSteps {
            guard let part = rest.popFirst() else { return try node(here) }
            if part == ".." {
                guard here.popLast() != nil else { return nil }
                continue
            }
            guard let next = try node(here + [part]) else { return nil }
            if next.kind == SQFS_INODE_MODE_LNK {
                guard let target = next.target(Self.longestTarget), !target.hasPrefix("/") else { return nil }
                rest = Self.parts(target) + rest
            } else {
                here.append(part)
            }
        }
        return nil
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.map { String($0) }
    }

    /// What is at a path without links; `nil` when there is nothing.
    private func node(_ path: [String]) throws(PluginError) -> Node? {
        var inode: UnsafeMutablePointer<sqfs_inode_generic_t>?
        let status = sqfs_dir_reader_find_by_path(folders, nil, path.joined(separator: "/"), &inode)
        if [SQFS_ERROR_NO_ENTRY, SQFS_ERROR_NOT_DIR].contains(where: { $0.rawValue == status }) { return nil }
        try source.check(status)
        return inode.map { Node(inode: $0) }
    }

    /// A file, folder or link; the owner of libsquashfs's object.
    private final class Node {
        let inode: UnsafeMutablePointer<sqfs_inode_generic_t>

        init(inode: UnsafeMutablePointer<sqfs_inode_generic_t>) { self.inode = inode }

        deinit { sqfs_free(inode) }

        var kind: SQFS_INODE_MODE {
            SQFS_INODE_MODE(UInt32(inode.pointee.base.mode) & SQFS_INODE_MODE_MASK.rawValue)
        }

        /// Where a link leads to.
        func target(_ limit: Int) -> String? {
            let count = inode.pointee.data.slink.target_size
            guard count <= limit else { return nil }
            return String(
                decoding: UnsafeBufferPointer(start: cprogram_target(inode), count: Int(count)), as: UTF8.self)
        }
    }
}
