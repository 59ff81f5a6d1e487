/// What is run before a document: it makes pages as large as is asked for, whatever paper the document chooses.
struct Prologue {
    /// The longest side of a page, in pixels.
    var box: Int
    /// What the program is.
    var file: PostScriptFile?

    /// Creates a prologue.
    /// - Parameters:
    ///   - file: what is run after it; default a page of the renderer's own.
    ///   - box: the longest side of a page, in pixels.
    init(_ file: PostScriptFile? = nil, box: Int) {
        self.file = file
        self.box = box
    }

    /// Dots per inch below which Ghostscript finds no screens.
    private static let leastResolution = 4

    /// The program. Whenever the document sets its paper, the resolution is set anew.
    var program: String {
        let start = """
            /vitrine.set systemdict /setpagedevice get def
            /vitrine.fit {
                currentpagedevice /PageSize get aload pop 2 copy lt { exch } if pop
                \(box) 72 mul exch div dup \(Self.leastResolution) lt { pop \(Self.leastResolution) } if
                dup 2 array astore << exch /HWResolution exch >> vitrine.set
            } def

            """
        guard let crop = file?.crop else {
            return start + "/setpagedevice { vitrine.set vitrine.fit } def vitrine.fit\n"
        }
        // A drawing lies on somebody else's paper: it has no say in that (EPSF 3.0, section 3). Its corner belongs to the
        // device, so that `initgraphics` and `initmatrix` come back to it.
        return start + """
            << /PageSize [\(crop.width) \(crop.height)] /Policies << /PageSize 1 >>
                /Install { \(-crop.left) \(-crop.bottom) translate } >> vitrine.set vitrine.fit
            /setpagedevice { pop } def

            """
    }
}
