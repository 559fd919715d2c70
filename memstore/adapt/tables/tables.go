// Package tables shows the rows of databases as files, for looking only: claude-mem and engram, which keep a record a row. What is shown
// of a table is data ([program]); columns that a version of the program lacks are left out. The database is read as bytes, with its log, so
// that nothing is written beside it.
package tables

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/dbfile"
	"memcurator/memstore/backend"
)

// kind is that of all stores which are databases to look at.
const kind = "sqlite"

// program is a program whose database is shown.
type program struct {
	name   string
	file   string  // the usual name of the database
	tables []table // all must be there
}

// table is a table of which every row is a file.
type table struct {
	name   string
	folder string
	folded string   // the column that gives a folder below it; "" for none
	title  []string // the columns for the heading; the first that has text
	text   []string // the columns of the text, each with its name as a heading if there are several
	kind   string   // the column that says of what kind a record is
	tags   string
	gone   string // the column that says when a record was deleted; it is shown nevertheless
}

var (
	claudeMem = program{name: "claude-mem", file: "claude-mem.db", tables: []table{
		{name: "observations", folder: "observations", folded: "project", title: []string{"title", "text"},
			text: []string{"subtitle", "narrative", "text", "facts"}, kind: "type", tags: "concepts"},
		{name: "session_summaries", folder: "summaries", folded: "project", title: []string{"request"},
			text: []string{"request", "investigated", "learned", "completed", "next_steps", "notes"}},
		{name: "sdk_sessions", folder: "sessions", folded: "project", title: []string{"custom_title", "user_prompt"},
			text: []string{"user_prompt"}, kind: "status"},
	}}
	engram = program{name: "engram", file: "engram.db", tables: []table{
		{name: "observations", folder: "observations", folded: "project", title: []string{"title"}, text: []string{"content"}, kind: "type",
			gone: "deleted_at"},
		{name: "sessions", folder: "sessions", folded: "project", title: []string{"summary"}, text: []string{"summary"}},
		{name: "user_prompts", folder: "prompts", folded: "project", title: []string{"content"}, text: []string{"content"}},
	}}
)

// Adapters open the databases of the programs.
func Adapters() (list []adapt.Adapter) {
	for _, p := range []*program{&claudeMem, &engram} {
		list = append(list, adapt.Adapter{Kind: kind, Beside: []string{"-wal"}, Recognize: p.recognize, Read: p.read})
	}
	return list
}

// recognize goes by the name of the database and its tables.
func (p *program) recognize(file string) bool {
	if filepath.Base(file) != p.file {
		return false
	}
	var names []string
	for _, t := range p.tables {
		names = append(names, t.name)
	}
	return dbfile.Has(file, names...)
}

func (p *program) read(ctx context.Context, file string) (*adapt.Image, error) {
	b, err := dbfile.Read(ctx, file)
	if err != nil {
		return nil, err
	}
	db, err := b.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it is only memory
	image := &adapt.Image{Digest: b.Digest, ReadOnly: "The memory of " + p.name + " can only be looked at here"}
	for _, t := range p.tables {
		if err := t.read(ctx, db, image); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			image.Problems = append(image.Problems, "The table "+t.name+" can't be read")
		}
	}
	slices.SortFunc(image.Entries, func(a, b adapt.Entry) int { return strings.Compare(a.Name, b.Name) })
	return image, nil
}

func (t *table) read(ctx context.Context, db *sql.DB, image *adapt.Image) error {
	columns, rows, err := dbfile.Rows(ctx, db, t.name)
	for _, r := range rows {
		image.Entries = append(image.Entries, t.entry(r.Values))
	}
	if err == nil && len(columns) == 0 {
		err = backend.ErrNotExist
	}
	return err
}

// entry is the file of a row.
func (t *table) entry(r map[string]string) adapt.Entry {
	title := ""
	for _, column := range t.title {
		if title = firstLine(r[column]); title != "" {
			break
		}
	}
	created := timeOf(r, "created_at", "started_at")
	updated := timeOf(r, "updated_at", "completed_at", "ended_at")
	name := adapt.SafeName(cmp.Or(title, untitled)) + " " + adapt.SafeName(r["id"]) + ".md"
	if !created.IsZero() {
		name = created.Format(time.DateOnly) + " " + name
	}
	folder := t.folder
	if t.folded != "" {
		folder = path.Join(folder, adapt.SafeName(cmp.Or(r[t.folded], untitled)))
	}
	e := adapt.Entry{Name: path.Join(folder, name), ID: t.name + " " + r["id"], Text: t.body(r, title),
		Changed: updated}
	if e.Changed.IsZero() {
		e.Changed = created
	}
	record := adapt.Record{Layer: t.folder, Kind: r[t.kind], Created: created, Updated: updated, Tags: items(r[t.tags])}
	if t.gone != "" && r[t.gone] != "" {
		record.More = map[string]string{"deleted": r[t.gone]}
	}
	e.Record = func() adapt.Record { return record } // made here: the row would be held for it
	return e
}

const (
	untitled  = "untitled"
	mostTitle = 160 // characters of a heading
)

// body is the text of a file: a heading, and the columns that have text.
func (t *table) body(r map[string]string, title string) []byte {
	var b strings.Builder
	b.WriteString("# " + title + "\n")
	if t.gone != "" && r[t.gone] != "" {
		b.WriteString("\nDeleted " + r[t.gone] + ". The program keeps the row.\n")
	}
	for _, column := range t.text {
		text := strings.TrimSpace(r[column])
		if text == "" || text == title {
			continue
		}
		if list := items(text); list != nil {
			text = "- " + strings.Join(list, "\n- ")
		}
		b.WriteByte('\n')
		if len(t.text) > 1 {
			b.WriteString("## " + strings.ReplaceAll(column, "_", " ") + "\n\n")
		}
		b.WriteString(text + "\n")
	}
	return []byte(b.String())
}

// items are the texts of a JSON array; nil for anything else.
func items(value string) (list []string) {
	if strings.HasPrefix(value, "[") && json.Unmarshal([]byte(value), &list) == nil && len(list) > 0 {
		return list
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	if utf8.RuneCountInString(line) > mostTitle {
		line = string([]rune(line)[:mostTitle]) + "…"
	}
	return line
}

// timeOf is the first of some columns that has a time: text, or milliseconds in the column of that name with _epoch.
func timeOf(r map[string]string, columns ...string) time.Time {
	for _, column := range columns {
		for _, layout := range []string{time.RFC3339Nano, time.DateTime} {
			if at, err := time.Parse(layout, r[column]); err == nil {
				return at.UTC()
			}
		}
		var n int64
		if _, err := fmt.Sscan(r[column+"_epoch"], &n); err == nil && n > 0 {
			return time.UnixMilli(n).UTC()
		}
	}
	return time.Time{}
}
