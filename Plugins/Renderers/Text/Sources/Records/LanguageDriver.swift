/// The byte of a table that names the driver of a language.
enum LanguageDriver {
    /// The encodings that it stands for, by uchardet's names, or those alike for what uchardet does not know.
    static let encodings: [UInt8: String] = {
        let drivers: [(encoding: String, bytes: [UInt8])] = [
            ("IBM437", [0x01, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x15, 0x18, 0x19, 0x1B]),
            ("IBM850", [0x02, 0x0A, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x1A, 0x1D, 0x25, 0x37]),
            ("IBM852", [0x1F, 0x22, 0x23, 0x40, 0x64, 0x87]), ("IBM737", [0x6A, 0x86]), ("IBM857", [0x6B, 0x88]),
            ("IBM865", [0x08, 0x17, 0x66]), ("IBM866", [0x26, 0x65]), ("WINDOWS-1250", [0xC8]),
            ("WINDOWS-1251", [0xC9]), ("WINDOWS-1252", [0x03, 0x57, 0x58, 0x59]), ("WINDOWS-1253", [0xCB]),
            ("WINDOWS-1254", [0xCA]), ("WINDOWS-1255", [0x7D]), ("WINDOWS-1256", [0x7E]), ("WINDOWS-1257", [0xCC]),
            ("SHIFT_JIS", [0x13, 0x7B]), ("GB18030", [0x4D, 0x7A]), ("UHC", [0x4E, 0x79]), ("BIG5", [0x4F, 0x78]),
            ("TIS-620", [0x50, 0x7C]), ("MACINTOSH", [0x04]), ("MAC-CYRILLIC", [0x96]),
            ("MAC-CENTRALEUROPE", [0x97]), ("IBM860", [0x24]), ("IBM861", [0x67]), ("IBM863", [0x1C, 0x6C]),
        ]
        return Dictionary(drivers.flatMap { row in row.bytes.map { ($0, row.encoding) } }) { first, _ in first }
    }()
}
