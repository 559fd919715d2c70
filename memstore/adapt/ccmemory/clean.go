package ccmemory

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"memcurator/memstore/adapt/ccmemory/terms"
)

// searchIndex has a row for each term of each record, in lower case.
const searchIndex = "search_index"

// CleanAll implements [backend.Cleaner]: it replaces the texts of all tables, those that no file shows too, and leaves nothing of them
// in free pages of the file.
func (s *Source) CleanAll(ctx context.Context, clean func(text []byte) []byte) error {
	st, err := s.read(ctx)
	if err != nil {
		return err
	}
	return s.change(ctx, st, true, func(c *changer) error {
		names, err := c.strings("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND rootpage > 0")
		if err != nil {
			return err
		}
		for _, name := range names {
			if name == searchIndex {
				continue
			}
			if err := c.cleanTable(name, clean); err != nil {
				return err
			}
		}
		return c.reindexAll(s.now())
	})
}

// strings are the first column of all rows of a query.
func (c *changer) strings(query string, args ...any) (list []string, err error) {
	rows, err := c.tx.QueryContext(c.ctx, query, args...)
	if err != nil {
		return nil, unwritable(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, unwritable(err)
		}
		list = append(list, s)
	}
	if err := rows.Err(); err != nil {
		return nil, unwritable(err)
	}
	return list, nil
}

// cleanTable replaces the texts of one table. A row that can't have the new text, since another has it, goes.
func (c *changer) cleanTable(table string, clean func([]byte) []byte) error {
	columns, err := c.strings("SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return err
	}
	for _, column := range columns {
		type cell struct {
			row  int64
			text []byte
		}
		var dirty []cell
		rows, err := c.tx.QueryContext(c.ctx, "SELECT rowid, CAST("+quoteName(column)+" AS BLOB) FROM "+quoteName(table)+
			" WHERE typeof("+quoteName(column)+") IN ('text', 'blob')")
		if err != nil {
			return unwritable(err)
		}
		for rows.Next() {
			var row int64
			var text []byte
			if err = rows.Scan(&row, &text); err != nil {
				break
			}
			if now := clean(text); string(now) != string(text) {
				dirty = append(dirty, cell{row, now})
			}
		}
		if err = firstError(err, rows.Err(), rows.Close()); err != nil {
			return unwritable(err)
		}
		for _, d := range dirty {
			_, err := c.tx.ExecContext(c.ctx, "UPDATE "+quoteName(table)+" SET "+quoteName(column)+" = ? WHERE rowid = ?", string(d.text), d.row)
			if err == nil {
				continue
			}
			if err := c.exec("DELETE FROM "+quoteName(table)+" WHERE rowid = ?", d.row); err != nil {
				return err
			}
		}
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// reindexAll writes search_index again. Where it is empty, it stays so: the program fills it when it starts.
func (c *changer) reindexAll(now time.Time) error {
	ok, err := c.has(searchIndex, "")
	if err != nil || !ok {
		return err
	}
	var filled bool
	if err := c.tx.QueryRowContext(c.ctx, "SELECT EXISTS (SELECT 1 FROM "+searchIndex+")").Scan(&filled); err != nil {
		return unwritable(err)
	}
	if !filled {
		return nil
	}
	if err := c.exec("DELETE FROM " + searchIndex); err != nil {
		return err
	}
	m, err := load(c.ctx, c.tx)
	if err != nil {
		return err
	}
	insert, err := c.tx.PrepareContext(c.ctx,
		"INSERT OR IGNORE INTO "+searchIndex+" (term, doc_type, doc_id, frequency, created_at) VALUES (?, ?, ?, 1, ?)")
	if err != nil {
		return unwritable(err)
	}
	defer func(st *sql.Stmt) { _ = st.Close() }(insert) // the transaction ends with it
	for _, r := range m.rows {
		if r.table.of == "" {
			continue
		}
		for _, term := range terms.Of(r.words()) {
			if _, err := insert.ExecContext(c.ctx, term, r.table.of, r.id(), now.UnixMilli()); err != nil {
				return unwritable(err)
			}
		}
	}
	return nil
}
