package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Both files name every module that go.mod requires of the binary, and the notices hold its license.
func TestReleaseFiles(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	notices, err := os.ReadFile(filepath.Join(dir, noticesFile))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, sbomFile))
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Components) < 20 || b.Components[0].Name != "std" {
		t.Errorf("%d components, the first is %+v", len(b.Components), b.Components[0])
	}
	named := map[string]bool{}
	for _, c := range b.Components {
		named[c.Name] = true
		if c.Version == "" || !strings.Contains(string(notices), "\n"+c.Name+" "+c.Version+" (") {
			t.Errorf("%s %s has no license in the notices", c.Name, c.Version)
		}
	}
	// One of each kind: in all programs, and on one system only.
	for _, name := range []string{"modernc.org/sqlite", "github.com/spf13/cobra", "github.com/inconshreveable/mousetrap", "filippo.io/age"} {
		if !named[name] {
			t.Errorf("%s is not named", name)
		}
	}
	if named["memcurator"] {
		t.Error("our own module is listed as a third party")
	}
}

func TestAModuleWithoutALicenseIsAnError(t *testing.T) {
	if _, err := noticesOf([]module{{path: "example.org/x", version: "v1"}}); err == nil ||
		!strings.Contains(err.Error(), "example.org/x v1") {
		t.Errorf("%v", err)
	}
	if _, err := noticesOf([]module{{path: "a", version: "v1", licenses: []license{{"LICENSE", "text"}}}}); err != nil {
		t.Error(err)
	}
}
