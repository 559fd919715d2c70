package journal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// versions is a model of what a journal must return: both sides of every revision, as whole texts.
type versions struct {
	*desk
	r       *rand.Rand
	now     map[string]string // the files
	sides   map[int64][2]*string
	deltas  int // the highest count seen
	removed int // revisions that the retention has removed
}

// recorded takes over the revisions that an act has made; was are the files before it.
func (v *versions) recorded(was map[string]string) {
	v.t.Helper()
	list, err := past.Revisions(context.Background(), v.j, past.Filter{})
	v.must(err)
	for _, r := range list {
		if _, ok := v.sides[r.Rev]; ok {
			continue
		}
		var sides [2]*string
		if text, ok := was[strings.TrimPrefix(r.Path, "/memories/")]; ok && r.Shape != past.Made && r.Shape != past.Renamed {
			sides[0] = &text
		}
		if text, ok := v.now[strings.TrimPrefix(r.Path, "/memories/")]; ok && r.Shape != past.Removed && r.Shape != past.Renamed {
			sides[1] = &text
		}
		v.sides[r.Rev] = sides
	}
}

// agree reads everything that is kept.
func (v *versions) agree(when string) {
	v.t.Helper()
	list, err := past.Revisions(context.Background(), v.j, past.Filter{})
	v.must(err)
	wanted := map[memstore.Digest]bool{}
	for _, text := range v.now {
		wanted[memstore.Sum([]byte(text))] = true
	}
	for _, r := range list {
		for i, side := range []past.Side{r.Before, r.After} {
			if want := v.sides[r.Rev][i]; want != nil {
				wanted[memstore.Sum([]byte(*want))] = true
				if got, err := v.j.Bytes(context.Background(), side); err != nil || string(got) != *want {
					v.t.Fatalf("%s: side %d of revision %d has %d bytes instead of %d, %v", when, i, r.Rev, len(got), len(*want), err)
				}
			}
		}
	}
	v.must(v.j.Contents(context.Background(), func(k past.Kept, data []byte) bool {
		if memstore.Sum(data) != k.Digest || !wanted[k.Digest] && len(data) > 0 {
			v.t.Fatalf("%s: a content of %d bytes at %s is kept that nothing names, or is another one", when, len(data), k.Path)
		}
		return true
	}))
	var deltas int
	v.must(v.j.db.QueryRow("SELECT count(*) FROM blob WHERE base IS NOT NULL").Scan(&deltas))
	v.deltas = max(v.deltas, deltas)
	if rep := v.check(); len(rep.Damage) > 0 {
		v.t.Fatalf("%s: %+v", when, rep)
	}
}

func (v *versions) act() string {
	name := fmt.Sprintf("%d.md", v.r.IntN(4))
	text, there := v.now[name]
	next := string(rewritten(v.r, []byte(text)))
	if !there || v.r.IntN(12) == 0 {
		next = string(noteOf(100+v.r.IntN(6000), v.r.Uint64()))
	}
	if v.r.IntN(6) == 0 {
		next += "\n" + hidden + "\n"
	}
	switch n := v.r.IntN(20); {
	case n == 0 && there:
		v.do(remove("/memories/" + name))
		delete(v.now, name)
		return "delete"
	case n == 1:
		v.outside(name, next)
		v.syncAll()
		v.now[name] = next
		return "an edit from outside"
	case n == 2 && there && strings.Contains(text, hidden):
		next = strings.ReplaceAll(text, hidden, "REDACTED:test")
		v.do(create("/memories/"+name, next))
		v.now[name] = next
		return "redaction"
	case n == 3:
		v.prune()
		return "prune"
	case n == 4:
		v.purge()
		return "purge"
	case n == 5:
		v.reopen()
		return "reopen"
	}
	v.do(create("/memories/"+name, next))
	v.now[name] = next
	return "edit"
}

func (v *versions) prune() {
	age := time.Hour
	if list := v.revisions(); len(list) > 0 {
		age = max(1, time.Since(list[v.r.IntN(len(list))].Time))
	}
	v.must(v.j.tx(context.Background(), false, func(w *writer) { w.set(metaPruned, 0) })) // it is due again
	dropped, err := v.j.prune(context.Background(), age)
	v.must(err)
	v.removed += dropped
}

// purge removes the value from the files first, as its callers do.
func (v *versions) purge() {
	for name, text := range v.now {
		if clean := without("", []byte(text)); string(clean) != text {
			v.outside(name, string(clean))
		}
	}
	was := v.now
	v.now = map[string]string{}
	for name, text := range was {
		v.now[name] = string(without("", []byte(text)))
	}
	v.syncAll()
	v.recorded(was)
	_, err := v.j.Purge(context.Background(), past.Purge{Redact: without})
	v.must(err)
	for _, sides := range v.sides {
		for i := range sides {
			if sides[i] != nil {
				*sides[i] = string(without("", []byte(*sides[i])))
			}
		}
	}
	v.must(v.j.tx(context.Background(), false, func(w *writer) {
		var n int
		if w.row("SELECT count(*) FROM blob WHERE instr(data, ?) > 0", []any{hidden}, &n); n > 0 {
			v.t.Fatalf("%d blobs hold the purged value", n)
		}
	}))
}

// TestVersionsReadBackExactly: after any edits, deletions, prunes and purges, every kept version reads back exactly, and
// no other version is kept.
func TestVersionsReadBackExactly(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			v := &versions{desk: newDesk(t), r: rand.New(rand.NewPCG(seed, 9)), now: map[string]string{}, sides: map[int64][2]*string{}}
			v.syncAll()
			for i := range 60 {
				was := map[string]string{}
				for name, text := range v.now {
					was[name] = text
				}
				did := v.act()
				v.recorded(was)
				if did != "edit" || i%10 == 0 {
					v.agree(fmt.Sprintf("after step %d, %s", i, did))
				}
			}
			v.agree("at the end")
			if v.deltas == 0 {
				t.Error("no version was stored as a delta")
			}
		})
	}
}
