package dbfile

import "context"

// Tables returns the names of the tables in the file at a path. For any other file, and for a damaged database, it returns none.
func Tables(path string) (names []string) {
	c, err := once(path)
	if err != nil {
		return nil
	}
	ctx := context.Background()
	b, err := c.bytes(ctx)
	if err != nil {
		return nil
	}
	db, err := b.Open(ctx)
	if err != nil {
		return nil
	}
	defer func() { _ = db.Close() }() // it is only memory
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		return nil
	}
	defer rows.Close()
	for rows.Next() { // of a damaged database, what is there counts
		var name string
		if rows.Scan(&name) != nil {
			break
		}
		names = append(names, name)
	}
	return names
}
