import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

struct VolumeTests {
    private let table = VolumeTable(
        mountInfo: Array(
            """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 22 8:2 / /home rw - ext4 /dev/sda2 rw
            31 22 8:3 / /media/a/My\\040Stick rw shared:2 master:1 - vfat /dev/sdb1 rw
            32 30 0:50 / /home/a/server rw - fuse.sshfs host: rw
            33 22 0:51 / /srv/nfs rw - nfs4 host:/x rw
            34 22 8:4 / /mnt/disk rw - fuseblk /dev/sdc1 rw
            a broken line
            """.utf8),
        fstab: Array(
            """
            # device  point
            /dev/sda1 / ext4 defaults 0 1
            /dev/sdd1\t/data\\040disk ext4 noauto 0 2
            none swap swap sw 0 0
            """.utf8))

    @Test(arguments: [
        ("/home/a/x", false), ("/home/a/server/x", true), ("/home/a/serverx", false), ("/srv/nfs", true),
        ("/media/a/My Stick/x", false), ("/mnt/disk/x", false),
    ])
    func storagesThatMayBeSilentAreKnown(_ path: String, _ isRemote: Bool) {
        #expect(table.isRemote(Array(path.utf8)) == isRemote)
    }

    @Test(arguments: [
        ("/home/a/x", true), ("/x", true), ("/media/a/My Stick/x", true), ("/mnt/disk/x", false), ("/srv/nfs/x", false),
        ("/home/a/server/x", false),
    ])
    func disksOfThisMachineAreKnown(_ path: String, _ isOnDisk: Bool) {
        #expect(table.isOnDisk(Array(path.utf8)) == isOnDisk)
    }

    @Test func aDiskBehindASilentMountIsNone() {
        let table = VolumeTable(
            mountInfo: Array(
                """
                22 1 0:9 / / rw - overlay overlay rw
                33 22 0:51 / /srv rw - nfs4 host:/x rw
                34 33 8:1 / /srv/disk rw - ext4 /dev/sda1 rw
                35 22 8:2 / /disk rw - xfs /dev/sda2 rw
                """.utf8), fstab: [])
        #expect(!table.isOnDisk(Array("/srv/disk/x".utf8)))
        // When the root answers no more, nothing does.
        #expect(table.isOnDisk(Array("/disk/x".utf8)) && table.isOnDisk(Array("/x".utf8)))
        #expect(!VolumeTable(mountInfo: [], fstab: []).isOnDisk(Array("/a".utf8)))
    }

    @Test func aFileBehindALinkToASilentMountIsNotAskedFor() throws {
        let scratch = try Scratch()
        for name in ["mount/f", "here/f", "here/sub/f"] { try scratch.file(name, [1]) }
        let top = scratch.path
        let volumes = VolumeTable(
            mountInfo: Array(
                """
                22 1 8:1 / / rw - ext4 /dev/sda1 rw
                33 22 0:51 / \(top)/mount rw - nfs4 host:/x rw
                """.utf8), fstab: [])
        for (link, target) in [
            ("here/absolute", top + "/mount"), ("here/relative", "../mount"), ("here/sub/twice", "../relative"),
            ("here/file", "../mount/f"), ("here/good", "sub"), ("here/ring", "ring"),
            ("here/nowhere", "/nothing/there"),
        ] {
            try #require(symlink(target, "\(top)/\(link)") == 0)
        }
        func look(_ name: String) -> String {
            switch OriginalFile.look(at: SourceURI(file: "\(top)/\(name)".utf8).text, volumes) {
            case .present: "present"
            case .gone: "gone"
            case .unknown: "unknown"
            }
        }
        for name in ["mount/f", "here/absolute/f", "here/relative/f", "here/sub/twice/f", "here/file", "here/ring/f"] {
            #expect(look(name) == "unknown", "\(name)")
        }
        #expect(look("here/f") == "present" && look("here/good/f") == "present")
        #expect(look("here/good/g") == "gone" && look("here/nowhere") == "unknown")
        #expect(look("here/sub/../f") == "present")
    }

    @Test(arguments: [
        ("/home/a/x/y", "/home/a/x", false), ("/media/a/My Stick/x/y", "/media/a/My Stick/x", false),
        ("/media/a/Other/x", "/media/a", true), ("/media/a/Other/x", "/media/a/Other", true),
        ("/mnt/disk/x", "/mnt/disk", false), ("/mnt/usb/x", "/mnt/usb", true), ("/data disk/x", "/data disk", true),
        // Over a link.
        ("/home/a/stick/x", "/media/a/Other", true), ("/home/a/data/x", "/data disk", true),
        ("/run/user/1000/gvfs/smb/x", "/run/user/1000", true),
    ])
    func volumesThatAreAwayAreKnown(_ path: String, _ ancestor: String, _ isAbsent: Bool) {
        #expect(table.isAbsent(Array(path.utf8), ancestor: Array(ancestor.utf8)) == isAbsent)
    }

    @Test func whatIsNotKnownCountsAsOutOfReach() {
        // This machine's own table is read: processes see no file of /proc over a network.
        #expect(!VolumeTable.current.isRemote(Array("/proc/self".utf8)))
        #expect(VolumeTable(mountInfo: [], fstab: []).isRemote(Array("/a".utf8)))
    }
}
