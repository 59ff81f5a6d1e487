internal import CArchive
package import VitrineKit

/// libarchive as a whole.
package enum ArchiveLibrary {
    /// Loads what libarchive and the C library load late, and sets the process's encoding of names to UTF-8.
    /// - Throws: `pluginUnavailable` when libarchive cannot be used.
    package static func warmUp() throws(PluginError) {
        // Names that an archive declares to be Unicode are turned into the encoding of the process.
        setlocale(LC_CTYPE, "C.UTF-8")
        guard let archive = archive_read_new() else {
            throw PluginError(.pluginUnavailable, "libarchive cannot be used: there is no memory for it")
        }
        defer { archive_read_free(archive) }
        addFilters(archive)
        addFormats(archive)
    }

    /// How whole archives are packed. Only what is compiled into libarchive: for the others it starts programs, which
    /// its answer tells.
    static func addFilters(_ archive: OpaquePointer) {
        for add in builtIn { _ = add(archive) }
    }

    /// Kinds of archives. `mtree` lists files of the machine, and is left out with all that is rarer than a risk.
    static func addFormats(_ archive: OpaquePointer) {
        for add in formats { _ = add(archive) }
    }

    private typealias Addition = @convention(c) @Sendable (OpaquePointer?) -> CInt

    /// Found out once, with an object of its own: an addition cannot be taken back.
    private static let builtIn: [Addition] = {
        let all: [Addition] = [
            archive_read_support_filter_gzip, archive_read_support_filter_bzip2, archive_read_support_filter_xz,
            archive_read_support_filter_lzma, archive_read_support_filter_lzip, archive_read_support_filter_zstd,
            archive_read_support_filter_lz4, archive_read_support_filter_compress, archive_read_support_filter_rpm,
        ]
        return all.filter { add in
            guard let archive = archive_read_new() else { return false }
            defer { archive_read_free(archive) }
            return add(archive) == ARCHIVE_OK
        }
    }()

    private static let formats: [Addition] = [
        archive_read_support_format_zip, archive_read_support_format_7zip, archive_read_support_format_rar,
        archive_read_support_format_rar5, archive_read_support_format_tar, archive_read_support_format_cpio,
        archive_read_support_format_ar, archive_read_support_format_iso9660, archive_read_support_format_cab,
        archive_read_support_format_lha, archive_read_support_format_raw, archive_read_support_format_empty,
    ]
}
