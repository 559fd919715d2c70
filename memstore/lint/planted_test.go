package lint

import (
	"strings"
	"testing"
)

// foundBy are the rules that find something in a text.
func foundBy(t *testing.T, text string) string {
	t.Helper()
	p := loadPlanted()
	f := fold([]byte(text))
	w := newPlantedWalk(p, f)
	w.walk()
	var ids []string
	for _, h := range w.hits {
		ids = append(ids, p.rules[h.rule].ID)
	}
	return strings.Join(ids, " ")
}

func TestPlantedRulesFindTheirExamples(t *testing.T) {
	p, err := parsePlanted(plantedFile)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range p.rules {
		if seen[r.ID] || r.ID == "" || r.Says == "" || len(r.Finds) < 2 || len(r.Leaves) < 2 || r.Severity != "danger" &&
			r.Severity != "warning" {
			t.Errorf("%q: an id of its own, a reason, a severity, two examples and two counterexamples", r.ID)
		}
		seen[r.ID] = true
		for _, s := range r.Finds {
			if got := foundBy(t, s); !strings.Contains(" "+got+" ", " "+r.ID+" ") {
				t.Errorf("%s does not find %q (found by %q)", r.ID, s, got)
			}
		}
		for _, s := range r.Leaves {
			if got := foundBy(t, s); got != "" {
				t.Errorf("%q of %s is found by %s", s, r.ID, got)
			}
		}
	}
	for _, language := range []string{"en", "ja", "ko", "zh", "de", "fr", "es"} {
		if !seen[language+"-override"] || !seen[language+"-conceal"] || !seen[language+"-role"] {
			t.Errorf("the rules of %s are not whole", language)
		}
	}
}
