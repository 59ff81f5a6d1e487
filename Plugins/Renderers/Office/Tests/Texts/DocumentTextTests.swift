import CompoundFiles
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// Properties and texts of packages, read without LibreOffice.
@Suite struct DocumentTextTests {
    private static let word = DocumentFormat(packing: .openXML, family: .text, suffix: "docx")
    private static let workbook = DocumentFormat(packing: .openXML, family: .spreadsheet, suffix: "xlsx")
    private static let slides = DocumentFormat(packing: .openXML, family: .presentation, suffix: "pptx")
    private static let odt = DocumentFormat(packing: .openDocument, family: .text, suffix: "odt")
    private static let ods = DocumentFormat(packing: .openDocument, family: .spreadsheet, suffix: "ods")
    private static let odp = DocumentFormat(packing: .openDocument, family: .presentation, suffix: "odp")

    private func package(_ parts: [(String, String)]) -> BytesInput {
        BytesInput(zipPackage(parts.map { (name: $0.0, bytes: Array($0.1.utf8)) }))
    }

    private func text(_ parts: [(String, String)], _ format: DocumentFormat, page: Int? = nil, isAsked: Bool = false)
        -> String?
    {
        DocumentText(of: package(parts), format, page: page, isAsked: isAsked)?.text
    }

    @Test func propertiesOfBothFamilies() {
        let core = """
            <cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:t="t"><dc:title> A &amp;\nB </dc:title>\
            <dc:creator>Alice</dc:creator><t:created>2024-05-03T14:02:11Z</t:created></cp:coreProperties>
            """
        let book = "<workbook><sheets><sheet name='One'/><sheet name='Two'/></sheets></workbook>"
        let facts = DocumentProperties(
            of: package([("docProps/core.xml", core), ("xl/workbook.xml", book)]), Self.workbook
        ).facts
        #expect(facts.title == "A & B" && facts.text(.author) == "Alice")
        #expect(facts.text(.created) == "2024-05-03T14:02:11Z")
        #expect(facts.details[.sheetNames] == .list(["One", "Two"]))
        let meta = """
            <o:document-meta xmlns:o="o" xmlns:m="m" xmlns:dc="d"><o:meta><dc:creator>Bob</dc:creator>\
            <m:initial-creator>Alice</m:initial-creator><m:creation-date>2024-05-03T14:02:11.5</m:creation-date>\
            </o:meta></o:document-meta>
            """
        let other = DocumentProperties(of: package([("meta.xml", meta)]), Self.odt).facts
        #expect(other.text(.author) == "Alice" && other.text(.created) == "2024-05-03T14:02:11")
        let old = """
            <w:wordDocument xmlns:w="w" xmlns:o="o"><o:DocumentProperties><o:Title>A &amp; B</o:Title><o:Author>Alice</o:Author>\
            <o:LastAuthor>Bob</o:LastAuthor><o:Created>2004-05-03T14:02:00Z</o:Created></o:DocumentProperties>
            """
        let single = DocumentProperties(
            of: BytesInput(Array(old.utf8)), DocumentFormat(packing: .flatXML, family: .text, suffix: "xml")
        ).facts
        #expect(single.title == "A & B" && single.text(.author) == "Alice")
        #expect(single.text(.created) == "2004-05-03T14:02:00Z")
    }

    /// Numbers of charts are not read, nor controls that no page has.
    @Test func wordsOfChartsAndControlsStandWhereTheyAreShown() {
        let office = "xmlns:o='o' xmlns:t='t' xmlns:d='d' xmlns:f='f' xmlns:x='x'"
        let chart = """
            <o:document-content \(office)><o:body><o:chart><t:p>Sales</t:p><t:table t:name='local-table'><t:p>7</t:p>\
            </t:table></o:chart></o:body></o:document-content>
            """
        let forms = """
            <o:forms><f:button f:control-implementation='b' f:id='c1' f:label='Send'/><f:button \
            f:control-implementation='b' f:id='c2' f:label='Unused'/><f:text f:control-implementation='t' f:id='c3' \
            f:current-value='Typed'/><f:password f:control-implementation='p' f:id='c4' f:current-value='Secret'/>\
            </o:forms>
            """
        let page = """
            <t:p>Before<d:frame><d:object x:href='./Object 1'/></d:frame></t:p><t:p><d:control d:control='c1'/>\
            <d:control d:control='c3'/><d:control d:control='c4'/>after</t:p>
            """
        func content(_ body: String) -> String {
            "<o:document-content \(office)><o:body>\(body)</o:body></o:document-content>"
        }
        let words = "Before\nSales\nSend\nTyped\nafter\n"
        let document = content("<o:text>\(forms)\(page)</o:text>")
        #expect(text([("content.xml", document), ("Object 1/content.xml", chart)], Self.odt) == words)
        let slide = content("<o:presentation><d:page>\(forms)\(page)</d:page></o:presentation>")
        #expect(text([("content.xml", slide), ("Object 1/content.xml", chart)], Self.odp, page: 0) == words)
        let sheet = content("<o:spreadsheet><t:table t:name='local-table'><t:p>Cell</t:p></t:table></o:spreadsheet>")
        #expect(text([("content.xml", sheet)], Self.ods)?.contains("Cell") == true)
    }

    @Test func propertiesOfCompoundFiles() throws {
        func text(_ text: [UInt8]) -> [UInt8] { little(30, 4) + little(text.count + 1, 4) + text + [0] }
        // The code page, a title, an author in Windows' letters, and the first second of 2024.
        let values = [
            (1, little(2, 4) + little(1252, 4)), (2, text(Array("Plan".utf8))), (4, text([0xC4, 0x6E, 0x6E, 0x65])),
            (12, little(64, 4) + little((1_704_067_200 + 11_644_473_600) * 10_000_000, 8)),
        ]
        var list = little(0, 4) + little(values.count, 4)
        var body: [UInt8] = []
        for (id, value) in values {
            list += little(id, 4) + little(8 + 8 * values.count + body.count, 4)
            body += value
        }
        let stream = little(0xFFFE, 2) + [UInt8](repeating: 0, count: 42) + little(48, 4) + list + body
        let summary = try #require(SummaryInformation(stream))
        #expect(summary.text(.title) == "Plan" && summary.text(.author) == "Änne")
        #expect(summary.time(.created)?.text == "2024-01-01T00:00:00Z")
        for count in 0..<stream.count {
            guard let cut = SummaryInformation(Array(stream.prefix(count))) else { continue }
            _ = (cut.text(.title), cut.text(.author), cut.time(.created), cut.text(.thumbnail))
        }
        let file = compoundFile([("\u{5}SummaryInformation", stream), ("WordDocument", [])])
        let doc = DocumentFormat(packing: .compound, family: .text, suffix: "doc")
        #expect(DocumentProperties(of: BytesInput(file), doc).facts.title == "Plan")
    }

    @Test func pagesOfTextsAreWhereTheyWereBrokenLast() {
        let body = """
            <w:document xmlns:w="w"><w:p><w:r><w:t>One</w:t><w:tab/><w:t>more</w:t></w:r></w:p>\
            <w:p><w:r><w:lastRenderedPageBreak/><w:t>Two</w:t></w:r></w:p></w:document>
            """
        #expect(text([("word/document.xml", body)], Self.word) == "One\tmore\n\nTwo\n")
        #expect(text([("word/document.xml", body)], Self.word, page: 0) == "One\tmore\n")
        #expect(text([("word/document.xml", body)], Self.word, page: 1) == "Two\n")
        #expect(text([("word/document.xml", body)], Self.word, page: 2) == nil)
        let open = """
            <o:c xmlns:o="o" xmlns:t="t"><t:h>Head</t:h><t:p>a<t:s/>b<t:span>c</t:span></t:p>\
            <t:soft-page-break/><t:p>End</t:p></o:c>
            """
        #expect(text([("content.xml", open)], Self.odt, page: 0) == "Head\na bc\n")
        #expect(text([("content.xml", open)], Self.odt, page: 1) == "End\n")
    }

    @Test func tabulatorsAndHyphensAreTextButStopsAreNone() {
        let stops = "<w:pPr><w:tabs><w:tab w:val='left' w:pos='720'/><w:tab w:val='clear' w:pos='9'/></w:tabs></w:pPr>"
        let word = """
            <w:d xmlns:w='w'><w:p>\(stops)<w:r><w:t>a</w:t><w:tab/><w:t>e</w:t><w:noBreakHyphen/><w:t>mail</w:t><w:ptab/>\
            <w:t>b</w:t></w:r></w:p></w:d>
            """
        #expect(text([("word/document.xml", word)], Self.word) == "a\te\u{2011}mail\tb\n")
    }

    @Test func deletedWordsAndCommentsAreNoText() {
        let open = """
            <o:c xmlns:o="o" xmlns:t="t"><t:tracked-changes><t:deletion><t:p>gone</t:p></t:deletion></t:tracked-changes>\
            <t:p>Before <t:change/>mid <o:annotation><o:creator>Bob</o:creator><t:p>Why?</t:p></o:annotation>end<t:s/>\
            <o:annotation-end/>.</t:p></o:c>
            """
        #expect(text([("content.xml", open)], Self.odt) == "Before mid end .\n")
        let cell = "<t:annotation><t:p>Why?</t:p></t:annotation><t:p>1</t:p>"
        #expect(rows("<t:table-row><t:table-cell>\(cell)</t:table-cell></t:table-row>") == "1\n")
        let word = """
            <w:d xmlns:w='w'><w:p><w:del><w:delText>gone</w:delText></w:del><w:moveFrom><w:t>there</w:t></w:moveFrom>\
            <w:t>stays</w:t><w:moveFromRangeEnd/><w:moveTo><w:t>, here</w:t></w:moveTo></w:p></w:d>
            """
        #expect(text([("word/document.xml", word)], Self.word) == "stays, here\n")
    }

    @Test func sheetsHaveTheirCells() {
        let parts = [
            ("xl/workbook.xml", "<w xmlns:r='r'><sheet name='A' r:id='r1'/><sheet name='B' r:id='r2'/></w>"),
            (
                "xl/_rels/workbook.xml.rels",
                "<R><Relationship Id='r2' Target='/xl/b.xml'/><Relationship Id='r1' Target='a.xml'/></R>"
            ),
            ("xl/sharedStrings.xml", "<sst><si><t>zero</t></si><si><r><t>o</t></r><r><t>ne</t></r></si></sst>"),
            (
                "xl/a.xml",
                "<s><row><c t='s'><v>1</v></c><c><v>42</v></c></row><row><c/></row><row><c t='s'><v>9</v></c></row></s>"
            ),
            ("xl/b.xml", "<s><row><c t='inlineStr'><is><t>in</t></is></c></row></s>"),
        ]
        #expect(text(parts, Self.workbook, page: 0) == "one\t42\n")
        #expect(text(parts, Self.workbook, page: 1) == "in\n")
        #expect(text(parts, Self.workbook) == "one\t42\n\nin\n")
        let open = """
            <o:c xmlns:o="o" xmlns:t="t"><t:table><t:table-row><t:table-cell><t:p>x</t:p></t:table-cell>\
            <t:table-cell><t:p>y</t:p></t:table-cell></t:table-row></t:table><t:table><t:table-row><t:table-cell>\
            <t:p>z</t:p></t:table-cell></t:table-row></t:table></o:c>
            """
        #expect(text([("content.xml", open)], Self.ods, page: 0) == "x\ty\n")
        #expect(text([("content.xml", open)], Self.ods, page: 1) == "z\n")
    }

    private func rows(_ rows: String, page: Int? = 0) -> String? {
        text([("content.xml", "<o:c xmlns:o='o' xmlns:t='t'><t:table>\(rows)</t:table></o:c>")], Self.ods, page: page)
    }

    @Test func equalCellsAndRowsThatAreWrittenOnceAreAllThere() {
        let one = "<t:table-cell t:number-columns-repeated='2'><t:p>1</t:p></t:table-cell>"
        let gap = "<t:table-cell t:number-columns-repeated='3'/>"
        #expect(rows("<t:table-row>\(one)\(gap)\(one)\(gap)</t:table-row>") == "1\t1\t\t\t\t1\t1\n")
        #expect(rows("<t:table-row t:number-rows-repeated='3'>\(one)</t:table-row>") == "1\t1\n1\t1\n1\t1\n")
        let second =
            "<t:table-row>\(one)</t:table-row><t:table-row>\(gap)</t:table-row><t:table-row>\(gap)\(one)</t:table-row>"
        #expect(rows(second) == "1\t1\n\t\t\t1\t1\n")
        let covered = "<t:covered-table-cell/><t:table-cell><t:p>a</t:p><t:p>b</t:p></t:table-cell>"
        #expect(rows("<t:table-row>\(covered)</t:table-row>") == "\ta b\n")
    }

    @Test func claimsOfManyCellsAreBounded() {
        let cells = "<t:table-cell t:number-columns-repeated='16384'><t:p>1</t:p></t:table-cell>"
        let row = "<t:table-row t:number-rows-repeated='99999999'>\(String(repeating: cells, count: 100))</t:table-row>"
        for page in [0, nil] { #expect(rows(row, page: page)?.utf8.count == Facts.textLimit) }
        #expect(rows(String(repeating: row, count: 100), page: 1) == nil)
        let odd = "<t:table-cell t:number-columns-repeated='99999999999999999999'><t:p>1</t:p></t:table-cell>"
        #expect(rows("<t:table-row t:number-rows-repeated='-5'>\(odd)</t:table-row>") == "1\n")
    }

    @Test func slidesHaveTheirLines() {
        let parts = [
            ("ppt/presentation.xml", "<p xmlns:r='r'><sldId id='256' r:id='r1'/><sldId id='257' r:id='r2'/></p>"),
            (
                "ppt/_rels/presentation.xml.rels",
                "<R><Relationship Id='r1' Target='slides/1.xml'/><Relationship Id='r2' Target='slides/2.xml'/></R>"
            ), ("ppt/slides/1.xml", "<s><p><t>First</t></p></s>"), ("ppt/slides/2.xml", "<s><p><t>Second</t></p></s>"),
        ]
        #expect(text(parts, Self.slides, page: 0) == "First\n")
        #expect(text(parts, Self.slides, page: 1) == "Second\n")
        #expect(text(parts, Self.slides, page: 2) == nil)
        let open = "<o xmlns:d='d'><d:page><d:p>a</d:p></d:page><d:page><d:p>b</d:p></d:page></o>"
        #expect(text([("content.xml", open)], Self.odp, page: 1) == "b\n")
    }

    @Test func wordsOfDiagramsAndChartsStandWhereTheseAre() {
        func relation(_ id: String, _ kind: String, _ target: String) -> String {
            "<Relationship Id='\(id)' Type='urn:relationships/\(kind)' Target='\(target)'/>"
        }
        func relations(_ folder: String) -> String {
            let list =
                relation("r1", "diagramData", folder + "diagrams/data1.xml")
                + relation("r2", "chart", folder + "charts/chart1.xml")
                + relation("r3", "image", folder + "charts/none.png")
            return "<R>\(list)</R>"
        }
        let frames = "<d:relIds r:dm='r1'/><p><t>between</t></p><c:chart r:id='r2'/><c:chart r:id='r4'/><d:relIds/>"
        let page = "<s xmlns:r='r' xmlns:c='c' xmlns:d='d'><p><t>before</t></p>\(frames)<p><t>behind</t></p></s>"
        let diagram = "<m xmlns:d='d'><d:t><p><t>Plan</t></p></d:t><d:t><p><t>Do</t></p></d:t><d:t><p/></d:t></m>"
        let axis = "<strCache><f>A1:A2</f><v>East</v><v>West &amp; South</v></strCache><numCache><v>4.3</v></numCache>"
        func drawings(_ folder: String) -> [(String, String)] {
            [
                (folder + "diagrams/data1.xml", diagram),
                (
                    folder + "charts/chart1.xml",
                    "<c><p><t>Sales</t></p><p><fld type='VALUE'><t>[1]</t></fld></p><v>1</v>\(axis)\(axis)</c>"
                ),
            ]
        }
        let words = "before\nPlan\nDo\nbetween\nSales\nEast\nWest & South\nbehind\n"
        let deck = [
            ("ppt/presentation.xml", "<p xmlns:r='r'><sldId id='256' r:id='r1'/></p>"),
            ("ppt/_rels/presentation.xml.rels", "<R><Relationship Id='r1' Target='slides/1.xml'/></R>"),
            ("ppt/slides/1.xml", page), ("ppt/slides/_rels/1.xml.rels", relations("../")),
        ]
        #expect(text(deck + drawings("ppt/"), Self.slides, page: 0) == words)
        #expect(text(deck, Self.slides, page: 0) == "before\nbetween\nbehind\n")
        let document = [("word/document.xml", page), ("word/_rels/document.xml.rels", relations(""))]
        #expect(text(document + drawings("word/"), Self.word) == words)
    }

    @Test func wordsThatNobodySeesAndWordsTwiceAreNoText() {
        let word = """
            <w:d xmlns:w='w' xmlns:mc='mc'><w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>Before</w:t></w:r><w:r>\
            <mc:AlternateContent><mc:Choice><w:p><w:r><w:t> box</w:t></w:r></w:p></mc:Choice><mc:Fallback><w:p><w:r>\
            <w:t> box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r><w:r><w:rPr><w:vanish/></w:rPr>\
            <w:t>gone</w:t><w:tab/></w:r><w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr>\
            <w:t>back</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t> seen</w:t></w:r></w:p></w:d>
            """
        #expect(text([("word/document.xml", word)], Self.word) == "Before box\nback seen\n")
        let page = """
            <o xmlns:d='d' xmlns:p='p'><d:page><d:p>a</d:p><p:notes><d:page-thumbnail/><d:p>said</d:p></p:notes></d:page>\
            <d:page><d:p>b</d:p></d:page></o>
            """
        #expect(text([("content.xml", page)], Self.odp) == "a\n\nb\n")
    }

    @Test func pagesEndWhereTheirAuthorsWantIt() {
        let body = """
            <w:d xmlns:w='w'><w:p><w:pPr><w:pageBreakBefore/></w:pPr><w:r><w:t>1</w:t><w:br/><w:br w:type='page'/></w:r></w:p>\
            <w:p><w:r><w:lastRenderedPageBreak/><w:t>2</w:t><w:br w:type='column'/></w:r></w:p>\
            <w:p><w:r><w:lastRenderedPageBreak/><w:t>3</w:t></w:r></w:p>\
            <w:p><w:pPr><w:pageBreakBefore/></w:pPr><w:r><w:lastRenderedPageBreak/><w:t>4</w:t></w:r></w:p>\
            <w:p><w:pPr><w:pageBreakBefore w:val='false'/></w:pPr><w:r><w:t>same</w:t></w:r></w:p>\
            <w:p><w:r><w:br w:type='page'/></w:r></w:p><w:p><w:r><w:br w:type='page'/><w:t>6</w:t></w:r></w:p></w:d>
            """
        let word = (0..<7).map { text([("word/document.xml", body)], Self.word, page: $0, isAsked: true) }
        #expect(word == ["1\n", "2\n", "3\n", "4\nsame\n", nil, "6\n", nil])

        func style(_ name: String, _ properties: String, _ more: String = "", family: String = "paragraph") -> String {
            "<s:style s:name='\(name)' s:family='\(family)' \(more)><s:\(family)-properties \(properties)/></s:style>"
        }
        let styles = "<o:s xmlns:o='o' xmlns:s='s'>" + style("H", "s:break-before='page'") + "</o:s>"
        let own = [
            style("B", "s:break-before='page'"), style("A", "s:break-after='page'"),
            style("M", "", "s:master-page-name='Other'"), style("I", "", "s:parent-style-name='H'"),
            style("N", "s:break-before='auto'", "s:parent-style-name='H'"), style("C", "s:break-before='column'"),
            style("T", "s:break-before='page'", family: "table"), style("E", "", "s:master-page-name=''"),
        ]
        // The first one begins no page, nor does what is in a cell.
        let paragraphs = ["B", "C", "E", "M", "H", "N", "I", "A", "B", "N", "A", "N"].enumerated().map {
            "<t:p t:style-name='\($1)'>\($0)</t:p>"
        }
        let table =
            "<t:table t:style-name='T'><t:table-row><t:table-cell><t:p t:style-name='B'>cell</t:p></t:table-cell>"
        let open = """
            <o:c xmlns:o='o' xmlns:t='t' xmlns:s='s'>\(own.joined())\(paragraphs.joined())\(table)</t:table-row></t:table>\
            <t:h t:style-name='H'>head</t:h></o:c>
            """
        let parts = [("content.xml", open), ("styles.xml", styles)]
        let pages = (0..<9).map { text(parts, Self.odt, page: $0, isAsked: true) }
        #expect(
            pages == [
                "0\n1\n2\n", "3\n", "4\n5\n", "6\n7\n", "8\n9\n10\n", "11\n", "cell\n", "head\n", nil,
            ])
    }

    @Test func whatIsHiddenIsTextOnlyWhenItIsAskedFor() {
        func workbook(_ first: String) -> [(String, String)] {
            [
                (
                    "xl/workbook.xml",
                    "<w xmlns:r='r'><sheet name='A' state='\(first)' r:id='r1'/><sheet name='B' r:id='r2'/></w>"
                ),
                (
                    "xl/_rels/workbook.xml.rels",
                    "<R><Relationship Id='r1' Target='a.xml'/><Relationship Id='r2' Target='b.xml'/></R>"
                ), ("xl/a.xml", "<s><row><c><v>1</v></c></row></s>"), ("xl/b.xml", "<s><row><c><v>2</v></c></row></s>"),
            ]
        }
        for state in ["hidden", "veryHidden"] {
            #expect(text(workbook(state), Self.workbook) == "2\n")
            #expect(text(workbook(state), Self.workbook, page: 0) == "2\n")
            #expect(text(workbook(state), Self.workbook, page: 0, isAsked: true) == "1\n")
            #expect(text(workbook(state), Self.workbook, page: 1) == "2\n")
        }
        #expect(text(workbook("visible"), Self.workbook, page: 0) == "1\n")

        func open(_ element: String, _ family: String, _ hiding: String) -> [(String, String)] {
            let styles = """
                <s:style s:name='h' s:family='\(family)'><s:\(family)-properties \(hiding)/></s:style>\
                <s:style s:name='v' s:family='\(family)'><s:\(family)-properties/></s:style>
                """
            func page(_ style: String, _ text: String) -> String {
                let cell = "<x:p>\(text)</x:p>"
                return "<x:\(element) x:style-name='\(style)'>"
                    + (element == "table" ? "<x:table-row><x:table-cell>\(cell)</x:table-cell></x:table-row>" : cell)
                    + "</x:\(element)>"
            }
            let content = styles + page("h", "1") + page("v", "2") + page("v", "3")
            return [("content.xml", "<o xmlns:s='s' xmlns:x='x'>\(content)</o>")]
        }
        for (parts, format) in [
            (open("table", "table", "s:display='false'"), Self.ods),
            (open("page", "drawing-page", "s:visibility='hidden'"), Self.odp),
        ] {
            #expect(text(parts, format) == "2\n\n3\n")
            #expect(text(parts, format, page: 0) == "2\n")
            #expect(text(parts, format, page: 0, isAsked: true) == "1\n")
            #expect(text(parts, format, page: 1) == "2\n")
        }
        // Sheets without words are passed over likewise.
        let empty = "<t:table/><t:table><t:table-row><t:table-cell><t:p>x</t:p></t:table-cell></t:table-row></t:table>"
        let book = [("content.xml", "<o xmlns:t='t'>\(empty)</o>")]
        #expect(text(book, Self.ods, page: 0) == "x\n" && text(book, Self.ods, page: 0, isAsked: true) == nil)
    }

    @Test func hostileTextsAreBoundedAndHarmless() {
        let long = String(repeating: "<w:p><w:t>0123456789</w:t></w:p>", count: 100_000)
        let found = text([("word/document.xml", "<w:d xmlns:w='w'>\(long)</w:d>")], Self.word)
        #expect((found?.utf8.count ?? 0) == Facts.textLimit)
        let bomb = "<!DOCTYPE a [<!ENTITY a 'aaaa'>]><w:d xmlns:w='w'><w:p><w:t>&a;</w:t></w:p></w:d>"
        #expect(text([("word/document.xml", bomb)], Self.word) == nil)
        let cut = "<w:d xmlns:w='w'><w:p><w:t>kept</w:t></w:p><w:p"
        #expect(text([("word/document.xml", cut)], Self.word) == nil)
        #expect(text([], Self.word) == nil)
        #expect(DocumentText(of: BytesInput([1, 2, 3]), Self.word, page: nil) == nil)
        #expect(DocumentProperties(of: BytesInput([]), Self.odt).facts == Facts())
    }
}
