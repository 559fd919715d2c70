package graph

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// BenchmarkFirstLook opens a memory of 50,000 entities and lists it.
func BenchmarkFirstLook(b *testing.B) {
	var text strings.Builder
	for i := range 50_000 {
		n := strconv.Itoa(i)
		text.WriteString(`{"type":"entity","name":"Entity ` + n + `","entityType":"t` + strconv.Itoa(i%200) + `","observations":["` + n + `"]}` + "\n")
	}
	for i := range 50_000 {
		to := strconv.Itoa(i * 7 % 50_000)
		text.WriteString(`{"type":"relation","from":"Entity ` + strconv.Itoa(i) + `","to":"Entity ` + to + `","relationType":"r"}` + "\n")
	}
	file := filepath.Join(b.TempDir(), "memory.jsonl")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := adapt.Open(Adapter, file)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := backend.Scan(b.Context(), s, 2, backend.ScanOptions{}); err != nil {
			b.Fatal(err)
		}
		_ = s.Close() // it was only read
	}
}
