package ccmemory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore/adapt/dbfile"
)

// versionTable has a row for each step by which the program has changed its tables.
const versionTable = "schema_version"

// versions are the steps that are known here, by version 1.0.0 (commit 30d7ed2).
var versions = []string{"0001", "0002", "0003"}

// Why a database can be looked at only.
const (
	whyDamaged = "The database is damaged, and stays as it is: nothing of it can be changed here"
	whyOther   = "The database is of another version of cc-memory, and stays as it is: nothing of it can be changed here"
	whyForeign = "The database has a trigger, a view or a computed column, which cc-memory doesn't make: what they would add to an edit " +
		"isn't known, so nothing of it can be changed here"
	whyNewer = "A newer version of cc-memory wrote the database, and it stays as it is: what is known of it is shown, and nothing of it " +
		"can be changed here"
)

// newer looks for steps of the program that aren't known here: what they changed, an edit could spoil.
func (m *Memory) newer(ctx context.Context, q dbfile.Querier) error {
	has, err := dbfile.Columns(ctx, q, versionTable)
	if err != nil || !slices.Contains(has, "version") {
		return err // versions before the first step have no such table
	}
	rows, err := q.QueryContext(ctx, "SELECT CAST(version AS TEXT) FROM "+versionTable+" WHERE version IS NOT NULL ORDER BY 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var version string
		if err := rows.Scan(&version); err != nil {
			return err
		}
		if !slices.Contains(versions, version) {
			m.Problems = append(m.Problems, fmt.Sprintf("The database has version %q of its tables; those up to %s are known here.",
				version, versions[len(versions)-1]))
			m.readOnly = whyNewer
		}
	}
	return rows.Err()
}

// older notes the columns of a table that its version doesn't have: the values that the program gives them are shown.
func (m *Memory) older(t *table, has []string) {
	var lacks []string
	for _, c := range t.columns {
		if !slices.Contains(has, c.name) {
			lacks = append(lacks, c.name)
		}
	}
	switch {
	case len(has) == 0:
		m.Problems = append(m.Problems, fmt.Sprintf("An older version of cc-memory wrote the database: it has no table %s.", t.name))
	case len(lacks) > 0:
		m.Problems = append(m.Problems, fmt.Sprintf("An older version of cc-memory wrote the database: its table %s has no %s, "+
			"and what a newer one takes instead is shown.", t.name, strings.Join(lacks, ", ")))
	}
}
