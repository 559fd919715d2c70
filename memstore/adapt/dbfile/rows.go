package dbfile

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Querier is a database, or a transaction in it.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Value is one value of a row.
type Value struct {
	Kind  ValueKind
	Int   int64
	Float float64
	Text  string // also the bytes of a blob
}

// ValueKind is the type of a [Value].
type ValueKind uint8

// The types of values.
const (
	Null ValueKind = iota
	Int
	Float
	Text
	Blob
)

// Rows calls do with the values of some columns in each row of a table, as SQLite reads them.
func Rows(ctx context.Context, q Querier, table string, columns []string, do func([]Value) error) error {
	rows, err := q.QueryContext(ctx, `SELECT "`+strings.Join(columns, `", "`)+`" FROM "`+table+`"`)
	if err != nil {
		return err
	}
	defer rows.Close()
	cells, into, out := make([]any, len(columns)), make([]any, len(columns)), make([]Value, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, cell := range cells {
			out[i] = valueOf(cell)
		}
		if err := do(out); err != nil {
			return err
		}
	}
	return rows.Err()
}

// valueOf translates a value of the driver.
func valueOf(cell any) Value {
	switch cell := cell.(type) {
	case nil:
		return Value{}
	case int64:
		return Value{Kind: Int, Int: cell}
	case float64:
		return Value{Kind: Float, Float: cell}
	case string:
		return Value{Kind: Text, Text: cell}
	case []byte:
		return Value{Kind: Blob, Text: string(cell)}
	case time.Time: // of a column that is declared as a date
		return Value{Kind: Text, Text: cell.Format(time.RFC3339Nano)}
	}
	return Value{Kind: Text, Text: fmt.Sprint(cell)}
}
