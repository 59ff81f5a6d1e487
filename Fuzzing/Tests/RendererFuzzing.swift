import Foundation
import GoldenPictures
import TestSupport
import Vitrine
import VitrineKit
import VitrineTesting
import WorkerWire

@testable import PluginHost
@testable import PreviewCache
@testable import Workers

/// A renderer in its worker, fed with mutated documents. What the libraries do with them cannot be seen from here, so
/// it is the promises of the pool that are checked: an answer or a typed failure in time, pictures that are pictures,
/// and workers that serve the next document as if nothing had been.
struct RendererFuzzing: Sendable {
    /// Name of the target, of its folder in `Fuzzing/Corpus`.
    var name: String
    /// Folder of the plugin below `Plugins/Renderers`.
    var plugin: String
    /// Files and folders below `fixtures/` that are mutated.
    var fixtures: [String] = []
    /// Documents to mutate that are no fixtures.
    var seeds: [String] = []
    /// The type that is said to the renderer, which finds out for itself; `nil`: as it was sniffed.
    var mimeType: String?
    /// Words of the format.
    var words: [String] = []
    /// Whether most changes are made to words and numbers only.
    var keepsMarkup = false
    /// Documents in a short run.
    var count: Int

    /// Every renderer.
    static let all: [RendererFuzzing] = [
        RendererFuzzing(
            name: "renderer-pdf", plugin: "PDF", fixtures: ["pdf"],
            words: [
                "/MediaBox [0 0 1e9 1e9]", "/Rotate 90", "obj", "endobj", "stream\n", "xref", "/Pages", "<<", ">>",
            ],
            count: 60),
        RendererFuzzing(name: "renderer-image", plugin: "Image", fixtures: ["image"], count: 60),
        RendererFuzzing(
            name: "renderer-svg", plugin: "SVG",
            seeds: [
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><defs><linearGradient id="g">
                <stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>
                <rect width="80" height="60" fill="url(#g)"/><g transform="rotate(30 40 30) scale(1.5)">
                <path d="M10 10 C20 20,40 20,50 10 a5 5 0 1 0 9 9 z" stroke-dasharray="4 2" stroke="#0f0"/></g>
                <text x="5" y="50" font-size="12">A</text><use href="#g"/></svg>
                """,
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><filter id="f"><feGaussianBlur
                stdDeviation="2"/></filter><pattern id="p" width="2" height="2"><circle r="1"/></pattern>
                <mask id="m"><rect width="9" height="9" fill="url(#p)"/></mask><circle r="5" mask="url(#m)"
                filter="url(#f)" style="fill:#123456;opacity:.5"/><style>circle { stroke: red }</style></svg>
                """,
            ],
            mimeType: "image/svg+xml",
            words: ["1e30", "-1", "0", "1e-30", "url(#f)", "url(#p)", "#g", "NaN", "100%", "use", "99999", "image"],
            keepsMarkup: true, count: 600),
        RendererFuzzing(
            name: "renderer-lottie", plugin: "Lottie",
            seeds: [
                """
                {"v":"5.5.7","fr":30,"ip":0,"op":60,"w":80,"h":60,"assets":[{"id":"c","layers":[{"ty":1,"sw":9,"sh":9,"sc":"#ff0000",
                "ks":{},"ip":0,"op":60}]}],"layers":[{"ty":0,"refId":"c","w":9,"h":9,"ks":{"r":{"a":1,"k":[{"t":0,"s":[0],"e":[90]},
                {"t":60}]}},"ip":0,"op":60},{"ty":4,"ks":{"o":{"a":0,"k":50}},"ip":0,"op":60,"shapes":[{"ty":"gr","it":[
                {"ty":"rc","p":{"a":0,"k":[40,30]},"s":{"a":0,"k":[40,30]},"r":{"a":0,"k":3}},{"ty":"el","p":{"a":0,"k":[9,9]},
                "s":{"a":0,"k":[9,9]}},{"ty":"sr","sy":1,"pt":{"a":0,"k":5},"p":{"a":0,"k":[9,9]},"r":{"a":0,"k":0},
                "ir":{"a":0,"k":3},"is":{"a":0,"k":0},"or":{"a":0,"k":9},"os":{"a":0,"k":0}},{"ty":"tm","s":{"a":0,"k":0},
                "e":{"a":0,"k":50},"o":{"a":0,"k":0},"m":1},{"ty":"rp","c":{"a":0,"k":3},"o":{"a":0,"k":0},"m":1,"tr":{}},
                {"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":2},"lc":2,"lj":2},
                {"ty":"fl","c":{"a":0,"k":[0,0.5,1,1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}]}]}
                """
            ],
            mimeType: "video/lottie+json",
            words: ["-1", "99999999", "1e30", "null", "{}", "[]", "\"a\":1", "\"gr\"", "\"refId\":\"c\"", "\"tt\":1,"],
            keepsMarkup: true, count: 60),
        RendererFuzzing(name: "renderer-video", plugin: "Video", fixtures: ["video"], count: 40),
        RendererFuzzing(name: "renderer-office", plugin: "Office", fixtures: ["office"], count: 12),
        RendererFuzzing(name: "renderer-audio", plugin: "Audio", fixtures: ["audio"], count: 40),
        RendererFuzzing(
            name: "renderer-jpeg", plugin: "JPEG", fixtures: ["image/exif-6.jpg", "image/cmyk.jpg"], count: 40),
        RendererFuzzing(
            name: "renderer-jxl", plugin: "JXL",
            fixtures: ["image/plain.jxl", "image/exif-6.jxl", "image/icc-swapped.jxl", "image/alpha.jxl"], count: 40),
        RendererFuzzing(
            name: "renderer-jxr", plugin: "JPEGXR",
            fixtures: ["image/plain.jxr", "image/alpha.jxr", "image/light.jxr"], mimeType: "image/jxr", count: 40),
        RendererFuzzing(
            name: "renderer-xcf", plugin: "XCF",
            fixtures: ["image/layers.xcf", "image/words.xcf", "image/indexed.xcf"], words: ["icc-profile"], count: 40),
        RendererFuzzing(
            name: "renderer-archive", plugin: "Archive", fixtures: ["archive"], words: ["PK\u{1}\u{2}", "ustar", "7z"],
            count: 40),
        RendererFuzzing(name: "renderer-comic", plugin: "Comic", fixtures: ["comic"], count: 30),
        RendererFuzzing(
            name: "renderer-dicom", plugin: "DICOM", fixtures: ["image/window.dcm", "image/frames.dcm"],
            mimeType: "application/dicom", words: ["SQ", "UN", "DICM", "1.2.840.10008.1.2.4.91", "MONOCHROME1"],
            count: 40),
        RendererFuzzing(
            name: "renderer-djvu", plugin: "DjVu", fixtures: ["djvu"], words: ["DIRM", "Sjbz", "BG44", "INCL"],
            count: 40),
        RendererFuzzing(
            name: "renderer-ebook", plugin: "Ebook", fixtures: ["ebook"], words: ["EXTH", "href="], count: 40),
        RendererFuzzing(
            name: "renderer-font", plugin: "Font", fixtures: ["font"], words: ["glyf", "cmap", "GSUB"], count: 40),
        RendererFuzzing(
            name: "renderer-mail", plugin: "Mail", fixtures: ["mail"], words: ["\r\n\r\n", "--"], count: 40),
        RendererFuzzing(
            name: "renderer-mail-tnef", plugin: "Mail", fixtures: ["mail/winmail.dat"],
            mimeType: "application/vnd.ms-tnef",
            words: ["LZFu", "MELA", "\\fromhtml1 ", "{\\*\\htmltag64 ", "\\bin9 "],
            count: 30),
        RendererFuzzing(
            name: "renderer-model", plugin: "Model",
            fixtures: ["model/part.stl", "model/text.stl", "model/coloured.stl", "model/magics.stl"],
            words: ["vertex nan 1e39 0\n", "facet\n"], count: 30),
        RendererFuzzing(
            name: "renderer-model-glb", plugin: "Model",
            fixtures: ["model/part.glb", "model/textured.glb", "model/draco.glb"],
            mimeType: "model/gltf-binary", words: ["\"count\": 9", "\"indices\": 0", "\"byteOffset\": 1"], count: 20),
        RendererFuzzing(
            name: "renderer-model-gltf", plugin: "Model", fixtures: ["model/part.gltf", "model/textured.gltf"],
            mimeType: "model/gltf+json",
            words: [
                "\"count\": 9", "\"mode\": 6, ", "\"children\": [1]", "\"alphaMode\": \"BLEND\", ", "\"skin\": 0, ",
                "\"sparse\": {\"count\": 1}, ", "\"COLOR_0\": 0, ", "\"NORMAL\": 1, ",
            ], keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-model-obj", plugin: "Model", fixtures: ["model/part.obj"],
            seeds: ["v 16777234 0 0\nv 16777236 0 0\n"], mimeType: "model/obj",
            words: ["v nan 1e39 0\n", "f -1 -2 9\n", "vn 0 0 nan\n", "vn 4e-23 0 0\n", "f 1//1 2//1 3//2\n"], count: 15),
        RendererFuzzing(
            name: "renderer-model-ply", plugin: "Model",
            fixtures: ["model/part.ply", "model/cube.ply", "model/splats.ply"],
            mimeType: "application/x-ply", words: ["element face 9\n", "property list uint double a\n"], count: 15),
        RendererFuzzing(
            name: "renderer-model-las", plugin: "Model", fixtures: ["model/hill.las"], mimeType: "application/vnd.las",
            count: 20),
        RendererFuzzing(
            name: "renderer-model-vrml", plugin: "Model", fixtures: ["model/part.wrl"], mimeType: "model/vrml",
            words: [
                "Group { children [ ", "DEF A ", "USE A ", "-1 ", "1e39 ", "99999999 ", "Sphere { }", "{", "]", "\"",
            ],
            keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-model-3mf", plugin: "Model",
            fixtures: ["model/part.3mf", "model/colours.3mf", "model/textured.3mf"], mimeType: "model/3mf", count: 20),
        RendererFuzzing(
            name: "renderer-model-off", plugin: "Model",
            seeds: ["OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 1 2 3\n3 0 2 3\n"],
            mimeType: "model/x-off", words: ["nan", "99999999", "COFF", "-1", "1e39"], count: 15),
        RendererFuzzing(
            name: "renderer-model-amf", plugin: "Model",
            seeds: [
                """
                <?xml version="1.0"?><amf unit="millimeter"><object id="0"><mesh><vertices>
                <vertex><coordinates><x>0</x><y>0</y><z>0</z></coordinates></vertex>
                <vertex><coordinates><x>1</x><y>0</y><z>0</z></coordinates></vertex>
                <vertex><coordinates><x>0</x><y>1</y><z>1</z></coordinates></vertex></vertices>
                <volume><triangle><v1>0</v1><v2>1</v2><v3>2</v3></triangle></volume></mesh></object></amf>

                """
            ],
            mimeType: "application/x-amf",
            words: ["nan", "-1", "99999999", "<volume>", "<metadata type=\"name\">", "PK\u{3}\u{4}", "part.amf"],
            keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-model-ifc", plugin: "Model", fixtures: ["model/part.ifc"],
            mimeType: "application/x-extension-ifc", words: ["#9999", "#1", "$", "1e39", "IFCWALL"], count: 10),
        RendererFuzzing(
            name: "renderer-cad", plugin: "CAD", fixtures: ["model/part.step"], mimeType: "model/step",
            words: ["#9999", "#1", "$", "1.E39", "CIRCLE", "CYLINDRICAL_SURFACE"], keepsMarkup: true, count: 10),
        RendererFuzzing(
            name: "renderer-cad-iges", plugin: "CAD", fixtures: ["model/part.igs"], mimeType: "model/iges",
            words: ["144,", "-1,", "1.E39,", "99999,"], count: 10),
        RendererFuzzing(
            name: "renderer-model-fbx", plugin: "Model",
            seeds: [
                """
                ; FBX 7.4.0 project file
                FBXHeaderExtension:  {
                    FBXVersion: 7400
                }
                Objects:  {
                    Geometry: 1, "Geometry::a", "Mesh" {
                        Vertices: *9 {
                            a: 0,0,0,1,0,0,0,1,1
                        }
                        PolygonVertexIndex: *3 {
                            a: 0,1,-3
                        }
                    }
                    Model: 2, "Model::a", "Mesh" {
                        Version: 232
                    }
                }
                Connections:  {
                    C: "OO",2,0
                    C: "OO",1,2
                }

                """
            ],
            mimeType: "application/vnd.autodesk.fbx",
            words: ["*99999999 {", "-1", "nan", "2147483648", "C: \"OO\",2,2\n"],
            keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-html", plugin: "HTML", fixtures: ["html"],
            seeds: [
                """
                <style>p > b:first-child + i { float: left; position: absolute; width: 50%; border: 3px dashed #f00 }
                ul { list-style: square inside; column-count: 2 } @media (max-width: 900px) { td { display: none } }
                </style><p>a<b>b</b><i>c</i><ul><li>d<ol start=7><li>e</ol></ul><table border=1><caption>f<tr><th colspan=2
                rowspan=3>g<td width="30%" bgcolor=red>h</table><pre>i	j</pre><img src="data:image/gif;base64,R0lGODlhAQAB"
                width=9><div style="overflow: hidden; height: 9px; text-transform: uppercase">k</div>
                """
            ],
            mimeType: "text/html",
            words: [
                "-1", "99999999px", "1e30%", "colspan=99999", "</", "<table>", "position: fixed", "display: table-cell",
            ],
            keepsMarkup: true, count: 60),
        RendererFuzzing(name: "renderer-package", plugin: "Package", fixtures: ["package"], count: 30),
        RendererFuzzing(
            name: "renderer-postscript", plugin: "PostScript", fixtures: ["postscript"],
            words: ["%%BoundingBox: 0 0 9 9\n", "setpagedevice ", "1e9 ", "<< ", "(%stdin) (r) file ", "{ "],
            keepsMarkup: true, count: 30),
        RendererFuzzing(
            name: "renderer-program", plugin: "Program", fixtures: ["program"],
            words: ["PE\0\0", "NE", "hsqs", "\u{89}PNG", ".DirIcon", "VS_VERSION_INFO", "\u{FF}\u{FF}"], count: 60),
        RendererFuzzing(
            name: "renderer-nifti", plugin: "NIfTI", fixtures: ["image/volume.nii"], mimeType: "application/x-nifti",
            count: 30),
        RendererFuzzing(
            name: "renderer-database", plugin: "Database", fixtures: ["database"], mimeType: "application/vnd.sqlite3",
            words: ["CREATE TABLE ", "CREATE VIEW ", "WITHOUT ROWID", " AS (upper(title))", "UNIQUE", "\"", "\u{85}"],
            count: 60),
        RendererFuzzing(
            name: "renderer-certificate", plugin: "Certificate",
            seeds: [
                """
                -----BEGIN CERTIFICATE-----
                MIHrMIGeoAMCAQICAQcwBQYDK2VwMBExDzANBgNVBAMMBklzc3VlcjAeFw0yNDA1MDMwMDAwMDBa
                Fw0zNDA1MDMwMDAwMDBaMBQxEjAQBgNVBAMMCWEuZXhhbXBsZTAqMAUGAytlcAMhAAAAAAAAAAAA
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAoxgwFjAUBgNVHREEDTALggliLmV4YW1wbGUwBQYDK2Vw
                A0EAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                AAAAAAAAAAAAAA==
                -----END CERTIFICATE-----
                -----BEGIN PUBLIC KEY-----
                MCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
                -----END PUBLIC KEY-----
                -----BEGIN PRIVATE KEY-----
                MC4=
                """
            ],
            mimeType: "application/x-pem-file",
            words: [
                "-----BEGIN ", "-----END ", "-----\n", "RSA PRIVATE KEY", "X509 CRL", "PKCS7", "CERTIFICATE REQUEST",
                "MII", "A",
            ],
            keepsMarkup: true, count: 60),
        RendererFuzzing(
            name: "renderer-icc", plugin: "ICC", fixtures: ["icc"], mimeType: "application/vnd.iccprofile",
            words: ["acsp", "CMYK", "GRAY", "prtr", "chad", "A2B0", "mluc", "para", "curv", "sf32", "XYZ "], count: 40),
        RendererFuzzing(
            name: "renderer-notes", plugin: "Notes",
            seeds: [
                """
                <xournal><page width="90" height="60"><background type="solid" style="lined"/><layer>
                <stroke tool="pen" color="#ff0000ff" width="2 1" fill="9" style="cust: 1 2">1 2 3 4 5 6</stroke>
                <text x="1" y="2" size="9" font="Sans Bold">a</text>
                <image left="1" top="1" right="9" bottom="9">R0lGODlhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=</image></layer></page></xournal>
                """
            ],
            words: [
                "1e400 ", "1e30", "1e300 ", "-1 ", "nan ", "1e-300", "style=\"staves\"", "width=\"1e6\"", "<layer>",
                "</page>",
            ],
            keepsMarkup: true, count: 30),
        RendererFuzzing(name: "renderer-raw", plugin: "RAW", fixtures: ["raw"], count: 20),
        RendererFuzzing(
            name: "renderer-text", plugin: "Text",
            seeds: ["# A\n\n* b `c`\n\n| d |\n", "{\"a\": [1, 2]}", "a,b\n\"c\",d\n"],
            words: ["\t", "\u{202E}", "\u{301}", "```", "👨‍👩‍👧"], count: 40),
        RendererFuzzing(
            name: "renderer-sheet", plugin: "Sheet",
            seeds: [
                "vitrine-sheet 1\ntitle\ta\nfolder\tb\tc\nkind\td\nfile\te\tf\t0\nfailure\tg\th\ti\nend\tj\n\n"
            ],
            mimeType: "application/vnd.vitrine.sheet", words: ["\t", "\n", "\n\n", "file\ta\tb\t9\n"], count: 30),
        RendererFuzzing(
            name: "renderer-track", plugin: "Track", fixtures: ["track/walk.gpx"], mimeType: "application/gpx+xml",
            words: ["<trkpt lat=\"1e400\" lon=\"180.1\"/>", "<trkseg>", "</trkseg>", "<ele>nan</ele>", "-90", "<rte>"],
            keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-track-kml", plugin: "Track", fixtures: ["track/lake.kml"],
            mimeType: "application/vnd.google-earth.kml+xml",
            words: ["<Polygon>", "</coordinates>", "180,90,0 ", "-180,-90 ", "1e400", ",,", "<styleUrl>#a</styleUrl>"],
            keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-track-geojson", plugin: "Track", fixtures: ["track/lake.geojson"],
            mimeType: "application/geo+json",
            words: [
                "[[", "]", "[180, 90]", "1e400", "\\", "\"coordinates\":", "\"geometries\": [", "null", "MultiPolygon",
            ],
            keepsMarkup: true, count: 20),
        RendererFuzzing(
            name: "renderer-track-fit", plugin: "Track", fixtures: ["track/walk.fit"],
            mimeType: "application/vnd.ant.fit",
            count: 20),
        RendererFuzzing(
            name: "renderer-track-shp", plugin: "Track", fixtures: ["track/lake.shp"], mimeType: "application/vnd.shp",
            count: 20),
        RendererFuzzing(name: "renderer-xps", plugin: "XPS", fixtures: ["xps"], words: ["M 0,0 ", "1e30"], count: 30),
    ]

    static func named(_ name: String) -> RendererFuzzing? { all.first { $0.name == name } }

    /// The first type that its manifest names.
    func declaredType() throws -> String? { try manifest().types.sorted().first }

    private var folder: String { FuzzTarget.checkout.appending(path: "Plugins/Renderers/\(plugin)").path }

    private func manifest() throws -> PluginManifest {
        let json = try Data(contentsOf: URL(filePath: folder + "/plugin.json"))
        return try PluginManifest(json: Array(json), file: folder + "/plugin.json")
    }

    /// The renderer as it is installed.
    func specification() throws -> WorkerSpecification {
        let manifest = try manifest()
        let library = Products.folder.appending(path: manifest.library).path
        return WorkerSpecification(InstalledPlugin(manifest: manifest, folder: folder, libraryPath: library))
    }

    /// What is mutated.
    func documents() throws -> [[UInt8]] {
        let places =
            fixtures.map { FuzzTarget.checkout.appending(path: "fixtures/\($0)") }
            + [FuzzTarget.checkout.appending(path: "Fuzzing/Corpus/\(name)")]
        let files = try places.filter { FileManager.default.fileExists(atPath: $0.path) }.flatMap(FuzzTarget.files)
        return try files.map { Array(try Data(contentsOf: $0)) } + seeds.map { Array($0.utf8) }
    }

    private static let box = 128

    /// Hands one document to the renderer.
    /// - Returns: how it ended: `rendered` or the code of the failure.
    /// - Throws: ``BrokenRule``.
    func check(_ document: [UInt8], _ pool: WorkerPool, _ specification: WorkerSpecification) async throws -> String {
        guard let file = ScratchFile(document) else { throw BrokenRule("no file could be made of the document") }
        let sniffed = TypeSniffer(magic: []).type(
            head: Array(document.prefix(TypeSniffer.headSize)), name: [], size: Int64(document.count))
        let job = WorkerJob(
            input: file.descriptor, RenderWish(boxes: [Self.box, 32], mimeType: mimeType ?? sniffed.mimeType))
        let began = ContinuousClock.now
        let result: WorkerResult
        do throws(PluginError) { result = try await pool.render(job, by: specification) } catch {
            // Twice what the clock grants, for a crash is tried once more, and what starting a worker may take.
            let most = Duration.seconds(2 * specification.patience + 60)
            try hold(ContinuousClock.now - began < most, "it took \(ContinuousClock.now - began)")
            try error.mustBe(
                .corrupt, .encrypted, .locked, .empty, .unsupported, .limitExceeded, .timeout, .crashed, .io,
                .invalidArgument)
            return error.code.rawValue
        }
        try hold(result.pictures.count == 2, "\(result.pictures.count) pictures where two were asked for")
        for (picture, box) in zip(result.pictures, [Self.box, 32]) {
            _ = try WorkerPicture(picture.png, size: picture.size, box: box)
            let decoded = try RGBAPicture(png: picture.png)
            try hold(
                decoded.width == picture.size.width && decoded.height == picture.size.height,
                "the pixels are of another size")
        }
        return "rendered"
    }
}
