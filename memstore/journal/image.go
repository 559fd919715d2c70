package journal

import (
	"context"
	"database/sql"
	"errors"
	"io"

	"memcurator/memstore/past"
)

// Image lets read see the bytes of the database as one file, free pages included. The write-ahead log is
// written back and emptied before, so that nothing older than these bytes is left in it; the index of the log holds no
// texts. Nothing that others record meanwhile comes into the image. ErrBusy where others read an older state for
// too long, ErrReadOnly where the journal is opened for looking.
func (j *Journal) Image(ctx context.Context, read func(r io.ReaderAt, size int64) error) error {
	j.Flush()
	if err := patiently(ctx, j.emptyLog); err != nil {
		return err
	}
	db, err := j.readerNow()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return failed("read", err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	m := image{ctx: ctx}
	if m.page, err = tx.PrepareContext(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?"); err != nil {
		return failed("read", err)
	}
	defer func() { _ = m.page.Close() }()
	err = tx.QueryRowContext(ctx, "SELECT (SELECT page_size FROM pragma_page_size), (SELECT page_count FROM pragma_page_count)").
		Scan(&m.pageSize, &m.pages)
	if err != nil {
		return failed("read", err)
	}
	return read(&m, m.pageSize*m.pages)
}

// emptyLog writes the log back and empties it; ErrBusy where another connection reads an older state.
func (j *Journal) emptyLog() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &past.Error{Op: "read", Err: past.ErrReadOnly}
	}
	return j.write.truncateLog()
}

// truncateLog is emptyLog of a connection.
func (w *writer) truncateLog() error {
	var busy, logged, done int
	if _, err := w.row("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &logged, &done); err != nil {
		return failed("checkpoint", err)
	}
	if busy != 0 {
		return &past.Error{Op: "checkpoint", Err: past.ErrBusy}
	}
	return nil
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
			return n, failed("read", err)
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
			return n, failed("read", err)
		}
		n, at = n+got, at+int64(got)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
