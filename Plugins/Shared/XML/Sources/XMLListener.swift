/// Takes what stands in a document while it is read, with nothing kept or copied for it: for documents of very many
/// elements. Others are easier to read as ``XMLEvent``s.
///
/// It is called by ``XMLReader/read(_:isLast:)``, in the order of the document and on the thread of that call.
public protocol XMLListener: AnyObject {
    /// What elements of a name mean to the listener: any number, which it is told instead of the name. Asked once for each
    /// name, but in documents that have dozens of names.
    func meaning(of name: XMLName) -> Int
    /// An element begins.
    func start(_ meaning: Int, _ attributes: XMLAttributes)
    /// Text between two tags, as ``XMLEvent/text(_:)``: in UTF-8, and there until the call returns.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
    /// An element ends.
    func end(_ meaning: Int)
}
