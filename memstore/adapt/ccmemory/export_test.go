package ccmemory

import (
	"encoding/json"
	"reflect"
	"testing"

	"memcurator/memstore/memtest/cctest"
)

// withoutOrphans is a memory of which the program imports all that it exports.
func withoutOrphans(m cctest.Memory) cctest.Memory {
	known := map[string]bool{}
	for _, e := range m.Episodes {
		known[e.ID] = true
	}
	kept := map[string][]cctest.Message{}
	for id, messages := range m.Transcripts {
		if known[id] {
			kept[id] = messages
		}
	}
	m.Transcripts = kept
	return m
}

// unordered is an export without its time, whatever the order of its records.
func unordered(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	delete(v, "exportedAt")
	byIDs := func(list any) map[string]any {
		out := map[string]any{}
		for _, one := range list.([]any) {
			out[one.(map[string]any)["id"].(string)] = one
		}
		return out
	}
	semantic := v["semantic"].(map[string]any)
	v["working"], v["episodic"] = byIDs(v["working"]), byIDs(v["episodic"])
	v["semantic"] = map[string]any{"entities": byIDs(semantic["entities"]), "relations": byIDs(semantic["relations"])}
	return v
}

// Our export, imported by the program into an empty database and exported by it, is what it was. So is the program's own.
func TestExportAsTheProgram(t *testing.T) {
	t.Parallel()
	program := cctest.Find(t)
	for name, m := range map[string]cctest.Memory{"sample": withoutOrphans(cctest.Sample(noon)), "random": cctest.Random(noon, 11, 400)} {
		b, folder := written(t, m)
		ours, left, err := loadDatabase(t, b).Export(noon)
		if err != nil {
			t.Fatal(err)
		}
		its := program.Run(t, folder, noon, cctest.Step{"do": "export"})[0]
		if !reflect.DeepEqual(unordered(t, ours), unordered(t, its)) {
			t.Errorf("%s: our export differs from the program's", name)
		}
		empty := t.TempDir()
		answers := program.Run(t, empty, noon, cctest.Step{"do": "import", "data": json.RawMessage(ours)}, cctest.Step{"do": "export"})
		if !reflect.DeepEqual(unordered(t, answers[1]), unordered(t, ours)) {
			t.Errorf("%s: the program gives another export of what it took: %s", name, answers[0])
		}
		again, _, err := loadDatabase(t, readDatabase(t, empty)).Export(noon)
		if err != nil || !reflect.DeepEqual(unordered(t, again), unordered(t, ours)) {
			t.Errorf("%s: we give another export of what it took: %v", name, err)
		}
		t.Logf("%s: %d bytes, imported as %s, left out %+v", name, len(ours), answers[0], left)
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	b, _ := written(t, cctest.Sample(noon))
	data, left, err := loadDatabase(t, b).Export(noon)
	if err != nil {
		t.Fatal(err)
	}
	if want := (LeftOut{Expired: 1, Derived: 3, Shared: 1, Orphans: 1}); left != want {
		t.Errorf("left out %+v, want %+v", left, want)
	}
	if !isExport(data[:64]) || isExport([]byte("[1]")) || isExport([]byte(`{"type":"entity"}`)) {
		t.Error("an export isn't recognized, or something else is")
	}
	m, err := ParseExport(data)
	if err != nil {
		t.Fatal(err)
	}
	again, left, err := m.Export(noon)
	if err != nil || left != (LeftOut{}) {
		t.Errorf("left out of what was in an export: %+v, %v", left, err)
	}
	want := unordered(t, data)
	delete(want["transcripts"].(map[string]any), cctest.ID(noon.UnixMilli()-60*day, 99)) // it has no episode
	if !reflect.DeepEqual(unordered(t, again), want) {
		t.Errorf("an export that was read and written again differs:\n%s\n%s", again, data)
	}
}

func FuzzParseExport(f *testing.F) {
	b, _ := written(f, cctest.Sample(noon))
	data, _, _ := loadDatabase(f, b).Export(noon)
	f.Add(data)
	for _, s := range []string{"", "{", `{"version":"1","exportedAt":1,"working":null,"semantic":null}`, `{"version":"1","exportedAt":1,"episodic":[{}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseExport(data)
		if err != nil {
			return
		}
		again, _, err := m.Export(noon)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseExport(again); err != nil {
			t.Errorf("%s: %v", again, err)
		}
	})
}
