package findings

import (
	"context"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
)

// The class of a secret that an edit adds is reported, once; not one that was there before, and not a dismissed one.
func TestWrittenReportsWhatARevisionAdds(t *testing.T) {
	d := newDesk(t)
	ctx, token := context.Background(), secretOf(9)
	d.write("a.md", "# Log\n")
	d.write("a.md", "# Log\ntoken: "+token+"\nagain "+token+"\n")
	d.write("a.md", "# Log\ntoken: "+token+"\nagain "+token+"\nand more\n")
	list, err := past.Revisions(ctx, d.journal, past.Filter{})
	d.must(err)
	var got []string
	for _, r := range list {
		classes, err := Written(ctx, d.engine, d.memory, d.journal, r)
		d.must(err)
		for _, c := range classes {
			got = append(got, c.Title)
		}
	}
	if strings.Join(got, ",") != "GitHub token" {
		t.Errorf("%q", got)
	}
	d.must(d.memory.Dismiss(Dismiss(d.scan().Group(d.memory.ID(token)), time.Now())))
	for _, r := range list {
		if classes, err := Written(ctx, d.engine, d.memory, d.journal, r); err != nil || len(classes) > 0 {
			t.Errorf("%v, %v", classes, err)
		}
	}
}
