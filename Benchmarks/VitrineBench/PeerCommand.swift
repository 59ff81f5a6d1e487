import Glibc
import VitrineKit

/// The command that people make a preview of one file with, a process a file.
struct PeerCommand {
    /// Its program's name.
    let name: String
    private let path: String
    private let arguments: [String]

    /// By renderer id: a program, and its arguments, in which `%i` is the file, `%o` a file to write, `%f` a folder to
    /// write into, `%s` the box. No program is known that does so for what is not here.
    private static let known: [String: [String]] = [
        "pdf": ["pdftoppm", "-png", "-singlefile", "-scale-to", "%s", "%i", "%o"],
        "pdfium": ["pdftoppm", "-png", "-singlefile", "-scale-to", "%s", "%i", "%o"],
        "image": ["vipsthumbnail", "--size", "%sx%s>", "-o", "%o.png", "%i"],
        "jpeg": ["vipsthumbnail", "--size", "%sx%s>", "-o", "%o.png", "%i"],
        "svg": ["rsvg-convert", "--keep-aspect-ratio", "--width", "%s", "--height", "%s", "-o", "%o.png", "%i"],
        "video": ["ffmpegthumbnailer", "-s", "%s", "-i", "%i", "-o", "%o.png"],
        "audio": [
            "ffmpeg", "-v", "quiet", "-y", "-i", "%i", "-filter_complex", "showwavespic=s=%sx%s", "-frames:v", "1",
            "%o.png",
        ],
        "office": [
            "soffice", "-env:UserInstallation=file://%f/profile", "--convert-to", "png", "--outdir", "%f", "%i",
        ],
    ]

    /// - Returns: `nil` when no command is known, or it is not installed.
    init?(for renderer: String) {
        guard let words = Self.known[renderer], access("/usr/bin/\(words[0])", X_OK) == 0 else { return nil }
        name = words[0]
        path = "/usr/bin/\(words[0])"
        arguments = Array(words.dropFirst())
    }

    /// Runs it over files, one after the other. What it fails on counts as well.
    /// - Parameters:
    ///   - folder: where it writes.
    /// - Returns: CPU milliseconds a file, the mean.
    func perFile(_ files: [String], box: Int, folder: String) throws(PluginError) -> Double {
        var seconds = 0.0
        for file in files {
            var process = MeasuredProcess(
                program: path,
                arguments: arguments.map { word in
                    [("%i", file), ("%o", "\(folder)/peer"), ("%f", folder), ("%s", "\(box)")].reduce(word) {
                        $0.replacing($1.0, with: $1.1)
                    }
                }, environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"])
            process.mayFail = true
            seconds += try process.run().cpu
        }
        return seconds / Double(max(1, files.count)) * 1000
    }
}
