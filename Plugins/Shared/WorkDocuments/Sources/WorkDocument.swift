/// What parts of a document of iWork are called: a zip file of its content, mostly with a picture of its first page.
///
/// The names are those that libetonyek looks for, and iWork writes.
package enum WorkDocument {
    /// What its content is in: one of these, as messages since 2013, as XML before.
    package static let contents = [
        "Index/Document.iwa", "Index.zip", "index.xml", "index.xml.gz", "index.apxl", "index.apxl.gz",
        "presentation.apxl", "presentation.apxl.gz",
    ]
    /// The picture of its first page, since 2013 and before.
    package static let previews = ["preview.jpg", "QuickLook/Thumbnail.jpg", "QuickLook/Thumbnail.png"]
    /// By what a password is checked, where one is needed.
    package static let verifier = ".iwpv2"
}
