package database

import (
	"context"
	"database/sql"
	"errors"
	"io"
)

// ReadImage lets read see the bytes of a database as one file, free pages included, as they are at one moment.
func ReadImage(ctx context.Context, db *sql.DB, read func(r io.ReaderAt, size int64) error) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Wrap("read", err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	m := image{ctx: ctx}
	if m.page, err = tx.PrepareContext(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?"); err != nil {
		return Wrap("read", err)
	}
	defer func() { _ = m.page.Close() }()
	err = tx.QueryRowContext(ctx, "SELECT (SELECT page_size FROM pragma_page_size), (SELECT page_count FROM pragma_page_count)").
		Scan(&m.pageSize, &m.pages)
	if err != nil {
		return Wrap("read", err)
	}
	return read(&m, m.pageSize*m.pages)
}

// image reads the pages of a database in a transaction. Not safe for concurrent use.
type image struct {
	ctx             context.Context
	page            *sql.Stmt
	pageSize, pages int64
}

// ReadAt implements [io.ReaderAt].
func (m *image) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < m.pageSize*m.pages {
		var data sql.RawBytes
		rows, err := m.page.QueryContext(m.ctx, at/m.pageSize+1)
		if err != nil {
			return n, Wrap("read", err)
		}
		if rows.Next() {
			err = rows.Scan(&data)
		}
		got := 0
		if int64(len(data)) > at%m.pageSize {
			got = copy(p[n:], data[at%m.pageSize:])
		}
		if err = errors.Join(err, rows.Err(), rows.Close()); err == nil && got == 0 {
			err = io.ErrUnexpectedEOF // it has become shorter, which a transaction rules out
		}
		if err != nil {
			return n, Wrap("read", err)
		}
		n, at = n+got, at+int64(got)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
