package ccmemory

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

// altered is a source on a database that statements have changed.
func altered(t testing.TB, statements ...string) *Source {
	t.Helper()
	s := opened(t, cctest.Sample(noon))
	db, err := sql.Open("sqlite", s.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// A database of a newer version is shown as far as it is known, and stays as it is, whichever way it would be changed.
func TestNewerVersion(t *testing.T) {
	t.Parallel()
	s := altered(t, "INSERT INTO schema_version VALUES ('0004', 'add_mood', 1)", "ALTER TABLE episodic_memory ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'")
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	image := imageOf(t, s)
	if want := len(imageOf(t, opened(t, cctest.Sample(noon))).Entries); len(image.Entries) != want {
		t.Errorf("%d records, want %d", len(image.Entries), want)
	}
	if !strings.Contains(image.ReadOnly, "A newer version of cc-memory") || len(image.Problems) != 1 || !strings.Contains(image.Problems[0], `"0004"`) {
		t.Errorf("%s, %q", image.ReadOnly, image.Problems)
	}
	for what, do := range map[string]func() error{
		"an edit":   func() error { return s.Write(t.Context(), image, adapt.Edit{Name: image.Entries[0].Name}) },
		"a purge":   func() error { return s.CleanAll(t.Context(), func([]byte) []byte { return nil }) },
		"an import": func() error { return s.Import(t.Context(), &Import{image: image}, true, nil) },
	} {
		var refusal *backend.Refusal
		if err := do(); !errors.As(err, &refusal) || !strings.Contains(refusal.Why, "A newer version of cc-memory") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after, err := os.ReadFile(s.path); err != nil || string(after) != string(before) {
		t.Errorf("the file has changed: %v", err)
	}
}

// What the schema of a stranger's database would do on our edit, or as it is read, doesn't happen: records are shown, and nothing is written.
func TestForeignSchema(t *testing.T) {
	t.Parallel()
	for what, statement := range map[string]string{
		"a trigger that deletes":   "CREATE TRIGGER t AFTER UPDATE ON semantic_entities BEGIN DELETE FROM episodic_memory; END",
		"a trigger without an end": "CREATE TRIGGER t AFTER INSERT ON working_memory BEGIN INSERT INTO audit_log WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM r) SELECT * FROM r; END",
		"a view without an end":    "CREATE VIEW patterns_of AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM r) SELECT x AS id FROM r",
		"a computed column":        "ALTER TABLE working_memory ADD COLUMN double TEXT GENERATED ALWAYS AS (key || key) VIRTUAL",
	} {
		s := altered(t, statement)
		image := imageOf(t, s)
		if len(image.Entries) != len(imageOf(t, opened(t, cctest.Sample(noon))).Entries) || image.ReadOnly != whyForeign {
			t.Errorf("%s: %d records, %q", what, len(image.Entries), image.ReadOnly)
		}
		var refusal *backend.Refusal
		e := entryOf(t, image, image.Entries[0].Name)
		if err := s.Write(t.Context(), image, adapt.Edit{Name: e.Name, Old: e.Text}); !errors.As(err, &refusal) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// A view with the name of a table is not read.
	s := altered(t, "DROP TABLE shared_memory", "CREATE VIEW shared_memory AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM r) SELECT x AS id FROM r")
	if image := imageOf(t, s); image.ReadOnly == "" {
		t.Error("a database with a view for a table can be changed")
	}
}
