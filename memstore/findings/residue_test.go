package findings

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/undo"
)

// detective looks for values on the disk on its own: nothing of the proof of the package is used.
type detective struct {
	t     *testing.T
	forms map[string]string // every spelling, small letters, and what it is
}

func newDetective(t *testing.T, values []string) *detective {
	d := &detective{t, map[string]string{}}
	for i, v := range values {
		add := func(what, s string) { d.forms[strings.ToLower(s)] = fmt.Sprintf("value %d (%s)", i, what) }
		add("raw", v)
		quoted, _ := json.Marshal(v) // strings are always marshalled
		add("JSON", string(quoted[1:len(quoted)-1]))
		twice, _ := json.Marshal(string(quoted[1 : len(quoted)-1]))
		add("JSON in JSON", string(twice[1:len(twice)-1]))
		add("ASCII JSON", strings.Trim(strconv.QuoteToASCII(v), `"`))
		add("hex", hex.EncodeToString([]byte(v)))
		add("query", url.QueryEscape(v))
		add("path", url.PathEscape(v))
		for shift := range 3 {
			for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				// Whatever stands before and after: the first and the last character depend on it.
				s := e.EncodeToString(append(bytes.Repeat([]byte{'#'}, shift), v...))
				if s = s[(shift*8+5)/6 : len(s)-1]; len(s) >= 10 {
					add("base64", s)
				}
			}
		}
	}
	return d
}

func (d *detective) bytes(where string, data []byte, depth int) {
	d.t.Helper()
	low := string(bytes.ToLower(data))
	for s, what := range d.forms {
		if strings.Contains(low, s) || strings.Contains(string(data), s) {
			d.t.Errorf("%s holds %s", where, what)
		}
	}
	for i := range data {
		if depth == 0 || i+4 > len(data) {
			break
		}
		var r io.Reader
		if data[i] == 0x1f && data[i+1] == 0x8b {
			if z, err := gzip.NewReader(bytes.NewReader(data[i:])); err == nil {
				r = z
			}
		} else if string(data[i:i+4]) == "\x28\xb5\x2f\xfd" {
			if z, err := zstd.NewReader(bytes.NewReader(data[i:]), zstd.WithDecoderConcurrency(1)); err == nil {
				r = z.IOReadCloser()
			}
		}
		if r != nil {
			inner, _ := io.ReadAll(io.LimitReader(r, 8<<20)) // what comes before an error counts
			d.bytes(where+" (unpacked)", inner, depth-1)
		}
	}
}

// tree searches all files below a folder, their names, and the rows of databases.
func (d *detective) tree(dir string) {
	d.t.Helper()
	if err := filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, at)
		d.bytes("the name of "+rel, []byte(rel), 0)
		if to, err := os.Readlink(at); err == nil {
			d.bytes("the link "+rel, []byte(to), 0)
		}
		if !e.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		d.bytes(rel, data, 2)
		if bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
			d.database(rel, at)
		}
		return nil
	}); err != nil {
		d.t.Fatal(err)
	}
}

func (d *detective) database(name, at string) {
	d.t.Helper()
	must := func(err error) {
		if err != nil {
			d.t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", "file://"+at+"?mode=ro")
	must(err)
	defer db.Close()
	var tables []string
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	must(err)
	for rows.Next() {
		var table string
		must(rows.Scan(&table))
		tables = append(tables, table)
	}
	must(rows.Close())
	for _, table := range tables {
		rows, err := db.Query("SELECT * FROM " + table)
		must(err)
		columns, err := rows.Columns()
		must(err)
		for rows.Next() {
			cells := make([]any, len(columns))
			into := make([]any, len(columns))
			for i := range cells {
				into[i] = &cells[i]
			}
			must(rows.Scan(into...))
			for i, c := range cells {
				switch v := c.(type) {
				case []byte:
					d.bytes(name+": "+table+"."+columns[i], v, 1)
				case string:
					d.bytes(name+": "+table+"."+columns[i], []byte(v), 1)
				}
			}
		}
		must(rows.Close())
	}
}

// awkward are values that are written in many ways.
func awkward(chance *rand.Rand) []string {
	r := func(n int) string {
		const set = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
		out := make([]byte, n)
		for i := range out {
			out[i] = set[chance.IntN(len(set))]
		}
		return string(out)
	}
	short := "Kx" + strconv.Itoa(1000+chance.IntN(9000)) + r(2)
	return []string{
		"gh" + "p_" + r(36), short, short + "-" + r(4) + "!", r(4) + `"` + r(4) + `\` + r(3) + "9", r(5) + "<&>'" + r(4) + "7",
		"pä" + r(5) + "ß9é" + r(3), "密码" + r(7) + "7", r(3) + "%20+/=" + r(6) + "8", strconv.Itoa(10_000_000 + chance.IntN(80_000_000)),
		"-----BEGIN RSA PRIVATE" + " KEY-----\n" + r(64) + "\n" + r(64) + "\n" + r(40) + "\n-----END RSA PRIVATE" + " KEY-----",
	}
}

// noteWith is a text in one of the formats with values in it, in one of the ways that they are written.
func noteWith(chance *rand.Rand, values []string) (end, text string) {
	v, w := values[chance.IntN(len(values))], values[chance.IntN(len(values))]
	quoted, _ := json.Marshal(map[string]any{"note": "uses " + v, "list": []string{w, "x"}}) // it is always marshalled
	fill := strings.Repeat("a line about nothing in particular\n", chance.IntN(60))
	switch chance.IntN(9) {
	case 0:
		return ".json", string(quoted)
	case 1:
		return ".jsonl", string(quoted) + "\n" + string(quoted) + "\n"
	case 2:
		return ".md", "# Notes\n" + fill + "- password: `" + v + "`\n- and again " + w + "\n"
	case 3:
		return ".txt", fill + "in hex " + hex.EncodeToString([]byte("x: "+v)) + "\nin base64 " +
			base64.StdEncoding.EncodeToString([]byte("user:"+w)) + "\n"
	case 4:
		return ".md", "loud: " + strings.ToUpper(v) + "\nquiet: " + strings.ToLower(w) + "\n" + fill
	case 5:
		return ".log", "GET /login?p=" + url.QueryEscape(v) + " HTTP/1.1\n/a/" + url.PathEscape(w) + "/b\n"
	case 6:
		return ".yaml", "a: 1\nb: " + string(quoted) + "\n"
	case 7:
		return ".md", strconv.QuoteToASCII(v) + " and " + w + strings.Repeat(" filler", 700) + " " + v + "\n"
	}
	return ".md", fill + v + "\n" + w + "\n"
}

// history makes files and a past with values in contents, names, sessions and neighboring files.
func (d *desk) history(chance *rand.Rand, values []string, edits int) {
	ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Session: "about " + values[0], Model: "m",
		ToolUseID: "call " + values[1]})
	must := func(r memstore.Result) {
		d.t.Helper()
		if r.IsError {
			d.t.Fatal(r.Content)
		}
	}
	plain := values[:3] // those that may be in a name
	var files []string
	for i := range edits {
		end, text := noteWith(chance, values)
		switch {
		case len(files) < 3 || chance.IntN(3) == 0:
			at := fmt.Sprintf("/memories/d%d/n%d%s", chance.IntN(3), i, end)
			if chance.IntN(4) == 0 {
				at = fmt.Sprintf("/memories/%s-%d/%d-%s%s", plain[chance.IntN(3)], i, i, plain[chance.IntN(3)], end)
			}
			must(d.agent.Create(ctx, at, text))
			must(d.agent.View(ctx, at, nil))
			files = append(files, at)
		case chance.IntN(3) == 0:
			k := chance.IntN(len(files))
			must(d.agent.Delete(ctx, files[k]))
			files = append(files[:k], files[k+1:]...)
		case chance.IntN(2) == 0:
			k := chance.IntN(len(files))
			to := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(files[k], filepath.Ext(files[k])), i, filepath.Ext(files[k]))
			must(d.agent.Rename(ctx, files[k], to))
			files[k] = to
		default:
			k := chance.IntN(len(files))
			must(d.agent.Create(ctx, files[k], text))
		}
	}
	e := undo.NewEditor(d.journal, d.store)
	list, err := past.Revisions(ctx, d.journal, past.Filter{})
	d.must(err)
	for range 3 {
		p, err := e.PlanRevert(ctx, list[chance.IntN(len(list))].Rev)
		d.must(err)
		if len(p.Conflicts) == 0 {
			_, err = e.Carry(ctx, p)
			d.must(err)
		}
	}
	d.must(d.memory.Dismiss(Dismissal{ID: d.memory.ID("harmless"), Class: "password", Label: "/memories/" + values[1] + ".md:3"}))
	d.beside(values)
}

// beside puts values where crashes and other programs leave them.
func (d *desk) beside(values []string) {
	ctx := context.Background()
	_ = os.Symlink("d-"+values[1]+"/x.md", filepath.Join(d.dir, "link.md")) // not everywhere
	_, err := d.journal.Sync(ctx, past.Hints{Unseen: true})
	d.must(err)
	twice, _ := json.Marshal(values[3] + " " + values[9]) // strings are always marshalled
	twice, _ = json.Marshal("say " + string(twice))
	d.must(os.WriteFile(filepath.Join(d.dir, "twice.md"), twice, 0o600))
	layout, _ := json.Marshal(map[string]any{"version": 1,
		"history":  map[string]any{":": []string{`:create /memories/a "` + values[3] + `"`}, "/": values},
		"selected": "/memories/" + values[1] + ".md"})
	for name, text := range map[string]string{
		filepath.Join(d.dir, "a.md~"): "old " + values[4], filepath.Join(d.dir, "#b.md#"): "old " + values[0],
		filepath.Join(d.state, "layout.json"):             string(layout),
		filepath.Join(d.state, "edit-1", values[1]+".md"): "mine: " + values[3],
		filepath.Join(d.state, "layout.json.77.tmp"):      string(layout[:len(layout)-9]),
		journal.Path(d.state) + ".damaged-old":            "SQLite?" + values[0],
	} {
		d.must(os.MkdirAll(filepath.Dir(name), 0o700))
		d.must(os.WriteFile(name, []byte(text), 0o600))
	}
}

// After a purge of random stores with random pasts no byte of a value is left on the disk, and the proof says so. With
// MEMCURATOR_SEED as many stores.
func TestNoResidue(t *testing.T) {
	stores := 1
	if n, err := strconv.Atoi(os.Getenv("MEMCURATOR_SEED")); err == nil {
		stores = n
	}
	for seed := range stores {
		chance := rand.New(rand.NewPCG(uint64(seed), 7))
		d := newDesk(t)
		values := awkward(chance)
		d.history(chance, values, 30)
		s := d.scrubber()
		s.Accept(nil)
		for i, v := range values {
			s.accept[v], s.sure[v] = []string{"github-token", "password", "private-key"}[max(0, min(i, 1), i-7)], scrub.Shaped
		}
		s.seek()
		done, err := s.Purge(context.Background())
		d.must(err)
		if len(done.Left.Left) > 0 || len(done.Failed) > 0 {
			t.Errorf("seed %d: left %+v, failed %+v", seed, done.Left.Left, done.Failed)
		}
		look := newDetective(t, values)
		look.tree(d.dir)
		look.tree(d.state)
		if r, err := d.journal.Check(context.Background()); err != nil || !r.OK() {
			t.Errorf("seed %d: %+v, %v", seed, r, err)
		}
		// An undo brings none of it back.
		e := undo.NewEditor(d.journal, d.store)
		list, err := past.Revisions(context.Background(), d.journal, past.Filter{Newest: true})
		d.must(err)
		for _, r := range list[:min(len(list), 20)] {
			if p, err := e.PlanRevert(context.Background(), r.Rev); err == nil && len(p.Conflicts) == 0 {
				_, _ = e.Carry(context.Background(), p) // some block each other
			}
		}
		look.tree(d.dir)
		d.close()
		look.tree(d.state)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
