public import VitrineKit
public import VitrineTesting

extension BackendSample {
    /// Writes the sample into a folder that a server serves.
    public func write(below root: String) throws(PluginError) {
        for node in nodes { try node.write(below: root) }
    }
}

extension BackendSample.Node {
    /// Writes one file or folder into a folder that a server serves.
    public func write(below root: String) throws(PluginError) {
        let path = Array("\(root)/".utf8) + self.path.bytes
        if let content {
            try TestFile.write(path, content)
        } else {
            try TestFile.makeFolder(path)
        }
    }
}
