package database

import (
	"context"
	"database/sql"
	"errors"

	"modernc.org/sqlite"
)

// copyPages is how many pages are copied between two checks of the context.
const copyPages = 1024

// CopyTo copies all pages, as they are at one moment, with the backup of SQLite.
func CopyTo(ctx context.Context, conn *sql.Conn, file string) error {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM meta").Scan(new(int)); err != nil {
		return err // from here on the transaction sees one moment
	}
	return conn.Raw(func(driver any) error {
		source, ok := driver.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the driver makes no backups")
		}
		b, err := source.NewBackup(fileURI(file))
		if err != nil {
			return err
		}
		err = ownerOnly(file)
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = b.Step(copyPages)
			}
		}
		return errors.Join(err, b.Finish())
	})
}
