package journal

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
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
		if err := r.w.do("UPDATE path SET name = ? WHERE id = ?", clean, n.id); err != nil {
			return err
		}
		touched, err := r.w.ids("SELECT rev FROM revision WHERE path = ? OR old_path = ?", n.id, n.id)
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
	rows, err := r.w.query("SELECT id, name FROM path")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []pathName
	for rows.Next() {
		var n pathName
		if err := rows.Scan(&n.id, &n.name); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, errors.Join(rows.Err(), rows.Close())
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
	if clean != name {
		clean = FreeName(clean, func(name string) bool { return taken[name] })
		taken[clean] = true
	}
	renamed[name] = clean
	return clean
}

// text redacts what is no content of a file.
func (r *rewriter) text(s []byte) []byte { return r.Redact("", s) }

// FreeName is name, or with a number behind it where it is taken.
func FreeName(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = name + "~" + strconv.Itoa(n)
	}
	return free
}

// RedactName is the base of a path without the values that redact takes out.
func RedactName(base string, redact func([]byte) []byte) string {
	clean := strings.ReplaceAll(string(redact([]byte(base))), "/", "-")
	if clean == "" || clean == "." || clean == ".." {
		return "redacted"
	}
	return clean
}

// textColumns are all columns that hold texts of people and programs, so that none which comes later is
// forgotten; names of paths are rewritten by names.
const textColumns = `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
	WHERE m.type = 'table' AND m.name NOT IN ('meta', 'path') AND m.name NOT LIKE 'sqlite%' AND c.type = 'TEXT'`

// texts rewrites what else is text. There are few different ones, so that each is asked for once.
func (r *rewriter) texts() error {
	rows, err := r.w.query(textColumns)
	if err != nil {
		return err
	}
	defer rows.Close()
	var list [][2]string
	for rows.Next() {
		var at [2]string
		if err := rows.Scan(&at[0], &at[1]); err != nil {
			return err
		}
		list = append(list, at)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, at := range list {
		if err := r.column(at[0], at[1]); err != nil {
			return err
		}
	}
	return nil
}

func (r *rewriter) column(table, column string) error {
	rows, err := r.w.query("SELECT DISTINCT " + column + " FROM " + table + " WHERE " + column + " IS NOT NULL")
	if err != nil {
		return err
	}
	defer rows.Close()
	changed := map[string]string{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return err
		}
		if clean := string(r.text([]byte(s))); clean != s {
			changed[s] = clean
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for old, clean := range changed {
		if err := r.w.do("UPDATE OR IGNORE "+table+" SET "+column+" = ? WHERE "+column+" = ?", clean, old); err != nil {
			return err
		}
		if table == "grp" && column == "name" { // a name that was taken is nobody's any more
			if err := r.w.do("DELETE FROM grp WHERE name = ?", old); err != nil {
				return err
			}
		}
		r.done.Texts++
	}
	return nil
}
