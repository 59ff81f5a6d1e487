extension CatalogSchema {
    /// What finding needs.
    ///
    /// ```
    /// name_trigram      trigrams of the names of items up to `named.upto`; its rows have the items' numbers
    /// recent            these items by their time
    /// sized             these items by their size
    /// stale             those of them whose name, time or size is another one by now, or that are gone: as they were indexed
    /// document          texts of items, compressed; document_word and document_trigram index those with `indexed`
    /// ```
    ///
    /// Names are indexed some time after their items came, so that a first look at a source need not wait for it. The
    /// triggers cost nothing then: they look at items only that leave or change.
    static let finding = """
        CREATE VIRTUAL TABLE name_trigram USING fts5(
            name, content='', detail=none, columnsize=0, tokenize="trigram case_sensitive 1");
        CREATE VIRTUAL TABLE name_term USING fts5vocab(name_trigram, instance);
        CREATE TABLE recent(seconds INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(seconds, item)) WITHOUT ROWID;
        CREATE TABLE stale(item INTEGER PRIMARY KEY, name BLOB, seconds INTEGER);
        CREATE TABLE named(id INTEGER PRIMARY KEY CHECK(id = 1), upto INTEGER NOT NULL);
        INSERT INTO named VALUES (1, 0);
        CREATE TRIGGER item_left AFTER DELETE ON item WHEN old.id <= (SELECT upto FROM named WHERE id = 1)
        BEGIN
            INSERT OR IGNORE INTO stale VALUES (old.id, old.name, old.seconds);
        END;
        CREATE TRIGGER item_renamed AFTER UPDATE OF name, seconds ON item
        WHEN (old.name IS NOT new.name OR old.seconds IS NOT new.seconds)
            AND old.id <= (SELECT upto FROM named WHERE id = 1)
        BEGIN
            INSERT OR IGNORE INTO stale VALUES (old.id, old.name, old.seconds);
        END;
        CREATE TABLE document(
            item INTEGER PRIMARY KEY, title TEXT, text BLOB, length INTEGER NOT NULL, indexed INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX document_new ON document(item) WHERE indexed = 0;
        CREATE VIRTUAL TABLE document_word USING fts5(
            title, text, content='', columnsize=0, tokenize="unicode61 remove_diacritics 0");
        CREATE VIRTUAL TABLE document_trigram USING fts5(
            text, content='', detail=none, columnsize=0, tokenize="trigram case_sensitive 1");
        CREATE VIRTUAL TABLE document_term USING fts5vocab(document_trigram, instance);
        """

    /// Items by their size. The names are indexed anew for it, as for the first time: some ten microseconds for each.
    static let sizes = """
        CREATE TABLE sized(size INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(size, item)) WITHOUT ROWID;
        ALTER TABLE stale ADD COLUMN size INTEGER;
        DROP TRIGGER item_left;
        CREATE TRIGGER item_left AFTER DELETE ON item WHEN old.id <= (SELECT upto FROM named WHERE id = 1)
        BEGIN
            INSERT OR IGNORE INTO stale(item, name, seconds, size) VALUES (old.id, old.name, old.seconds, old.size);
        END;
        DROP TRIGGER item_renamed;
        CREATE TRIGGER item_renamed AFTER UPDATE OF name, seconds, size ON item
        WHEN (old.name IS NOT new.name OR old.seconds IS NOT new.seconds OR old.size IS NOT new.size)
            AND old.id <= (SELECT upto FROM named WHERE id = 1)
        BEGIN
            INSERT OR IGNORE INTO stale(item, name, seconds, size) VALUES (old.id, old.name, old.seconds, old.size);
        END;
        INSERT INTO name_trigram(name_trigram) VALUES ('delete-all');
        DELETE FROM recent;
        DELETE FROM stale;
        UPDATE named SET upto = 0;
        """
}
