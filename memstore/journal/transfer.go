package journal

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/pathname"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// An export is JSON Lines: a header, then contents, each before the first that names it, what
// was there when the journal began, and the revisions in order. Texts are base64 in data, names too where they
// are not UTF-8 (name_raw).
const (
	exportFormat  = "memcurator journal"
	exportVersion = 1
)

// record is one line of an export; the field that is set says which kind.
type exported struct {
	Format   string            `json:"format,omitempty"`
	Version  int               `json:"version,omitempty"`
	Blob     *exportedBlob     `json:"blob,omitempty"`
	Entry    *exportedEntry    `json:"entry,omitempty"`
	Revision *exportedRevision `json:"revision,omitempty"`
}

type exportedBlob struct {
	ID     int64  `json:"id"`
	SHA256 []byte `json:"sha256,omitempty"`
	Size   int64  `json:"size"`
	Data   []byte `json:"data,omitempty"`
	Near   int64  `json:"near,omitempty"` // the content that this one is stored on as a delta
	Why    string `json:"not_kept,omitempty"`
}

type exportedEntry struct {
	Name []byte      `json:"name"`
	Kind int         `json:"kind"`
	Blob int64       `json:"blob,omitempty"`
	Size int64       `json:"size"`
	Mode fs.FileMode `json:"mode,omitempty"`
	Time int64       `json:"mtime,omitempty"` // nanoseconds since 1970, as in revisions
}

type exportedRevision struct {
	Rev        int64  `json:"rev"`
	Time       string `json:"time"`
	Actor      string `json:"actor"`
	Command    string `json:"command"`
	Kind       int    `json:"kind"`
	Shape      int    `json:"shape"`
	Name       []byte `json:"name"`
	OldName    []byte `json:"old_name,omitempty"`
	Before     int64  `json:"before,omitempty"`
	After      int64  `json:"after,omitempty"`
	BeforeMode int64  `json:"before_mode,omitempty"`
	AfterMode  int64  `json:"after_mode,omitempty"`
	BeforeTime int64  `json:"before_mtime,omitempty"`
	AfterTime  int64  `json:"after_mtime,omitempty"`
	Added      int    `json:"added,omitempty"`
	Removed    int    `json:"removed,omitempty"`
	Session    string `json:"session,omitempty"`
	Model      string `json:"model,omitempty"`
	Tool       string `json:"tool_use_id,omitempty"`
	Process    string `json:"process,omitempty"`
	Group      int64  `json:"group,omitempty"`
	Unread     bool   `json:"unread,omitempty"`
	Note       string `json:"note,omitempty"`
	Role       int    `json:"role,omitempty"`
	Undoes     int64  `json:"undoes,omitempty"`
	UndoneBy   int64  `json:"undone_by,omitempty"`
}

// Export writes the whole journal. Whoever has it has all texts that the store ever held.
func (j *Journal) Export(ctx context.Context, to io.Writer) error {
	db, err := j.pool.Reader()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return failed("export", err)
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	out := bufio.NewWriterSize(to, 64<<10)
	x := exporter{out: json.NewEncoder(out), reader: content.NewReader(ctx, tx)}
	x.out.SetEscapeHTML(false)
	if err := x.out.Encode(exported{Format: exportFormat, Version: exportVersion}); err != nil {
		return err
	}
	for _, part := range []func() error{x.blobs, x.entries, x.revisions} {
		if err := part(); err != nil {
			return failed("export", err)
		}
	}
	return out.Flush()
}

type exporter struct {
	out    *json.Encoder
	reader *content.Reader
}

// each calls scan for every row of a query and writes the record that it returns.
func (x *exporter) each(query string, scan func(*sql.Rows) (exported, error)) error {
	return x.reader.Each(query, nil, func(rows *sql.Rows) error {
		e, err := scan(rows)
		if err != nil {
			return err
		}
		return x.out.Encode(e)
	})
}

func (x *exporter) blobs() error {
	return x.each(exportedBlobs+" ORDER BY id", func(rows *sql.Rows) (exported, error) {
		b, err := scanBlob(rows, x.reader)
		return exported{Blob: b}, err
	})
}

const exportedBlobs = "SELECT id, sum, size, codec, data, coalesce(base, 0), coalesce(why, '') FROM blob"

// scanBlob reads a row of exportedBlobs.
func scanBlob(rows *sql.Rows, reader *content.Reader) (*exportedBlob, error) {
	b := &exportedBlob{}
	var p content.Packed
	err := rows.Scan(&b.ID, &b.SHA256, &p.Size, &p.Codec, &p.Data, &b.Near, &b.Why)
	p.ID, b.Size = b.ID, p.Size
	if err == nil && p.Data != nil {
		if _, err = reader.Attach(&p, b.Near); err == nil {
			b.Data, err = p.Unpack(nil)
		}
	}
	return b, err
}

func (x *exporter) entries() error {
	return x.each(`SELECT p.name, e.kind, coalesce(e.blob, 0), e.size, coalesce(e.mode, 0), coalesce(e.mtime, 0) FROM entry e
		JOIN path p ON p.id = e.path
		WHERE e.first = 0 ORDER BY p.name`, func(rows *sql.Rows) (exported, error) {
		e := &exportedEntry{}
		err := rows.Scan(&e.Name, &e.Kind, &e.Blob, &e.Size, &e.Mode, &e.Time)
		return exported{Entry: e}, err
	})
}

func (x *exporter) revisions() error {
	return x.each(exportedRevisions+" ORDER BY r.rev", func(rows *sql.Rows) (exported, error) {
		r, err := scanExported(rows)
		return exported{Revision: r}, err
	})
}

const exportedRevisions = `SELECT r.rev, r.time, r.actor, r.command, r.kind, r.shape, p.name, o.name, coalesce(r.before, 0),
	coalesce(r.after, 0),
	coalesce(r.before_mode, 0), coalesce(r.after_mode, 0),
	coalesce(r.before_mtime, 0), coalesce(r.after_mtime, 0), r.added, r.removed, coalesce(r.session, ''), coalesce(r.model, ''),
	coalesce(r.tool, ''), coalesce(r.process, ''), coalesce(r.grp, 0), r.unread, coalesce(r.note, ''), r.role,
	coalesce(r.undoes, 0), coalesce(r.undone_by, 0)
	FROM revision r JOIN path p ON p.id = r.path LEFT JOIN path o ON o.id = r.old_path`

// scanExported reads a row of exportedRevisions.
func scanExported(rows *sql.Rows) (*exportedRevision, error) {
	r := &exportedRevision{}
	var at int64
	err := rows.Scan(&r.Rev, &at, &r.Actor, &r.Command, &r.Kind, &r.Shape, &r.Name, &r.OldName, &r.Before, &r.After,
		&r.BeforeMode, &r.AfterMode, &r.BeforeTime, &r.AfterTime, &r.Added, &r.Removed, &r.Session, &r.Model, &r.Tool, &r.Process,
		&r.Group, &r.Unread,
		&r.Note, &r.Role, &r.Undoes, &r.UndoneBy)
	r.Time = schema.Time(at).UTC().Format(past.TimeFormat)
	return r, err
}

// importLine is the longest line of an import, in bytes: a content of hashLimit in base64.
const importLine = hashLimit*4/3 + 1<<10

// Import reads an export into a journal that is empty, whole or not at all: ErrNotEmpty, or ErrFormat with the line
// that is wrong. The next comparison with the disk records what differs.
func (j *Journal) Import(ctx context.Context, from io.Reader) (revisions int, err error) {
	return j.ImportNamed(ctx, from, nil)
}

// ImportNamed is [Journal.Import] of an export from elsewhere, all of whose names good must find good, and whose
// other texts must have no control characters.
func (j *Journal) ImportNamed(ctx context.Context, from io.Reader, good func(name string) bool) (revisions int, err error) {
	j.Flush()
	err = j.tx("import", true, func(w *tableWriter) error {
		used, err := w.Row("SELECT 1 FROM revision UNION SELECT 1 FROM entry LIMIT 1", nil, new(int))
		if err != nil {
			return err
		}
		if used {
			return ErrNotEmpty
		}
		in := importer{w: w, now: j.options.Now(), good: good, blobs: map[int64]int64{}}
		lines := bufio.NewScanner(from)
		lines.Buffer(make([]byte, 0, 64<<10), importLine)
		n := 0
		for lines.Scan() {
			n++
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			if err := in.line(lines.Bytes()); err != nil {
				var db *past.Error
				if errors.As(err, &db) {
					return err
				}
				return &past.Error{Op: "import", Err: ErrFormat, Cause: fmt.Errorf("line %d: %w", n, err)}
			}
		}
		if err := lines.Err(); err != nil {
			return &past.Error{Op: "import", Err: ErrFormat, Cause: err}
		}
		if !in.begun {
			return ErrFormat
		}
		revisions = in.revisions
		if err := w.set("cut", time.Now().UnixNano()); err != nil { // holders of a tree reread it
			return err
		}
		return w.set("baseline", time.Now().UnixNano())
	})
	return revisions, err
}

type importer struct {
	w         *tableWriter
	now       time.Time              // zero in a repair: the journal's own times are taken as they are
	good      func(name string) bool // of the caller; nil: every name that a backend can have
	begun     bool
	blobs     map[int64]int64 // ours by theirs
	last      int64
	revisions int
}

var errLine = errors.New("not a line of an export")

func (in *importer) line(data []byte) error {
	var e exported
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	switch {
	case !in.begun:
		if e.Format != exportFormat || e.Version != exportVersion {
			return errLine
		}
		in.begun = true
		return nil
	case e.Blob != nil:
		return in.blob(e.Blob)
	case e.Entry != nil:
		return in.entry(e.Entry)
	case e.Revision != nil:
		return in.revision(e.Revision)
	}
	return errLine
}

func (in *importer) blob(b *exportedBlob) error {
	c, err := b.content()
	if err == nil && in.blobs[b.ID] != 0 {
		err = errLine
	}
	if err != nil {
		return err
	}
	id, err := in.w.blobs.Put(c, in.blobs[b.Near])
	in.blobs[b.ID] = id
	return failed("import", err)
}

// content is what the line says, if its bytes have the digest.
func (b *exportedBlob) content() (*content.Content, error) {
	c := &content.Content{Size: b.Size, Data: b.Data, Why: b.Why}
	if b.Data == nil && b.Why == "" {
		c.Data = []byte{}
	}
	if len(b.SHA256) != 0 {
		if len(b.SHA256) != len(c.Sum) {
			return nil, errLine
		}
		copy(c.Sum[:], b.SHA256)
		c.Hashed = true
	}
	if c.Data != nil && (int64(len(c.Data)) != c.Size || !c.Hashed || memstore.Sum(c.Data) != c.Sum) || b.Size < 0 {
		return nil, errors.New("the content does not match its digest")
	}
	return c, nil
}

// our is our number of a content of theirs.
func (in *importer) our(blob int64) (int64, error) {
	if blob == 0 {
		return 0, nil
	}
	id := in.blobs[blob]
	if id == 0 {
		return 0, errors.New("it refers to content that does not come before it")
	}
	return id, nil
}

// goodName reports whether a name can be one of a backend, and of the caller.
func (in *importer) goodName(name []byte) bool {
	return goodName(name) && (in.good == nil || in.good(string(name)))
}

// goodName reports whether a name can be one of a backend.
func goodName(name []byte) bool {
	if len(name) == 0 || bytes.IndexByte(name, 0) >= 0 {
		return false
	}
	for part := range bytes.SplitSeq(name, []byte{'/'}) {
		if s := string(part); s == "" || s == "." || s == ".." {
			return false
		}
	}
	return true
}

func goodKind(kind int) bool {
	return kind >= int(memstore.KindFile) && kind <= int(memstore.KindOther)
}

// controls reports whether a character can steer a terminal or reorder a line.
func controls(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// goodNumbers reports whether all can be numbers of revisions, or counts.
func goodNumbers(list ...int64) bool {
	for _, n := range list {
		if n < 0 || n > lastRevision {
			return false
		}
	}
	return true
}

func (in *importer) entry(e *exportedEntry) error {
	if !in.goodName(e.Name) || !goodKind(e.Kind) || in.revisions > 0 {
		return errLine
	}
	blob, err := in.our(e.Blob)
	if err != nil {
		return err
	}
	name := string(e.Name)
	if there, err := in.w.entries.current(name); err != nil {
		return failed("import", err)
	} else if there != nil {
		return errors.New("two entries have the same name")
	}
	if err := in.w.entries.ensureParents(name, 0); err != nil {
		return failed("import", err)
	}
	s := state{kind: memstore.Kind(e.Kind), blob: blob, size: e.Size, stamp: stamp{mode: e.Mode.Perm(), seen: schema.Time(0),
		modTime: schema.SomeTime(e.Time)}, life: life{changed: schema.SomeTime(e.Time)}}
	return failed("import", in.w.entries.begin(name, 0, s))
}

func (in *importer) revision(r *exportedRevision) error {
	at, err := time.Parse(past.TimeFormat, r.Time)
	if err == nil && !in.now.IsZero() && (at.Unix() < 0 || at.After(in.now.Add(24*time.Hour))) {
		return fmt.Errorf("revision %d has an impossible time", r.Rev)
	}
	shape := past.Shape(r.Shape)
	switch {
	case err != nil:
		return err
	case r.Rev <= in.last, r.Rev > lastRevision, !goodNumbers(r.Group, r.Undoes, r.UndoneBy, int64(r.Added), int64(r.Removed)):
		return fmt.Errorf("revision %d has an impossible number", r.Rev)
	case in.good != nil && strings.ContainsFunc(r.Actor+r.Command+r.Session+r.Model+r.Tool+r.Process+r.Note, controls):
		return fmt.Errorf("revision %d has control characters", r.Rev)
	case !in.goodName(r.Name), len(r.OldName) > 0 && !in.goodName(r.OldName):
		return fmt.Errorf("revision %d has an impossible name", r.Rev)
	case !goodKind(r.Kind), shape < past.Made, shape > past.Renamed, r.Actor == "",
		(shape == past.Renamed) != (len(r.OldName) > 0),
		shape == past.Renamed && (string(r.Name) == string(r.OldName) ||
			pathname.Inside(string(r.Name), string(r.OldName))), r.Role < 0, r.Role > int(schema.RoleRedo):
		return errLine
	}
	c := change{
		rev: r.Rev, kind: memstore.Kind(r.Kind), shape: shape, name: string(r.Name), oldName: string(r.OldName),
		beforeMode: fs.FileMode(r.BeforeMode).Perm(), hasMode: r.BeforeMode != 0, beforeTime: schema.SomeTime(r.BeforeTime),
		added: r.Added, removed: r.Removed, note: past.Note(schema.Cut(r.Note)),
	}
	if c.before, err = in.our(r.Before); err != nil {
		return err
	}
	if c.after, err = in.our(r.After); err != nil {
		return err
	}
	if c.size, err = in.w.blobs.SizeOf(c.after); err != nil {
		return failed("import", err)
	}
	if r.AfterMode != 0 {
		c.stamp = stamp{mode: fs.FileMode(r.AfterMode).Perm(), seen: schema.Time(0), modTime: schema.SomeTime(r.AfterTime)}
	}
	origin := cutOrigin(memstore.Origin{Actor: memstore.Actor(r.Actor), Session: r.Session, Model: r.Model, ToolUseID: r.Tool})
	m := maker{
		time: at, actor: origin.Actor, command: schema.Cut(r.Command), session: origin.Session, model: origin.Model, tool: origin.ToolUseID,
		process: schema.Cut(r.Process), role: schema.Role(r.Role), group: r.Group,
	}
	if _, err := in.w.record(&m, &c); err != nil {
		return failed("import", err)
	}
	in.last = r.Rev
	in.revisions++
	return failed("import", in.w.Do("UPDATE revision SET unread = ?, undoes = ?, undone_by = ? WHERE rev = ?",
		r.Unread, schema.Optional(r.Undoes), schema.Optional(r.UndoneBy), r.Rev))
}
