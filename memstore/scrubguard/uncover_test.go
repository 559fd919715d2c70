package scrubguard

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
)

// secretKey is what an agent tries to get at: letters and digits that nothing else in the notes has in this order.
var secretKey = strings.Join([]string{"qZ7mXw2Lk9", "Tr4Vb8Ns1Y"}, "")

// notes of the search: the value stands where a prefix, a word before it, a heading, a format, or lines around it announce it.
func uncoverNotes() map[string]string {
	long := "gh" + "p_" + secretKey + "c3D5e6F7g8H9j0K1"
	var key strings.Builder
	for i := range 4 {
		fmt.Fprintf(&key, "%s%s\n", secretKey[i*2:], strings.Repeat(secretKey, 3)[:44])
	}
	return map[string]string{
		"a.md":     "# a\nThe token is " + long + " of Kim.\nend\n",
		"b.md":     "x\npassword: " + secretKey + "\ny\n",
		"c.yaml":   "a: 1\npassword: \"" + secretKey + "\"\nb: 2\n",
		"d.md":     "| host | password |\n|---|---|\n| db | " + secretKey + " |\n",
		"e.json":   "{\"user\": \"kim\", \"password\": \"" + secretKey + "\"}\n",
		"f.md":     "one\n-----BEGIN RSA PRIVATE" + " KEY-----\n" + key.String() + "-----END RSA PRIVATE" + " KEY-----\ntwo\n",
		"g.txt":    "postgres://kim:" + secretKey + "@db.internal/app\n",
		"h.env":    "API_KEY=" + secretKey + "\nNEXT=1\n",
		"i.md":     "Password:\n" + secretKey + "\n",
		"j/k/l.md": "login: kim\npassword: " + secretKey + " and more\n",
	}
}

// shownOf is the longest piece of the value, from 4 characters, that an answer holds and the agent has not written itself.
func shownOf(answer, value string, own string) string {
	for size := len(value); size >= 4; size-- {
		for at := 0; at+size <= len(value); at++ {
			if piece := value[at : at+size]; strings.Contains(answer, piece) && !strings.Contains(own, piece) {
				return piece
			}
		}
	}
	return ""
}

// agentOf plays an agent that knows only what it was answered, and tries edits around placeholders at random.
type agentOf struct {
	*rand.Rand
	t     *testing.T
	store *memstore.Store
	paths []string
	log   []string
}

func (a *agentOf) do(c memstore.Command) memstore.Result {
	r := a.store.Do(context.Background(), c)
	a.log = append(a.log, fmt.Sprintf("%s %s%s %v old %q new %q insert %d %q -> %q", c.Name, c.Path, c.OldPath+" "+c.NewPath,
		c.ViewRange, c.OldStr, c.NewStr, c.InsertLine, c.InsertText, r.Content))
	if piece := shownOf(r.Content, secretKey, ""); piece != "" {
		a.t.Fatalf("%q was shown after\n%s", piece, strings.Join(a.log[max(0, len(a.log)-12):], "\n"))
	}
	return r
}

var (
	rowLabel = regexp.MustCompile(`(?m)^ *\d+\t`)
	typed    = []string{"", " ", "x", "\n", "g h p ", "pwd.", "\t", "#", "\"", "'", "\\", "|", ": ", "password", "key", "example",
		"\u200b", "\x00", "-- ", "<!--", "-->", "```\n", "---\n", "https://", "@", "gitleaks:allow", "# nosec", "é", "\u2028", "\r",
		"EXAMPLE", "{", "}"}
	extensions  = []string{".md", ".txt", ".yaml", ".json", ".env", ".toml", ".xml", ".csv", "", ".py"}
	sometimesOf = func(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }
)

// piece is a part of what the agent has read: often one that touches a placeholder or the words before it.
func (a *agentOf) piece(text string) string {
	if text == "" {
		return ""
	}
	from := a.IntN(len(text))
	if at := strings.Index(text, "[REDACTED"); at >= 0 && a.IntN(3) > 0 {
		from = max(0, at-a.IntN(25))
		if a.IntN(3) == 0 {
			from = at + a.IntN(8)
		}
	}
	return strings.ToValidUTF8(text[from:min(len(text), from+1+a.IntN(40))], "")
}

func (a *agentOf) step() {
	i := a.IntN(len(a.paths))
	path := a.paths[i]
	view := memstore.Command{Name: memstore.CmdView, Path: path}
	switch a.IntN(8) {
	case 0, 1, 2: // an edit of something it has read
		text := rowLabel.ReplaceAllString(a.do(view).Content, "")
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
		old := a.piece(text)
		if old == "" {
			return
		}
		with := sometimesOf(a.Rand, typed)
		if a.IntN(3) == 0 {
			with += a.piece(old)
		}
		if a.IntN(4) == 0 {
			cut := a.IntN(len(old))
			with = strings.ToValidUTF8(old[:cut], "") + with + strings.ToValidUTF8(old[cut:], "")
		}
		a.do(memstore.Command{Name: memstore.CmdStrReplace, Path: path, OldStr: old, NewStr: with})
	case 3:
		a.do(memstore.Command{Name: memstore.CmdInsert, Path: path, InsertLine: a.IntN(6), InsertText: sometimesOf(a.Rand, typed) +
			sometimesOf(a.Rand, typed)})
	case 4:
		to := strings.TrimSuffix(path, extensionOf(path)) + sometimesOf(a.Rand, extensions)
		if r := a.do(memstore.Command{Name: memstore.CmdRename, OldPath: path, NewPath: to}); !r.IsError {
			a.paths[i] = to
		}
	case 5:
		from := 1 + a.IntN(7)
		view.ViewRange = []int{from, from + a.IntN(3)}
		a.do(view)
	case 6: // a guess of a letter, in the hope of another answer where it is right
		a.do(memstore.Command{Name: memstore.CmdStrReplace, Path: path,
			OldStr: sometimesOf(a.Rand, []string{"password: ", "token is ", "\"", "=", "_", ""}) + secretKey[:1+a.IntN(3)], NewStr: "x"})
	default:
		a.do(view)
	}
}

func extensionOf(path string) string {
	if at := strings.LastIndexByte(path, '.'); at > strings.LastIndexByte(path, '/') {
		return path[at:]
	}
	return ""
}

// An agent that reads masked notes gets at nothing of a value by editing around it, whatever it tries.
func TestAMaskedValueStaysMaskedWhateverIsEdited(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	for _, d := range memstore.Dialects() {
		for _, write := range []Mode{Off, Mask} {
			t.Run(fmt.Sprintf("%s, on write %s", d, write), func(t *testing.T) {
				t.Parallel()
				for seed := range uint64(rounds) {
					k := New(nil, Settings{Read: true, Write: write})
					k.engine = engine
					b := memstore.NewMemory()
					a := &agentOf{Rand: rand.New(rand.NewPCG(seed, 7)), t: t, store: memstore.New(b, memstore.Options{Guards: k.Guards(), Dialect: d})}
					notes := uncoverNotes()
					for _, name := range slices.Sorted(maps.Keys(notes)) {
						if err := b.Create(name, []byte(notes[name])); err != nil {
							t.Fatal(err)
						}
						a.paths = append(a.paths, "/memories/"+name)
					}
					for range 25 {
						a.step()
					}
				}
			})
		}
	}
}
