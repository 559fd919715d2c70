// Package schema has the tables of a journal: their statements, their keys of meta, and how values are stored in columns.
package schema

// The number of the schema, in user_version, and the mark of our files, in
// application_id ("mcjn").
const (
	Current       = 9
	ApplicationID = 0x6d636a6e
)

// Tables makes the tables. Times are nanoseconds since 1970, names are relative to the
// store as memstore.Backend has them, kinds are those of memstore.Kind, modes Unix bits.
//
// blob: bytes, once for equal ones. sum is their SHA-256, NULL where they were never read;
// data is NULL where they are not kept, and why says the reason. codec: 0 as they are, 1 zstd, 2 and 3 the same
// of a delta (delta.go). base is the blob that the delta applies to, itself stored whole; spent is
// the sum of the deltas from there up to this one. The triggers protect a base while a delta depends on it.
//
// revision: one difference made to one path. A rename has the new name in path. shape is that of
// Shape; a folder has no blob on either side. open is NULL, but for an edit that is under way, or whose process died: then it has the
// names that the edit makes on the disk beside its own (recover.go), and readers pass over the revision.
//
// session, model, tool and turn are of the call that made it: as the program that carried it out told, or as a transcript does.
//
// entry: what was at a path from revision first (0: since the journal began) up to, but not
// including, revision last (NULL: still). The rows that hold revision R are the tree at R.
// The stamp (mtime, inode, device, as of seen) lets a comparison with the disk skip what it
// need not read. born to writes are the life of what is there, as [Fact] has it (life.go); NULL: unknown.
//
// grp: edits that are undone as one; id is their first revision, 0 before there is one.
//
// git_commit: a commit of the repository around the store that consists of revisions; revision.landed is its number.
const Tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE blob (
	id INTEGER PRIMARY KEY, sum BLOB, size INTEGER NOT NULL, codec INTEGER NOT NULL, data BLOB, why TEXT, base INTEGER, spent INTEGER
);
CREATE UNIQUE INDEX blob_sum ON blob (sum) WHERE sum IS NOT NULL;
CREATE TABLE path (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE revision (
	rev INTEGER PRIMARY KEY AUTOINCREMENT, open TEXT,
	time INTEGER NOT NULL, actor TEXT NOT NULL, command TEXT NOT NULL, kind INTEGER NOT NULL, shape INTEGER NOT NULL,
	path INTEGER NOT NULL, old_path INTEGER,
	before INTEGER, after INTEGER, before_mode INTEGER, after_mode INTEGER, before_mtime INTEGER, after_mtime INTEGER,
	added INTEGER NOT NULL, removed INTEGER NOT NULL,
	session TEXT, model TEXT, tool TEXT, process TEXT,
	grp INTEGER, unread INTEGER NOT NULL, note TEXT,
	role INTEGER NOT NULL DEFAULT 0, undoes INTEGER, undone_by INTEGER, turn INTEGER, landed INTEGER
);
CREATE INDEX revision_path ON revision (path, rev);
CREATE INDEX revision_old_path ON revision (old_path, rev) WHERE old_path IS NOT NULL;
CREATE INDEX revision_grp ON revision (grp) WHERE grp IS NOT NULL;
CREATE INDEX revision_open ON revision (rev) WHERE open IS NOT NULL;
CREATE INDEX revision_unread ON revision (rev) WHERE unread = 1;
CREATE INDEX revision_curator ON revision (rev) WHERE actor = 'curator';
CREATE INDEX revision_before ON revision (before) WHERE before IS NOT NULL;
CREATE INDEX revision_after ON revision (after) WHERE after IS NOT NULL;
CREATE TABLE grp (name TEXT PRIMARY KEY, id INTEGER NOT NULL, title TEXT) WITHOUT ROWID;
CREATE TABLE entry (
	id INTEGER PRIMARY KEY, path INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER,
	kind INTEGER NOT NULL, blob INTEGER, size INTEGER NOT NULL, mode INTEGER,
	mtime INTEGER, inode INTEGER, device INTEGER, seen INTEGER,
	born INTEGER, changed INTEGER, moved INTEGER, restored INTEGER, written INTEGER, writes INTEGER
);
CREATE UNIQUE INDEX entry_current ON entry (path) WHERE last IS NULL;
CREATE INDEX entry_path ON entry (path, first);
CREATE INDEX entry_last ON entry (last) WHERE last IS NOT NULL;
CREATE INDEX entry_blob ON entry (blob) WHERE blob IS NOT NULL;
CREATE TABLE access (path INTEGER PRIMARY KEY, views INTEGER NOT NULL, last INTEGER NOT NULL, session TEXT);
` + baseRules + commits

const commits = `CREATE TABLE git_commit (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, title TEXT NOT NULL, time INTEGER NOT NULL);
CREATE INDEX revision_landed ON revision (landed) WHERE landed IS NOT NULL;
`

const baseRules = `CREATE INDEX blob_base ON blob (base) WHERE base IS NOT NULL;
CREATE TRIGGER base_stays BEFORE DELETE ON blob WHEN EXISTS (SELECT 1 FROM blob d WHERE d.base = OLD.id) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER base_is_fixed BEFORE UPDATE OF size, codec, data ON blob WHEN EXISTS (SELECT 1 FROM blob d WHERE d.base = OLD.id)
BEGIN SELECT RAISE(ABORT, 'other versions depend on this one'); END;
`
