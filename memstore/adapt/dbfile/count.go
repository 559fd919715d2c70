package dbfile

import (
	"context"
	"errors"
	"io"
	"strings"

	"memcurator/memstore/backend"
)

// Count counts the rows of the tables that choose takes of those in a database, with what is in its log. open opens the
// database's file, and the one beside it whose name has a suffix.
func Count(ctx context.Context, open func(suffix string) (io.ReadCloser, error), choose func(tables []string) []string) (n int, err error) {
	var c copied
	if c.data, err = readStream(open("")); err != nil {
		return 0, err
	}
	if !isDatabase(c.data) {
		return 0, ErrNotDatabase
	}
	if usesLog(c.data) {
		if c.log, err = readStream(open(walSuffix)); err != nil && !errors.Is(err, backend.ErrNotExist) {
			return 0, err
		}
	}
	b, err := c.bytes()
	if err != nil {
		return 0, err
	}
	db, err := b.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }() // it is only memory
	names, err := tablesOf(ctx, db)
	if err != nil {
		return 0, err
	}
	for _, name := range choose(names) {
		var rows int
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM "`+strings.ReplaceAll(name, `"`, `""`)+`"`).Scan(&rows); err != nil {
			return n, errors.Join(ctx.Err(), ErrDamaged)
		}
		n += rows
	}
	return n, nil
}

func readStream(file io.ReadCloser, err error) ([]byte, error) {
	if err != nil {
		return nil, about(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(data) > most {
		return nil, ErrTooLarge
	}
	return data, about(err)
}
