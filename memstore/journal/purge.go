package journal

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Purge rewrites everything that the journal keeps: contents, names, notes and access record, in one
// transaction, and then the files of the database, so that they keep no old byte. It
// cannot be undone, and no undo brings a value back: what it would restore is rewritten too. Contents
// are looked through before; edits of all processes wait only while those that hold a value are rewritten, and while the files
// are rewritten. ErrBusy where another process reads an older state for too
// long, or holds the store; of the first the rewriting is done then, and the next call ends it.
func (j *Journal) Purge(ctx context.Context, p past.Purge) (done past.Purged, err error) {
	if p.Report == nil {
		p.Report = func(int, int) {}
	}
	clean, err := cleanContents(ctx, j.db, &p)
	if err != nil {
		return done, j.failed(err)
	}
	// Once it rewrites, it ends by itself or by its own checks.
	err = j.turn(context.WithoutCancel(ctx), true, func(w *writer) {
		r := &rewriter{Purge: p, w: w, ctx: ctx, clean: clean, revisions: map[int64]bool{}}
		r.contents()
		r.names()
		r.texts()
		r.mark()
		w.sweep()
		done = r.done
		done.Number = w.purged(j.options.Now())
	})
	if err != nil {
		return done, j.failed(err)
	}
	return done, j.Compact()
}

// cleanContents finds the contents that hold no value, by the numbers of their blobs: bytes that a blob has do not change but by a purge.
func cleanContents(ctx context.Context, db *sql.DB, p *past.Purge) (clean map[int64]bool, err error) {
	all := 0
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM blob WHERE data IS NOT NULL").Scan(&all); err != nil {
		return nil, err
	}
	clean = make(map[int64]bool, all)
	n := 0
	p.Report(0, all)
	var failure error
	err = eachContent(ctx, db, func(id int64, _ memstore.Digest, text []byte) bool {
		var name string
		if failure = db.QueryRowContext(ctx, "SELECT "+pathOf, id).Scan(&name); failure != nil {
			return false
		}
		if isClean(p.Redact(agentPathOf(name), text), text) {
			clean[id] = true
		}
		if n++; n%64 == 0 {
			p.Report(min(n, all), all)
		}
		return ctx.Err() == nil
	})
	return clean, errors.Join(err, failure, ctx.Err())
}

// agentPathOf is the agent path of a name, "" of none.
func agentPathOf(name string) string {
	if name == "" {
		return ""
	}
	return memstore.AgentPath(name)
}

// isClean reports whether redacting has changed nothing.
func isClean(redacted, text []byte) bool {
	return bytes.Equal(redacted, text) && (redacted != nil || len(text) == 0)
}

// rewriter is one purge in its transaction.
type rewriter struct {
	past.Purge
	w         *writer
	ctx       context.Context
	clean     map[int64]bool // blobs that hold no value, as far as they were there before
	done      past.Purged
	revisions map[int64]bool // that were rewritten
}

// contents rewrites every blob that holds a value, and what depends on it: neither a base nor a delta may hold anything of the value. All
// of them are stored whole, the deepest first, since the others are needed to read them.
func (r *rewriter) contents() {
	all := values[int64](r.w, "SELECT id FROM blob WHERE data IS NOT NULL")
	dirty, _ := json.Marshal(slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return r.clean[id] })) // numbers are always marshalled
	for _, id := range values[int64](r.w, `WITH RECURSIVE d (id) AS (SELECT value FROM json_each(?)
		UNION SELECT b.id FROM blob b JOIN d ON b.base = d.id)
		SELECT id FROM blob WHERE id IN (SELECT id FROM d) ORDER BY depth DESC, id DESC`, string(dirty)) {
		r.w.fail(r.ctx.Err())
		r.content(id)
	}
	r.Report(len(all), len(all)) // the last report comes before the end of the transaction
}

// content stores a blob whole, without what it holds of a value.
func (r *rewriter) content(id int64) {
	text, err := r.w.bytes(id)
	if r.w.fail(err); r.w.err != nil {
		return // there is no text that Redact could take
	}
	var name string
	r.w.row("SELECT "+pathOf, []any{id}, &name)
	clean := text
	if !r.clean[id] {
		clean = r.Redact(agentPathOf(name), text)
	}
	switch {
	case isClean(clean, text):
		r.w.storeWhole(id, text)
	case clean != nil:
		r.done.Contents++
		r.replace(id, clean)
	case r.w.row("SELECT 1 FROM file WHERE blob = ?", []any{id}, new(int)):
		r.w.storeWhole(id, text) // what a file has now is not the journal's to change
	default:
		r.done.Contents++
		r.touch("before = ?1 OR after = ?1", id) // a hash of few bytes is as good as they are
		r.w.do("UPDATE blob SET sum = NULL, data = NULL, base = NULL, depth = 0, why = ? WHERE id = ?", whyTakenOut, id)
	}
}

// touch notes that revisions are rewritten.
func (r *rewriter) touch(which string, arg any) {
	for _, rev := range values[int64](r.w, "SELECT rev FROM revision WHERE "+which, arg) {
		r.revisions[rev] = true
	}
}

// replace replaces the bytes of a blob, on which none depends. If another blob has the new bytes already, that one takes its place.
func (r *rewriter) replace(id int64, text []byte) {
	r.touch("before = ?1 OR after = ?1", id)
	c := contentOf(text)
	var other int64
	var kept bool
	if !r.w.row("SELECT id, data IS NOT NULL FROM blob WHERE sum = ?", []any{c.sum[:]}, &other, &kept) {
		r.w.storeWhole(id, text)
		r.w.do("UPDATE blob SET sum = ?, size = ?, why = NULL WHERE id = ?", c.sum[:], c.size, id)
		r.w.do("UPDATE file SET size = ? WHERE blob = ?", c.size, id)
		return
	}
	if !kept {
		r.w.storeWhole(other, text)
		r.w.do("UPDATE blob SET size = ?, why = NULL WHERE id = ?", c.size, other)
	}
	r.w.do("UPDATE revision SET before = ? WHERE before = ?", other, id)
	r.w.do("UPDATE revision SET after = ? WHERE after = ?", other, id)
	r.w.do("UPDATE file SET blob = ?, size = ? WHERE blob = ?", other, c.size, id)
	r.w.do("DELETE FROM blob WHERE id = ?", id)
}

// allNames is every path that is or was there.
const allNames = `SELECT path FROM revision UNION SELECT old_path FROM revision WHERE old_path IS NOT NULL
	UNION SELECT path FROM file UNION SELECT path FROM access ORDER BY 1`

// names rewrites the names of files and folders, now and once. What is below a renamed folder goes with it; a name that is taken gets a
// number.
func (r *rewriter) names() {
	all := values[string](r.w, allNames)
	taken := make(map[string]bool, len(all))
	for _, name := range all {
		taken[name] = true
	}
	renamed := map[string]string{}
	for _, name := range all {
		clean := r.cleanName(name, renamed, taken)
		if clean == name {
			continue
		}
		r.touch("path = ?1 OR old_path = ?1", name)
		r.w.do("UPDATE revision SET path = ? WHERE path = ?", clean, name)
		r.w.do("UPDATE revision SET old_path = ? WHERE old_path = ?", clean, name)
		r.w.do("UPDATE OR REPLACE file SET path = ? WHERE path = ?", clean, name)
		r.w.do("UPDATE OR REPLACE access SET path = ? WHERE path = ?", clean, name)
		r.done.Names++
	}
}

// cleanName is a name without the values, segment by segment, so that the folders above it have the names that they get themselves. renamed
// remembers what was decided.
func (r *rewriter) cleanName(name string, renamed map[string]string, taken map[string]bool) string {
	if name == "." || name == "" {
		return name
	}
	if clean, ok := renamed[name]; ok {
		return clean
	}
	dir, base := path.Split(name)
	wanted := RedactName(base, r.text)
	if dir = strings.TrimSuffix(dir, "/"); dir != "" {
		wanted = r.cleanName(dir, renamed, taken) + "/" + wanted
	}
	clean := wanted
	if clean != name {
		clean = FreeName(wanted, func(name string) bool { return taken[name] })
		taken[clean] = true
	}
	renamed[name] = clean
	return clean
}

// text redacts text other than the contents of files.
func (r *rewriter) text(s []byte) []byte {
	clean := r.Redact("", s)
	if clean == nil && len(s) > 0 {
		return []byte("redacted")
	}
	return clean
}

// FreeName is name, or with a number behind it where it is taken.
func FreeName(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = name + "~" + strconv.Itoa(n)
	}
	return free
}

// RedactName is the base of a path without the values that redact removes.
func RedactName(base string, redact func([]byte) []byte) string {
	clean := strings.ReplaceAll(string(redact([]byte(base))), "/", "-")
	if clean == "" || clean == "." || clean == ".." {
		return "redacted"
	}
	return clean
}

// textColumn is a column that holds texts of people and programs.
type textColumn struct{ table, name string }

// distinct is the query for its texts: there are few different ones.
func (c textColumn) distinct() string {
	return "SELECT DISTINCT " + c.name + " FROM " + c.table + " WHERE " + c.name + " IS NOT NULL"
}

// allTextColumns finds all columns with texts, so that none which comes later is forgotten; paths are rewritten by names.
const allTextColumns = `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
	WHERE m.type = 'table' AND m.name <> 'meta' AND m.name NOT LIKE 'sqlite%' AND c.type = 'TEXT' AND c.name NOT IN ('path', 'old_path')`

func textColumns(rows *sql.Rows, err error) (list []textColumn, _ error) {
	err = each(rows, err, func(row *sql.Rows) error {
		var c textColumn
		err := row.Scan(&c.table, &c.name)
		list = append(list, c)
		return err
	})
	return list, err
}

// texts rewrites what else is text.
func (r *rewriter) texts() {
	list, err := textColumns(r.w.query(allTextColumns))
	r.w.fail(err)
	for _, c := range list {
		for _, text := range values[string](r.w, c.distinct()) {
			clean := string(r.text([]byte(text)))
			if clean == text {
				continue
			}
			r.w.do("UPDATE OR IGNORE "+c.table+" SET "+c.name+" = ? WHERE "+c.name+" = ?", clean, text)
			if c == (textColumn{"grp", "name"}) { // a name that was taken becomes free
				r.w.do("DELETE FROM grp WHERE name = ?", text)
			}
			r.done.Texts++
		}
	}
}

// mark records in the revisions that they were rewritten, and recounts their lines.
func (r *rewriter) mark() {
	for rev := range r.revisions {
		var c change
		r.w.row("SELECT shape, coalesce(before, 0), coalesce(after, 0) FROM revision WHERE rev = ?", []any{rev}, &c.shape, &c.before, &c.after)
		r.w.countStored(&c)
		r.w.do("UPDATE revision SET added = ?, removed = ?, note = coalesce(note, ?) WHERE rev = ?", c.added, c.removed,
			string(past.NoteRedacted), rev)
		if c.shape == past.Edited && c.before == c.after {
			// It can't be undone any more, and it must not block the undo of earlier changes.
			r.w.do("UPDATE revision SET undone_by = coalesce(undone_by, rev) WHERE rev = ?", rev)
		}
	}
	r.done.Revisions = len(r.revisions)
}

// purged notes that a purge has rewritten the contents, and returns which one it is.
func (w *writer) purged(at time.Time) (number int64) {
	w.row("SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0) + 1", []any{metaPurges}, &number)
	w.flag()
	w.set(metaPurges, number)
	w.set(metaPurged, at.UnixNano())
	return number
}

// Contents calls visit with every content that the journal keeps, in the order they came, until it returns false: for a search of the past
// for what must not be there. path is one agent path that had it, rev the first revision it came with; 0: it was there when the journal
// began. visit must not change the bytes.
func (j *Journal) Contents(ctx context.Context, visit func(c past.Kept, data []byte) bool) error {
	var failure error
	err := eachContent(ctx, j.db, func(id int64, sum memstore.Digest, text []byte) bool {
		c := past.Kept{Digest: sum}
		var name string
		failure = j.db.QueryRowContext(ctx, "SELECT "+pathOf+`, coalesce((SELECT min(rev) FROM revision WHERE after = ?1), 0)`, id).Scan(&name, &c.Rev)
		c.Path = memstore.AgentPath(cmp.Or(name, "."))
		return failure == nil && visit(c, text)
	})
	return j.failed(errors.Join(err, failure))
}

// Names calls visit with the agent path of everything that is or was there, until it returns false.
func (j *Journal) Names(ctx context.Context, visit func(path string) bool) error {
	names, err := column[string](j.db.QueryContext(ctx, allNames))
	for _, name := range names {
		if !visit(memstore.AgentPath(name)) {
			break
		}
	}
	return j.failed(err)
}

// Texts calls visit with everything else that the journal keeps as text, each text once, until it returns false: sessions, models, calls,
// groups and their titles, notes. where names table and column.
func (j *Journal) Texts(ctx context.Context, visit func(where, text string) bool) error {
	columns, err := textColumns(j.db.QueryContext(ctx, allTextColumns))
	if err != nil {
		return j.failed(err)
	}
	for _, c := range columns {
		texts, err := column[string](j.db.QueryContext(ctx, c.distinct()))
		if err != nil {
			return j.failed(err)
		}
		for _, text := range texts {
			if !visit(c.table+"."+c.name, text) {
				return nil
			}
		}
	}
	return nil
}
