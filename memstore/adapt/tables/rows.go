package tables

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// row is one record: the values of its columns as text, without those that are NULL. SQLite makes numbers of them again, by the types of
// the columns.
type row struct {
	table  *table
	values map[string]string
	fixed  string // why it can't be changed; "" if it can
}

func (r *row) id() string { return r.values["id"] }

func (r *row) copied() *row { return &row{table: r.table, values: maps.Clone(r.values)} }

func (r *row) number(column string) float64 {
	n, _ := strconv.ParseFloat(r.values[column], 64)
	return n
}

func (r *row) millis(column string) int64 {
	n, _ := strconv.ParseInt(r.values[column], 10, 64)
	return n
}

// time is zero where the column has none.
func (r *row) time(column string) time.Time {
	if n := r.millis(column); n != 0 {
		return time.UnixMilli(n).UTC()
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateTime} {
		if at, err := time.Parse(layout, r.values[column]); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

func (r *row) list(column string) (list []string) {
	_ = json.Unmarshal([]byte(r.values[column]), &list) // anything else is no list
	return list
}

// memory is what a database holds, as it is stored: expired items too. It doesn't change. It is an [adapt.Editor].
type memory struct {
	program  *program
	source   *source // nil if it is read-only
	rows     []*row  // in the order of the tables, and of their IDs
	columns  map[*table][]string
	defaults map[*table]map[string]string // of new rows
	image    *adapt.Image
	files    map[string]*row // by the names of files
	names    map[*row]string
}

// of are the rows of a table.
func (m *memory) of(t *table) (list []*row) {
	for _, r := range m.rows {
		if r.table == t {
			list = append(list, r)
		}
	}
	return list
}

// newestTables is the last step of the program's tables that is known here, by version 1.0.0 (commit 30d7ed2).
const newestTables = "0003"

// Why a database can be looked at only.
const (
	whyDamaged = "The database is damaged, and stays as it is: nothing of it can be changed here"
	whyNewer   = "A newer version of cc-memory wrote the database, and it stays as it is: what is known of it is shown, and nothing of it " +
		"can be changed here"
)

// load reads what a database holds.
func (p *program) load(ctx context.Context, b database) (*memory, error) {
	db, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it is only memory
	image := &adapt.Image{Digest: b.digest}
	m := &memory{program: p, image: image, columns: map[*table][]string{}, defaults: map[*table]map[string]string{}}
	if p.lookingOnly {
		image.ReadOnly = "The memory of " + p.name + " can only be looked at here"
	}
	for i, t := range p.tables {
		err := m.read(ctx, db, t)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			image.Problems = append(image.Problems, fmt.Sprintf("The table %s is damaged: what can be read of it is shown", t.name))
			image.ReadOnly = cmp.Or(image.ReadOnly, whyDamaged)
		case i < p.needed && len(m.columns[t]) == 0:
			return nil, adapt.Unreadable(backend.ErrNotRegular, "The database has no tables of "+p.name)
		}
	}
	var version sql.NullString
	err = db.QueryRowContext(ctx, "SELECT max(CAST(version AS TEXT)) FROM schema_version").Scan(&version) // the oldest have no such table
	if err == nil && version.String > newestTables {
		image.Problems = append(image.Problems, fmt.Sprintf("The database has version %q of its tables; those up to %s are known here",
			version.String, newestTables))
		image.ReadOnly = cmp.Or(image.ReadOnly, whyNewer)
	}
	m.lay()
	return m, ctx.Err()
}

// read adds the rows of a table that can be read.
func (m *memory) read(ctx context.Context, db *sql.DB, t *table) error {
	columns, list, err := rowsOf(ctx, db, t)
	if len(columns) == 0 {
		return err
	}
	m.columns[t] = columns
	for _, r := range list {
		switch {
		case r.id() == "":
			r.fixed = "It has no ID"
		case r.fixed == "" && t.json && !json.Valid([]byte(r.values[t.body])):
			r.fixed = whyOdd(t.body)
		}
	}
	slices.SortStableFunc(list, func(a, b *row) int { return strings.Compare(a.id(), b.id()) })
	m.rows = append(m.rows, list...)
	if err == nil {
		m.defaults[t], err = defaults(ctx, db, t)
	}
	return err
}

// whyOdd says why a row can't be changed which holds something that its text doesn't show.
func whyOdd(column string) string {
	return "Its column " + column + " holds something that the program doesn't write"
}

func numberText(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// defaults are the values that a table gives to columns of new rows.
func defaults(ctx context.Context, db *sql.DB, t *table) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT name, dflt_value FROM pragma_table_info(?) WHERE dflt_value IS NOT NULL", t.name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		if inner, ok := strings.CutPrefix(value, "'"); ok {
			value = strings.ReplaceAll(strings.TrimSuffix(inner, "'"), "''", "'")
		} else if n, err := strconv.ParseFloat(value, 64); err == nil {
			value = numberText(n)
		}
		all[name] = value
	}
	return all, rows.Err()
}
