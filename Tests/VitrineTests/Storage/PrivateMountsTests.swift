import Testing

@testable import Vitrine

@Suite struct PrivateMountsTests {
    private func volumes(_ lines: String...) -> Set<UInt64> {
        PrivateMounts.volumes(in: Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    @Test func whatTheKernelTellsOfMounts() {
        let disk = "29 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard"
        let mine = "61 29 0:51 / /mnt/a\\040b rw,nosuid,nodev shared:7 - fuse.sshfs me@host:/ rw,user_id=0,group_id=0"
        let all = "62 29 0:52 / /mnt/c rw - fuse.rclone cloud: rw,user_id=0,group_id=0,allow_other"
        let stick = "63 29 8:17 / /mnt/d rw - fuseblk /dev/sdb1 rw,user_id=0,group_id=0,blksize=4096"
        let plain = "64 29 0:300 / /mnt/e rw - fuse odd rw,user_id=0,group_id=0,default_permissions"
        let machine = "65 29 0:54 / /mnt/f rw - virtiofs share rw"
        let control = "66 29 0:55 / /sys/fs/fuse/connections rw - fusectl fusectl rw"
        #expect(volumes(disk, mine, all, machine, control) == [51])
        // Minor numbers beyond eight bits lie above the major one: makedev(3).
        #expect(volumes(stick, plain) == [0x811, 0x10_002C])
    }

    @Test func linesThatMakeNoSense() {
        #expect(
            volumes("", "61", "61 29 0:51 / /mnt rw - fuse", "61 29 0:51 / /mnt rw - fuse a", "- - - - - - - -") == [])
        #expect(volumes("61 29 0 / /mnt rw - fuse a user_id=0", "61 29 x:-1 / /mnt rw - fuse a user_id=0") == [])
    }
}
