package dbfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Querier is a database, or a transaction in it.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// ErrForm means that [Bytes.Rows] doesn't read a table as it is stored; [Rows] does.
var ErrForm = errors.New("a table of a form that only SQLite reads")

// Rows calls do with the values of some columns in each row of a table, in the order in which they are stored. It reads the bytes
// themselves, many times as fast as SQLite does; q is the database that the bytes were opened as, and says where the table is. An error
// that isn't of do is [ErrForm], perhaps after some rows. The slice is do's until it returns, the texts in it stay.
func (b Bytes) Rows(ctx context.Context, q Querier, table string, columns []string, do func([]Value) error) error {
	root, fields, err := b.layout(ctx, q, table, columns)
	if err != nil {
		return err
	}
	out := make([]Value, len(fields))
	err = b.tree().rows(root, func(values []Value) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, f := range fields {
			if f.at >= len(values) {
				return errForm // the column was added later: the row has the default of the schema
			}
			v := values[f.at]
			if f.real && v.Kind == Int { // whole numbers of such columns are stored as integers
				v = Value{Kind: Float, Float: float64(v.Int)}
			}
			out[i] = v
		}
		return do(out)
	})
	if errors.Is(err, errForm) {
		return ErrForm
	}
	return err
}

func (b Bytes) tree() *tree {
	size := int64(pageSize(b.Data))
	return &tree{usable: usable(b.Data), left: int(int64(len(b.Data)) / size), page: func(number uint32) []byte {
		if end := int64(number) * size; number > 0 && end <= int64(len(b.Data)) {
			return b.Data[end-size : end]
		}
		return nil
	}}
}

// field is a column by its place in a row.
type field struct {
	at   int
	real bool // numbers of it are floats
}

// layout says where a table begins, and where in its rows some columns are.
func (b Bytes) layout(ctx context.Context, q Querier, table string, columns []string) (root uint32, fields []field, err error) {
	if len(b.Data) < headerSize || !isUTF8(b.Data) {
		return 0, nil, ErrForm
	}
	rows, err := q.QueryContext(ctx, `SELECT s.rootpage, c.name, upper(c.type), c.pk, c.hidden FROM sqlite_schema AS s,
		pragma_table_xinfo(s.name) AS c WHERE s.type = 'table' AND lower(s.name) = lower(?1) AND s.rootpage > 0 ORDER BY c.cid`, table)
	if err != nil {
		return 0, nil, errors.Join(ctx.Err(), ErrForm)
	}
	defer rows.Close()
	at := map[string]field{}
	for rows.Next() {
		var name, kind string
		var key, hidden int
		if err := rows.Scan(&root, &name, &kind, &key, &hidden); err != nil {
			return 0, nil, ErrForm
		}
		if hidden != 0 || key > 0 && kind == "INTEGER" { // computed, or the number of the row
			return 0, nil, ErrForm
		}
		at[name] = field{at: len(at), real: isReal(kind)}
	}
	for _, c := range columns {
		f, ok := at[c]
		if !ok {
			return 0, nil, ErrForm
		}
		fields = append(fields, f)
	}
	if rows.Err() != nil {
		return 0, nil, errors.Join(ctx.Err(), ErrForm)
	}
	return root, fields, nil
}

// isReal reports whether SQLite keeps numbers in columns of a declared type as floats, by its rules for types.
func isReal(kind string) bool {
	has := func(part string) bool { return strings.Contains(kind, part) }
	if slices.ContainsFunc([]string{"INT", "CHAR", "CLOB", "TEXT", "BLOB"}, has) {
		return false
	}
	return slices.ContainsFunc([]string{"REAL", "FLOA", "DOUB"}, has)
}

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
