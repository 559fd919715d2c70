package database

import (
	"context"
	"database/sql"
	"slices"
)

// Damage runs SQLite's check.
func Damage(ctx context.Context, db *sql.DB) ([]string, error) {
	list, err := List[string](db.QueryContext(ctx, "PRAGMA integrity_check"))
	return slices.DeleteFunc(list, func(s string) bool { return s == "ok" }), err
}
