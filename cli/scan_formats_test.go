package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

func TestScanPrintsSARIF(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	got := call{args: []string{"scan", dir, "--format", "sarif"}, env: env}.run(t)
	if got.code != 0 || strings.Contains(got.out, someToken) || strings.Contains(got.out, somePassword) || strings.Contains(got.out, dir) {
		t.Fatalf("%+v", got)
	}
	// The module embeds the schema of OASIS. It decodes into types without other fields, and fills arrays that may be absent.
	strict := json.NewDecoder(strings.NewReader(got.out))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&sarif.Report{}); err != nil {
		t.Error(err)
	}
	report, err := sarif.FromString(got.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Validate(); err != nil {
		t.Error(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation *struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct {
							StartLine int
							Snippet   struct{ Text string }
						}
					}
					LogicalLocations []struct{ FullyQualifiedName, Kind string }
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%v %+v", err, log)
	}
	files, past, prints := 0, 0, map[string]bool{}
	for _, r := range log.Runs[0].Results {
		if log.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Level != "error" || r.Message.Text == "" {
			t.Errorf("%+v", r)
		}
		prints[r.PartialFingerprints["memcurator/v1"]] = true
		switch at := r.Locations[0]; {
		case at.PhysicalLocation != nil:
			files++
			if a := at.PhysicalLocation; a.ArtifactLocation.URIBaseID != "STORE" || strings.HasPrefix(a.ArtifactLocation.URI, "/") ||
				a.Region.StartLine < 1 || !strings.Contains(a.Region.Snippet.Text, "••••") {
				t.Errorf("%+v", a)
			}
		case len(at.LogicalLocations) == 1 && at.LogicalLocations[0].Kind == "revision":
			past++
		default:
			t.Errorf("%+v", at)
		}
	}
	if files != 3 || past != 1 || len(prints) != 4 {
		t.Errorf("%d in files, %d in the past, %d fingerprints", files, past, len(prints))
	}
}

func TestScanLeavesOutTheBaseline(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"without a key": "", "with a key": strings.Repeat("k", 20)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, env := secretive(t)
			env["MEMCURATOR_BASELINE_KEY"] = key
			file := filepath.Join(t.TempDir(), "baseline.json")
			if got := (call{args: []string{"scan", dir, "--write-baseline", file}, env: env}).run(t); got.code != 0 {
				t.Fatalf("%+v", got)
			}
			data, err := os.ReadFile(file)
			if err != nil || strings.Contains(string(data), someToken) || strings.Contains(string(data), somePassword) {
				t.Fatalf("%s %v", data, err)
			}
			if has := strings.Contains(string(data), `"value"`); has != (key != "") {
				t.Errorf("%s", data)
			}
			if got := (call{args: []string{"scan", dir, "--check", "--baseline", file}, env: env}).run(t); got.code != 0 || got.out != "" ||
				!strings.Contains(got.err, "Skipped 4 places of the baseline") {
				t.Errorf("%+v", got)
			}
			other := "gh" + "p_" + strings.Repeat("z9Y8x7", 6)
			if err := os.WriteFile(filepath.Join(dir, "new.md"), []byte("token: "+other+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := (call{args: []string{"scan", dir, "--check", "--baseline", file, "--json"}, env: env}).run(t); got.code != 3 ||
				strings.Count(got.out, "\n") != 1 || !strings.Contains(got.out, "new.md") {
				t.Errorf("%+v", got)
			}
			env["MEMCURATOR_BASELINE_KEY"] = strings.Repeat("x", 20)
			if got := (call{args: []string{"scan", dir, "--baseline", file}, env: env}).run(t); (got.code == 2) != (key != "") {
				t.Errorf("another key: %+v", got)
			}
			env["MEMCURATOR_BASELINE_KEY"] = "short"
			if got := (call{args: []string{"scan", dir, "--baseline", file}, env: env}).run(t); got.code != 2 {
				t.Errorf("a short key: %+v", got)
			}
		})
	}
}

// A baseline is committed: it names no file by the value in its name.
func TestBaselinesMaskNames(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	env["MEMCURATOR_BASELINE_KEY"] = strings.Repeat("k", 20)
	name := "greta.lind" + "@nordwind.io"
	if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte("door "+"password: hunter22"+"!\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "baseline.json")
	if got := (call{args: []string{"scan", dir, "--write-baseline", file}, env: env}).run(t); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), name) || !strings.Contains(string(data), "/memories/••••.md") {
		t.Errorf("%s %v", data, err)
	}
	if got := (call{args: []string{"scan", dir, "--check", "--baseline", file}, env: env}).run(t); got.code != 0 || got.out != "" {
		t.Errorf("%+v", got)
	}
}

func TestScanFromASeverityOn(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	if err := os.WriteFile(filepath.Join(dir, "mail.md"), []byte("write to greta.lind@nordwind.io\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := call{args: []string{"scan", dir, "--json"}, env: env}.run(t)
	high := call{args: []string{"scan", dir, "--json", "--min-severity", "high"}, env: env}.run(t)
	if strings.Count(all.out, "\n") != 5 || strings.Count(high.out, "\n") != 4 || strings.Contains(high.out, "mail.md") {
		t.Errorf("%s\n%s", all.out, high.out)
	}
	for _, wrong := range [][]string{{"--min-severity", "grave"}, {"--format", "xml"}, {"--format", "sarif", "--reveal"}, {"--format", "sarif", "--json"}} {
		if got := (call{args: append([]string{"scan", dir}, wrong...), env: env}).run(t); got.code != 2 {
			t.Errorf("%q: %+v", wrong, got)
		}
	}
}
