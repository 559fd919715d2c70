package cli_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore"
)

// The names are those that a Go module may hold: one other name, and the whole module
// can no longer be installed by its path.
func TestSampleNamesFitIntoAModule(t *testing.T) {
	t.Parallel()
	root := filepath.Join(moduleRoot(t), "testdata")
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(disk string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, disk)
		if err != nil {
			return err
		}
		folded := strings.ToLower(name)
		if names[folded] {
			t.Errorf("%s differs from another name in case only", name)
		}
		names[folded] = true
		if !utf8.ValidString(d.Name()) || strings.ContainsFunc(d.Name(), badInModule) || strings.HasSuffix(d.Name(), ".") && name != "." {
			t.Errorf("%q is not allowed in a Go module", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// badInModule follows the rule for file names in golang.org/x/mod/module.
func badInModule(r rune) bool {
	if r < utf8.RuneSelf {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" !#$%&()+,-.=@[]^_{}~", r)
	}
	return !unicode.IsLetter(r)
}

// The documentation of the tool prints this listing and the beginning of this view.
func TestCustomerServiceStoreIsTheDocumentedOne(t *testing.T) {
	t.Parallel()
	store, err := memstore.Open(filepath.Join(moduleRoot(t), "testdata", "stores", "customer-service"), memstore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	listing := store.Do(context.Background(), memstore.Command{Name: memstore.CmdView, Path: "/memories"})
	const wantListing = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n" +
		"4.0K\t/memories\n1.5K\t/memories/customer_service_guidelines.xml\n2.0K\t/memories/refund_policies.xml"
	if listing.IsError || listing.Content != wantListing {
		t.Errorf("listing:\n%s\nwant:\n%s", listing.Content, wantListing)
	}
	view := store.Do(context.Background(), memstore.Command{Name: memstore.CmdView, Path: "/memories/customer_service_guidelines.xml"})
	const wantView = "Here's the content of /memories/customer_service_guidelines.xml with line numbers:\n" +
		"     1\t<guidelines>\n     2\t<addressing_customers>\n" +
		"     3\t- Always address customers by their first name\n     4\t- Use empathetic language\n"
	if view.IsError || !strings.HasPrefix(view.Content, wantView) {
		t.Errorf("view begins:\n%.400s\nwant:\n%s", view.Content, wantView)
	}
}

// A sample store is meant to be read: whatever an agent would get of it is a result.
func TestSampleStoresAreReadableThroughout(t *testing.T) {
	t.Parallel()
	root := filepath.Join(moduleRoot(t), "testdata", "stores")
	stores, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stores {
		store, err := memstore.Open(filepath.Join(root, s.Name()), memstore.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		err = fs.WalkDir(os.DirFS(filepath.Join(root, s.Name())), ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			agent := memstore.AgentPath(name)
			if r := store.Do(context.Background(), memstore.Command{Name: memstore.CmdView, Path: agent}); r.IsError {
				t.Errorf("%s: view of %s: %s", s.Name(), agent, r.Content)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
