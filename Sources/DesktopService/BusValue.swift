import CGIO

/// A value in a message of D-Bus, of the types that thumbnailers' messages have.
enum BusValue: Equatable, Sendable {
    /// `u`
    case number(UInt32)
    /// `i`
    case signed(Int32)
    /// `s`; what is not UTF-8 cannot be sent.
    case text(String)
    /// `as`
    case texts([String])

    /// - Returns: `nil` for another type.
    fileprivate init?(_ variant: OpaquePointer) {
        switch String(cString: g_variant_get_type_string(variant)) {
        case "u": self = .number(g_variant_get_uint32(variant))
        case "i": self = .signed(g_variant_get_int32(variant))
        case "s": self = .text(String(cString: g_variant_get_string(variant, nil)))
        case "as":
            var count: gsize = 0
            let strings = g_variant_get_strv(variant, &count)
            defer { g_free(strings) }
            self = .texts((0..<Int(count)).map { index in strings?[index].map { String(cString: $0) } ?? "" })
        default: return nil
        }
    }

    /// The parts of a tuple, such as what a call is given.
    static func parts(of tuple: OpaquePointer?) -> [BusValue]? {
        guard let tuple else { return [] }
        var values: [BusValue] = []
        for index in 0..<g_variant_n_children(tuple) {
            let child = g_variant_get_child_value(tuple, index)
            defer { g_variant_unref(child) }
            guard let child, let value = BusValue(child) else { return nil }
            values.append(value)
        }
        return values
    }

    /// A tuple of values, which nobody owns yet.
    static func tuple(_ values: [BusValue]) -> OpaquePointer? {
        var parts = values.map(\.variant)
        return g_variant_new_tuple(&parts, gsize(parts.count))
    }

    private var variant: OpaquePointer? {
        switch self {
        case .number(let number): return g_variant_new_uint32(number)
        case .signed(let number): return g_variant_new_int32(number)
        case .text(let text): return g_variant_new_string(Self.clean(text))
        case .texts(let texts):
            var builder = GVariantBuilder()
            let type = g_variant_type_new("as")
            defer { g_variant_type_free(type) }
            g_variant_builder_init(&builder, type)
            for text in texts { g_variant_builder_add_value(&builder, g_variant_new_string(Self.clean(text))) }
            return g_variant_builder_end(&builder)
        }
    }

    /// Texts of D-Bus end with a zero.
    private static func clean(_ text: String) -> String { text.contains("\0") ? text.replacing("\0", with: " ") : text }
}
