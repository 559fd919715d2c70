package schema

import (
	"database/sql"
	"errors"
	"unicode/utf8"
)

// textMost is how many bytes of a caller's text are kept: sessions, models, ids of calls, names of actors,
// commands and groups. An agent chooses some of them, and they are kept with every edit. Paths have their own limit.
const textMost = 256

// Cut is the beginning of a text, up to textMost and whole runes.
func Cut(s string) string {
	if len(s) <= textMost {
		return s
	}
	end := textMost
	for end > textMost-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// TextColumn is a column that holds texts of people and programs.
type TextColumn struct{ Table, Name string }

// Distinct is the query for its texts: there are few different ones.
func (c TextColumn) Distinct() string {
	return "SELECT DISTINCT " + c.Name + " FROM " + c.Table + " WHERE " + c.Name + " IS NOT NULL"
}

// TextColumns are all columns with texts, so that none which comes later is forgotten; names of paths
// are rewritten by names.
func TextColumns(query func(string) (*sql.Rows, error)) (list []TextColumn, err error) {
	rows, err := query(`SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT IN ('meta', 'path') AND m.name NOT LIKE 'sqlite%' AND c.type = 'TEXT'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c TextColumn
		if err := rows.Scan(&c.Table, &c.Name); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, errors.Join(rows.Err(), rows.Close())
}

// TextsOf reads and closes rows of one text.
func TextsOf(rows *sql.Rows, err error) (list []string, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, errors.Join(rows.Err(), rows.Close())
}
