package purge

import (
	"database/sql"
	"path"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
)

// names rewrites the names of files and folders, now and once. What is below a renamed folder goes
// with it; a name that is taken gets a number.
func (r *rewriter) names() error {
	all, err := r.pathNames()
	if err != nil {
		return err
	}
	taken := make(map[string]bool, len(all))
	for _, n := range all {
		taken[n.name] = true
	}
	slices.SortFunc(all, func(a, b pathName) int { return strings.Compare(a.name, b.name) })
	renamed := map[string]string{}
	for _, n := range all {
		clean := r.cleanName(n.name, renamed, taken)
		if clean == n.name {
			continue
		}
		if err := r.w.Do("UPDATE path SET name = ? WHERE id = ?", clean, n.id); err != nil {
			return err
		}
		r.wanted[n.id] = r.wantedNames[n.name]
		touched, err := r.w.IDs("SELECT rev FROM revision WHERE path = ? OR old_path = ?", n.id, n.id)
		if err != nil {
			return err
		}
		for _, rev := range touched {
			r.revisions[rev] = true
		}
		r.done.Names++
	}
	return nil
}

type pathName struct {
	id   int64
	name string
}

func (r *rewriter) pathNames() ([]pathName, error) {
	var all []pathName
	err := database.Rows(r.w.Query("SELECT id, name FROM path")).Each(func(row *sql.Rows) error {
		var n pathName
		err := row.Scan(&n.id, &n.name)
		all = append(all, n)
		return err
	})
	return all, err
}

// cleanName is a name without the values, segment by segment, so that the folders above it have
// the names that they get themselves. renamed remembers what was decided.
func (r *rewriter) cleanName(name string, renamed map[string]string, taken map[string]bool) string {
	if name == "." || name == "" {
		return name
	}
	if clean, ok := renamed[name]; ok {
		return clean
	}
	dir, base := path.Split(name)
	clean := RedactName(base, r.text)
	if dir = strings.TrimSuffix(dir, "/"); dir != "" {
		clean = r.cleanName(dir, renamed, taken) + "/" + clean
	}
	r.wantedNames[name] = clean
	if clean != name {
		clean = FreeName(clean, func(name string) bool { return taken[name] })
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

// texts rewrites what else is text.
func (r *rewriter) texts() error {
	list, err := schema.TextColumns(func(query string) (*sql.Rows, error) { return r.w.Query(query) })
	if err != nil {
		return err
	}
	for _, c := range list {
		if err := r.column(c); err != nil {
			return err
		}
	}
	return nil
}

func (r *rewriter) column(c schema.TextColumn) error {
	texts, err := schema.TextsOf(r.w.Query(c.Distinct()))
	if err != nil {
		return err
	}
	changed := map[string]string{}
	for _, s := range texts {
		if clean := string(r.text([]byte(s))); clean != s {
			changed[s] = clean
		}
	}
	for old, clean := range changed {
		if err := r.w.Do("UPDATE OR IGNORE "+c.Table+" SET "+c.Name+" = ? WHERE "+c.Name+" = ?", clean, old); err != nil {
			return err
		}
		if c == (schema.TextColumn{Table: "grp", Name: "name"}) { // a name that was taken becomes free
			if err := r.w.Do("DELETE FROM grp WHERE name = ?", old); err != nil {
				return err
			}
		}
		r.done.Texts++
	}
	return nil
}
