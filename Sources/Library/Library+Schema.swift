extension Library {
    /// What makes each format of the file from the one before it. Never changed once released, only added to.
    static let migrations = [
        """
        -- Grows with every change.
        CREATE TABLE state(id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL) STRICT;
        INSERT INTO state VALUES (1, 0);

        -- An option that is NULL is left to the default.
        CREATE TABLE source(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, uri TEXT NOT NULL UNIQUE, hidden INTEGER,
            follows_links INTEGER, crosses_file_systems INTEGER, added INTEGER NOT NULL) STRICT;

        CREATE TABLE collection(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, favorite INTEGER, created INTEGER NOT NULL) STRICT;

        -- A copy's origin is the URI that it was copied from.
        CREATE TABLE member(
            collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE, uri TEXT NOT NULL, origin TEXT,
            added INTEGER NOT NULL, PRIMARY KEY (collection, uri), UNIQUE (collection, origin)) STRICT;
        CREATE INDEX member_uri ON member(uri);

        CREATE TABLE favorite(uri TEXT PRIMARY KEY, added INTEGER NOT NULL) STRICT;

        -- AUTOINCREMENT: the number of a deleted note is not given to another one.
        CREATE TABLE note(
            id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER REFERENCES collection ON DELETE CASCADE,
            uri TEXT, title TEXT NOT NULL, text TEXT NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
            CHECK ((collection IS NULL) <> (uri IS NULL))) STRICT;
        CREATE INDEX note_collection ON note(collection);
        CREATE INDEX note_uri ON note(uri);

        -- Words with their accents removed, and every three letters in a row for scripts without blanks.
        CREATE VIRTUAL TABLE note_words USING fts5(
            title, text, content = 'note', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE note_letters USING fts5(
            title, text, content = 'note', content_rowid = 'id', tokenize = 'trigram');
        CREATE TRIGGER note_inserted AFTER INSERT ON note BEGIN
            INSERT INTO note_words(rowid, title, text) VALUES (new.id, new.title, new.text);
            INSERT INTO note_letters(rowid, title, text) VALUES (new.id, new.title, new.text);
        END;
        CREATE TRIGGER note_deleted AFTER DELETE ON note BEGIN
            INSERT INTO note_words(note_words, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
            INSERT INTO note_letters(note_letters, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
        END;
        CREATE TRIGGER note_updated AFTER UPDATE OF title, text ON note BEGIN
            INSERT INTO note_words(note_words, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
            INSERT INTO note_letters(note_letters, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
            INSERT INTO note_words(rowid, title, text) VALUES (new.id, new.title, new.text);
            INSERT INTO note_letters(rowid, title, text) VALUES (new.id, new.title, new.text);
        END;
        """,
        """
        -- Messages that were put into a collection by their subjects, so that none is twice, whatever became of it since.
        CREATE TABLE filed(
            message TEXT PRIMARY KEY, uri TEXT NOT NULL, sender TEXT NOT NULL, collection TEXT NOT NULL,
            title TEXT NOT NULL, files INTEGER NOT NULL, filed INTEGER NOT NULL) STRICT;
        """,
    ]
}
