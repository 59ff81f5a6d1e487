internal import CFont
internal import VitrineKit

/// FreeType; faces hold it for as long as they live.
final class FontLibrary {
    let library: FT_Library

    /// Starts it.
    /// - Throws: `pluginUnavailable`.
    init() throws(PluginError) {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0, let library else {
            throw PluginError(.pluginUnavailable, "FreeType cannot be started")
        }
        self.library = library
    }

    deinit { FT_Done_FreeType(library) }
}

/// One face of a font file; the one owner of FreeType's object. Once the file's bytes are gone, nothing but its end may be
/// asked of it.
final class FontFace {
    let face: FT_Face
    private let library: FontLibrary
    /// Faces in the file.
    let count: Int

    /// Opens a face.
    /// - Throws: `corrupt` when it is no font, `unsupported` for resources of the Macintosh that are none,
    ///   `limitExceeded` without memory, `invalidArgument` when there is no such face.
    init(_ library: FontLibrary, _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest) throws(PluginError) {
        self.library = library
        let start = bytes.baseAddress?.assumingMemoryBound(to: FT_Byte.self)
        var probe: FT_Face?
        // A negative number asks for the count alone.
        try Self.check(FT_New_Memory_Face(library.library, start, FT_Long(bytes.count), -1, &probe))
        count = max(1, Int(probe?.pointee.num_faces ?? 0))
        FT_Done_Face(probe)
        try request.checkPage(of: count, in: "the font file", unit: "face")
        var opened: FT_Face?
        try Self.check(FT_New_Memory_Face(library.library, start, FT_Long(bytes.count), FT_Long(request.page), &opened))
        guard let opened else { throw PluginError(.corrupt, "the font cannot be read") }
        face = opened
        Self.takeBytesForLetters(opened)
    }

    /// FreeType chooses no table of letters where none is of Unicode. Windows' fonts of one size have one of bytes, the first half
    /// of which means what it does in Unicode.
    private static func takeBytesForLetters(_ face: FT_Face) {
        var header = FT_WinFNT_HeaderRec()
        guard face.pointee.charmap == nil, face.pointee.num_charmaps > 0, let tables = face.pointee.charmaps,
            FT_Get_WinFNT_Header(face, &header) == 0
        else { return }
        FT_Set_Charmap(face, tables[0])
    }

    deinit { FT_Done_Face(face) }

    /// The face for cairo, which holds this object as long as it needs it.
    ///
    /// Beyond its last use: cairo keeps what it knows of a face, its glyphs for instance, under the face's address. Another
    /// face at the same address would be drawn with the glyphs of the one before.
    /// - Returns: to be destroyed by the caller.
    /// - Throws: `limitExceeded` without memory.
    func forCairo() throws(PluginError) -> OpaquePointer {
        let own = cairo_ft_font_face_create_for_ft_face(face, 0)
        let holder = Unmanaged.passRetained(self)
        let status = cairo_font_face_set_user_data(own, cfont_holder_key(), holder.toOpaque()) { holder in
            holder.map { Unmanaged<FontFace>.fromOpaque($0).release() }
        }
        guard status == CAIRO_STATUS_SUCCESS, let own else {
            holder.release()
            cairo_font_face_destroy(own)
            throw PluginError(.limitExceeded, "there is no memory to draw the font")
        }
        return own
    }

    private static func check(_ error: FT_Error) throws(PluginError) {
        switch error {
        case 0: return
        case FT_Error(FT_Err_Out_Of_Memory):
            throw PluginError(.limitExceeded, "reading the font needs more memory than the renderer may use")
        case FT_Error(FT_Err_Cannot_Open_Resource):
            // The head of a resource fork says nothing of what is in it.
            throw PluginError(.unsupported, "the file has no outline font among its resources")
        case FT_Error(FT_Err_Unimplemented_Feature):
            throw PluginError(.unsupported, "the font is of a kind that FreeType was built without")
        default:
            let reason = cfont_error_text(error).map { String(cString: $0) } ?? "error \(error)"
            throw PluginError(.corrupt, "the file is no font that can be read (FreeType: \(reason))")
        }
    }

    /// The family in its own language's letters where the font has them.
    var family: String? { name(16) ?? name(1) ?? Self.text(face.pointee.family_name) }

    /// Such as `Bold Italic`.
    var style: String? { name(17) ?? name(2) ?? Self.text(face.pointee.style_name) }

    /// A name of the OpenType table of that name, in English where there is a choice.
    private func name(_ id: Int) -> String? {
        var found: String?
        for index in 0..<min(FT_Get_Sfnt_Name_Count(face), 512) {
            var name = FT_SfntName()
            guard FT_Get_Sfnt_Name(face, index, &name) == 0, Int(name.name_id) == id,
                Int32(name.platform_id) == TT_PLATFORM_MICROSOFT, let bytes = name.string
            else { continue }
            let all = UnsafeBufferPointer(start: bytes, count: Int(min(name.string_len, 512)))
            let units = stride(from: 0, to: all.count - 1, by: 2).map { UInt16(all[$0]) << 8 | UInt16(all[$0 + 1]) }
            guard let text = Self.line(String(decoding: units, as: UTF16.self)) else { continue }
            if name.language_id == 0x409 { return text }
            found = found ?? text
        }
        return found
    }

    private static func text(_ name: UnsafeMutablePointer<FT_String>?) -> String? {
        name.flatMap { line(String(cString: $0)) }
    }

    /// Without what has no place in a name.
    private static func line(_ text: String) -> String? {
        let kept = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let line = String(String.UnicodeScalarView(kept.prefix(120)))
        return line.allSatisfy(\.isWhitespace) ? nil : line
    }

    /// The letters that it has, at most as many as fit into two planes.
    func letters() -> [UInt32] {
        var index: FT_UInt = 0
        var letter = FT_Get_First_Char(face, &index)
        var found: [UInt32] = []
        while index != 0, found.count < 1 << 17 {
            found.append(UInt32(truncatingIfNeeded: letter))
            let next = FT_Get_Next_Char(face, letter, &index)
            guard next > letter else { break }
            letter = next
        }
        return found
    }
}
