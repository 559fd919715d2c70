package dbfile

import (
	"bytes"
	"context"
	"errors"
	"io"

	"memcurator/memstore/backend"
)

// Count counts the rows of the tables that choose takes of those in a database, with what is in its log. open opens the database's file, and
// the one beside it whose name has a suffix. Of a file, it reads a page at a time, none of them for what is in the rows, and holds none.
func Count(ctx context.Context, open func(suffix string) (io.ReadCloser, error), choose func(tables []string) []string) (n int, err error) {
	file, err := open("")
	if err != nil {
		return 0, about(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	at, err := readerAt(file)
	if err != nil {
		return 0, err
	}
	t, err := countedTree(ctx, at, open)
	if err != nil {
		return 0, err
	}
	var names []string
	roots := map[string]uint32{}
	t.schema(func(name string, root uint32) {
		names = append(names, name)
		roots[name] = root
	})
	for _, name := range choose(names) {
		each := *t
		rows, err := each.count(roots[name])
		if n += rows; err != nil {
			if ctx.Err() != nil {
				return n, ctx.Err()
			}
			return n, ErrDamaged
		}
	}
	return n, nil
}

// mostLog bounds the logs that are read: programs put what is in them into the database from time to time.
const mostLog = 64 << 20

// countedTree reads the trees of a database, with the pages in its log instead of those in the file.
func countedTree(ctx context.Context, file io.ReaderAt, open func(string) (io.ReadCloser, error)) (*tree, error) {
	head := make([]byte, headerSize)
	if _, err := file.ReadAt(head, 0); err != nil || !isDatabase(head) {
		return nil, ErrNotDatabase
	}
	var c commits
	if usesLog(head) {
		data, err := readLog(open)
		if err != nil {
			return nil, err
		}
		c = committed(data, pageSize(head), mostPages)
	}
	t, _ := treeOf(file, mostPages*int64(pageSize(head)))
	below := t.page
	t.page = func(number uint32) []byte {
		switch page, ok := c.changed[number]; {
		case ctx.Err() != nil:
			return nil
		case ok:
			return page
		case c.pages > 0 && number > c.least:
			return nil
		}
		return below(number)
	}
	return t, nil
}

// mostPages bounds the pages that are read. A program's own largest is far below it.
const mostPages = 1 << 24

func readLog(open func(string) (io.ReadCloser, error)) ([]byte, error) {
	file, err := open(walSuffix)
	if errors.Is(about(err), backend.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, about(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(file, mostLog+1))
	if err == nil && len(data) > mostLog {
		return nil, ErrTooLarge
	}
	return data, about(err)
}

func readerAt(file io.Reader) (io.ReaderAt, error) {
	if at, ok := file.(io.ReaderAt); ok {
		return at, nil
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(data) > most {
		return nil, ErrTooLarge
	}
	return bytes.NewReader(data), err
}
