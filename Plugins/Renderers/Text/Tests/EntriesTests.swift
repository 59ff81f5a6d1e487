import Testing

@testable import TextRenderer

/// Address books and calendars, whose lines are for programs.
@Suite struct EntriesTests {
    @Test("People are shown with what is known of them") func people() {
        let cards = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            FN:Jo Exam\r
             ple\r
            N:Example;Jo;;;\r
            item1.TEL;TYPE=CELL:+44 1\r
            PHOTO;ENCODING=b:AAAA\r
            ADR;TYPE=HOME:;;1 High\\; St;London;;N1;UK\r
            NOTE:a\\nb, C:\\files\\\r
            END:VCARD\r
            BEGIN:VCARD\r
            VERSION:2.1\r
            N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg;;Dr.;\r
            END:VCARD\r
            BEGIN:VCARD\r
            FN:Cut off
            TEL;VALUE=uri:tel:+44-20
            PHOTO;ENCODING=b:AAAA
            """
        let expected = [
            TextBlock("Jo Example", .heading(2)), TextBlock("+44 1\n1 High; St, London, N1, UK\na\nb, C:\\files\\"),
            TextBlock("Dr. Jörg Müller", .heading(2)), TextBlock("Cut off", .heading(2)), TextBlock("+44-20"),
        ]
        #expect(AddressBook.blocks(Array(cards.utf8)) == expected)
        #expect(TextKind("text/vcard", cards, Array(cards.utf8)) == .entries(expected))
        #expect(TextKind("text/vcard", "BEGIN:VCARD", Array("BEGIN:VCARD".utf8)) == .code)
    }

    @Test("What goes on in the next line ends at an empty one") func softEnds() {
        let card = """
            BEGIN:VCARD\r
            FN;ENCODING=QUOTED-PRINTABLE:=\r
            Jo Ex=\r
            ample\r
            ADR;HOME;ENCODING=QUOTED-PRINTABLE:;=\r
            ;=\r
            1 High St: left;=\r
            London;=\r
            \r
            LABEL;HOME;ENCODING=QUOTED-PRINTABLE:=\r
            1 High St\r
            NOTE;ENCODING=QUOTED-PRINTABLE:a=\r
            \r
            b\r
            END:VCARD\r
            """
        #expect(
            AddressBook.blocks(Array(card.utf8)) == [
                TextBlock("Jo Example", .heading(2)), TextBlock("1 High St: left, London\nab"),
            ])
    }

    @Test("Events are shown with when and where they are") func events() {
        let calendar = """
            BEGIN:VCALENDAR
            X-WR-CALNAME:Work
            BEGIN:VTIMEZONE
            BEGIN:STANDARD
            DTSTART:19701025T030000
            END:STANDARD
            END:VTIMEZONE
            BEGIN:VEVENT
            BEGIN:VALARM
            DESCRIPTION:Reminder
            END:VALARM
            DTSTART;TZID="Europe/Berlin: west":20261201T090000
            SUMMARY:Planning\\, all
            LOCATION:Room 4
            END:VEVENT
            BEGIN:VTODO
            DUE:20261224T180000Z
            END:VTODO
            BEGIN:VEVENT
            SUMMARY:Holiday
            DTSTART;VALUE=DATE:20261225
            DESCRIPTION:Bring cake
            END:VEVENT
            BEGIN:VEVENT
            SUMMARY:Review
            ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA
            """
        #expect(
            Agenda.blocks(Array(calendar.utf8)) == [
                TextBlock("Work", .heading(1)), TextBlock("Planning, all", .heading(2)),
                TextBlock("2026-12-01 09:00 · Room 4"), TextBlock("–", .heading(2)), TextBlock("2026-12-24 18:00 UTC"),
                TextBlock("Holiday", .heading(2)), TextBlock("2026-12-25\nBring cake"),
                TextBlock("Review", .heading(2)),
            ])
    }

    @Test("What never ends does no harm") func endless() {
        let deep = Array(String(repeating: "BEGIN:VEVENT\n", count: 10_000).utf8)
        #expect(Agenda.blocks(deep).isEmpty && AddressBook.blocks(deep).isEmpty)
        let many = Array(String(repeating: "BEGIN:VCARD\nFN:a\nEND:VCARD\nEND:VCARD\n", count: 10_000).utf8)
        #expect(AddressBook.blocks(many).count == 40 && Agenda.blocks(many).isEmpty)
    }
}
