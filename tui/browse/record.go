package browse

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/tui/kit"
)

// mostLinks bounds the relations that the box of a record lists one by one.
const mostLinks = 12

// recordText adds the fields of a record of another program.
func recordText(r *adapt.Record, now time.Time, add func(name, value string), when func(name string, at time.Time)) {
	add("id", r.ID)
	add("layer", r.Layer)
	add("kind", r.Kind)
	when("created", r.Created)
	when("updated", r.Updated)
	when("accessed", r.Accessed)
	if left, _ := kit.Left(r.Expires.Sub(now)); !r.Expires.IsZero() {
		if left != "expired" {
			left += " left"
		}
		add("expires", kit.When(r.Expires, now)+", "+left)
	}
	if r.Importance != nil {
		add("importance", strconv.FormatFloat(*r.Importance, 'g', -1, 64))
	}
	if r.Accesses != nil {
		add("accesses", strconv.Itoa(*r.Accesses))
	}
	add("tags", strings.Join(r.Tags, ", "))
	for _, label := range slices.Sorted(maps.Keys(r.More)) {
		add(strings.ToLower(label), r.More[label])
	}
	for i, l := range r.Links {
		if i == mostLinks {
			add("", "and "+kit.CountGrouped(len(r.Links)-i, "more link", "more links"))
			break
		}
		name := ""
		if i == 0 {
			name = "links"
		}
		add(name, linkText(l))
	}
}

// linkText is a relation from or to a record: "works_at → organization/Acme.md".
func linkText(l adapt.Link) string {
	to := l.Title + " (nothing has that name)"
	if l.Path != "" {
		to = kit.PathText(l.Path)
	}
	if l.Back {
		return to + " " + cmp.Or(l.Relation, "-") + " this"
	}
	return cmp.Or(l.Relation, "-") + " " + to
}
