package dbfile

import "context"

// Tables returns the names of the tables in the file at a path. For any other file, and for a damaged database, it returns none.
func Tables(path string) (names []string) {
	c, err := once(path, copied{})
	if err != nil {
		return nil
	}
	b, err := c.bytes()
	if err != nil {
		return nil
	}
	ctx := context.Background()
	db, err := b.Open(ctx)
	if err != nil {
		return nil
	}
	defer func() { _ = db.Close() }() // it is only memory
	names, _ = tablesOf(ctx, db)      // of a damaged database, what is there counts
	return names
}

// tablesOf returns the names of the tables in a database.
func tablesOf(ctx context.Context, q Querier) (names []string, err error) {
	rows, err := q.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
