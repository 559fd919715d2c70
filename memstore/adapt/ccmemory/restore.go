package ccmemory

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"

	"memcurator/memstore/adapt/dbfile"
)

// restore gives a record that was made again, under the ID it had, what its text doesn't show: the columns that are hidden, and the rows
// that went with it. They are in the databases kept of before our edits; of those that have the record, the newest counts. A record that
// none has is new.
func (c *changer) restore(r row) error {
	for _, name := range slices.Backward(c.kept) {
		kept, err := openKept(c.ctx, name, r.id())
		if err != nil || kept == nil {
			continue // what the text says is restored in any case
		}
		found, err := c.restoreFrom(kept, r)
		_ = kept.Close() // it is only memory
		if err != nil || found {
			return err
		}
	}
	return nil
}

// openKept opens a database that was kept, if it has an ID at all; nil if it hasn't.
func openKept(ctx context.Context, name, id string) (*sql.DB, error) {
	data, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(data, []byte(id)) {
		return nil, err
	}
	b, err := dbfile.Of(data)
	if err != nil {
		return nil, err
	}
	return b.Open(ctx)
}

func (c *changer) restoreFrom(kept *sql.DB, r row) (found bool, err error) {
	columns, was, err := c.rows(kept, r.table.name, "id", r.id())
	if err != nil || len(was) == 0 {
		return false, err
	}
	_, is, err := c.rows(c.tx, r.table.name, "id", r.id())
	if err != nil || len(is) == 0 {
		return false, err
	}
	var sets []string
	var args []any
	sameText := true
	for i, name := range columns {
		sameText = sameText && (!r.table.shows(name) || alike(was[0][i], is[0][i]))
	}
	for i, name := range columns {
		// With another text, it is an update, and these two say so.
		if sameText || !r.table.shows(name) && name != "updated_at" && name != "version" {
			sets, args = append(sets, quoteName(name)+" = ?"), append(args, was[0][i])
		}
	}
	if len(sets) > 0 {
		if err := c.exec("UPDATE "+r.table.name+" SET "+strings.Join(sets, ", ")+" WHERE id = ?", append(args, r.id())...); err != nil {
			return true, err
		}
	}
	for _, also := range taken[r.table] {
		if also.table == transcriptTable.name {
			continue // a file of its own, which comes back by itself
		}
		if err := c.restoreTaken(kept, also.table, also.column, r.id()); err != nil {
			return true, err
		}
	}
	return true, nil
}

// restoreTaken puts rows back that went with a record: relations only if both of their entities are there.
func (c *changer) restoreTaken(kept *sql.DB, table, column, id string) error {
	columns, rows, err := c.rows(kept, table, column, id)
	if err != nil || len(rows) == 0 {
		return err
	}
	quoted := make([]string, len(columns))
	for i, name := range columns {
		quoted[i] = quoteName(name)
	}
	query := "INSERT OR IGNORE INTO " + table + " (" + strings.Join(quoted, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for _, values := range rows {
		there := true
		for i, name := range columns {
			if table == relationTable.name && (name == "from_entity" || name == "to_entity") {
				_, ends, err := c.rows(c.tx, entityTable.name, "id", values[i])
				if err != nil {
					return err
				}
				there = there && len(ends) > 0
			}
		}
		if there {
			if err := c.exec(query, values...); err != nil {
				return err
			}
		}
	}
	return nil
}

// restoreTranscript gives the transcript of an episode that was made again the ID and the time it had, if it says the same.
func (c *changer) restoreTranscript(episode, text string) error {
	for _, name := range slices.Backward(c.kept) {
		kept, err := openKept(c.ctx, name, episode)
		if err != nil || kept == nil {
			continue
		}
		var id string
		var created int64
		var was string
		err = kept.QueryRowContext(c.ctx, "SELECT id, created_at, transcript FROM episode_transcripts WHERE episode_id = ?", episode).
			Scan(&id, &created, &was)
		_ = kept.Close() // it is only memory
		if err != nil {
			continue
		}
		if v, ok := compact(was); ok && stored(v) == text {
			return c.exec("UPDATE OR IGNORE episode_transcripts SET id = ?, created_at = ?, transcript = ? WHERE episode_id = ?",
				id, created, was, episode)
		}
		return nil
	}
	return nil
}

// alike reports whether two columns say the same: in JSON, the order of keys says nothing.
func alike(a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	s, isText := a.(string)
	t, areTexts := b.(string)
	var v, w any
	return isText && areTexts && json.Unmarshal([]byte(s), &v) == nil && json.Unmarshal([]byte(t), &w) == nil && reflect.DeepEqual(v, w)
}

// shows reports whether the text of a record has a column.
func (t *table) shows(name string) bool {
	return slices.ContainsFunc(t.columns, func(c column) bool { return c.name == name && c.at != hidden })
}

// rows are those of a table that have a value in a column, with the columns that the database to be changed has, too.
func (c *changer) rows(q dbfile.Querier, table, column string, value any) (columns []string, values [][]any, err error) {
	there, err := dbfile.Columns(c.ctx, q, table)
	if err != nil {
		return nil, nil, unwritable(err)
	}
	for _, name := range there {
		ok, err := c.has(table, name)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			columns = append(columns, name)
		}
	}
	if !slices.Contains(columns, column) {
		return nil, nil, nil
	}
	quoted := make([]string, len(columns))
	for i, name := range columns {
		quoted[i] = quoteName(name)
	}
	rows, err := q.QueryContext(c.ctx, "SELECT "+strings.Join(quoted, ", ")+" FROM "+table+" WHERE "+column+" = ?", value)
	if err != nil {
		return nil, nil, unwritable(err)
	}
	defer rows.Close()
	for rows.Next() {
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, nil, unwritable(err)
		}
		values = append(values, cells)
	}
	if err := rows.Err(); err != nil {
		return nil, nil, unwritable(err)
	}
	return columns, values, nil
}
