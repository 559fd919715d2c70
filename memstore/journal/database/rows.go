package database

import (
	"database/sql"
	"errors"
)

// results are the rows of a query, or its error.
type results struct {
	rows *sql.Rows
	err  error
}

// Rows takes what a query returns, to be read by Each.
func Rows(rows *sql.Rows, err error) results { return results{rows, err} }

// Each calls visit for one row after the other until it returns an error, which Each returns then, and closes them.
func (r results) Each(visit func(row *sql.Rows) error) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	for r.rows.Next() {
		if err := visit(r.rows); err != nil {
			return err
		}
	}
	return errors.Join(r.rows.Err(), r.rows.Close())
}

// List reads the rows of a query for one column.
func List[T any](rows *sql.Rows, err error) ([]T, error) {
	var list []T
	err = Rows(rows, err).Each(func(row *sql.Rows) error {
		var v T
		err := row.Scan(&v)
		list = append(list, v)
		return err
	})
	return list, err
}
