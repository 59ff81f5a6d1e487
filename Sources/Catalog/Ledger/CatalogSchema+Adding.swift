extension CatalogSchema {
    /// What makes adding very many items cheap.
    ///
    /// ```
    /// change.more       how many items were added before the row's own change, one version and one number after the
    ///                   other: the row holds the last version and the first item
    /// numbered          items up to `named.inodes` by their inodes, in place of an index that each new item goes into
    /// ```
    static let adding = """
        ALTER TABLE change ADD COLUMN more INTEGER NOT NULL DEFAULT 0;
        DROP INDEX item_inode;
        CREATE TABLE numbered(
            inode INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(inode, item)) WITHOUT ROWID;
        ALTER TABLE named ADD COLUMN inodes INTEGER NOT NULL DEFAULT 0;
        CREATE TRIGGER inode_left AFTER DELETE ON item
        WHEN old.inode IS NOT NULL AND old.id <= (SELECT inodes FROM named WHERE id = 1)
        BEGIN
            DELETE FROM numbered WHERE inode = old.inode AND item = old.id;
        END;
        CREATE TRIGGER inode_changed AFTER UPDATE OF inode ON item
        WHEN old.inode IS NOT new.inode AND old.id <= (SELECT inodes FROM named WHERE id = 1)
        BEGIN
            DELETE FROM numbered WHERE inode = old.inode AND item = old.id;
            INSERT OR IGNORE INTO numbered SELECT new.inode, new.id WHERE new.inode IS NOT NULL;
        END;
        """
}
