import MIME

/// The parts of a message as IMAP tells them (RFC 3501, section 7.4.2).
enum BodyStructure {
    /// Takes an answer apart.
    static func parts(_ value: IMAPValue) -> [MIMEPart] {
        var parts: [MIMEPart] = []
        body(value, "", 0, &parts)
        return parts
    }

    /// What a message holds, itself or one that is attached.
    /// - Parameter section: of the attached message.
    private static func body(_ value: IMAPValue, _ section: String, _ depth: Int, _ parts: inout [MIMEPart]) {
        guard let values = value.list else { return }
        if values.first?.list != nil {
            multipart(values, section, depth, &parts)
        } else {
            leaf(values, section.isEmpty ? "1" : section + ".1", depth, &parts)
        }
    }

    private static func multipart(
        _ values: [IMAPValue], _ section: String, _ depth: Int, _ parts: inout [MIMEPart]
    ) {
        guard depth < MIMEPart.deepest else { return }
        let children = values.prefix { $0.list != nil }
        for (index, child) in children.enumerated() {
            guard parts.count < MIMEPart.most, let inner = child.list else { return }
            let place = section.isEmpty ? "\(index + 1)" : "\(section).\(index + 1)"
            if inner.first?.list != nil {
                multipart(inner, place, depth + 1, &parts)
            } else {
                leaf(inner, place, depth + 1, &parts)
            }
        }
    }

    private static func leaf(_ values: [IMAPValue], _ section: String, _ depth: Int, _ parts: inout [MIMEPart]) {
        guard parts.count < MIMEPart.most, depth < MIMEPart.deepest, values.count >= 7 else { return }
        let type = FieldValue("\(values[0].text)/\(values[1].text)", pairs(values[2]))
        let isMessage = type.value == "message/rfc822" && values.at(8).list != nil
        // Behind a text stands the number of its lines; behind a message its envelope, its structure and that number.
        let next = isMessage ? 10 : type.value.hasPrefix("text/") ? 8 : 7
        var disposition: FieldValue?
        if let found = values.at(next + 1).list { disposition = FieldValue(found.at(0).text, pairs(found.at(1))) }
        parts.append(
            MIMEPart(
                type: type, disposition: disposition, coding: TransferCoding(values[5].text), section: section,
                encodedSize: values[6].size ?? 0))
        if isMessage { body(values[8], section, depth + 1, &parts) }
    }

    private static func pairs(_ value: IMAPValue) -> [(name: [UInt8], value: [UInt8])] {
        let values = value.list ?? []
        return stride(from: 0, to: values.count - 1, by: 2).map { (values[$0].bytes ?? [], values[$0 + 1].bytes ?? []) }
    }
}
