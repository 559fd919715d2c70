// Command realtext measures the search for sensitive values on real text: public repositories at given commits, in which
// nothing was planted. It fetches nothing. Name a folder that holds a clone of each repository of repositories.tsv, as
// OWNER/NAME, OWNER+NAME or OWNER+NAME/repo, bare or not; what is missing there is named and left out:
//
//	go run ./.ci/realtext FOLDER
//	go run ./.ci/realtext -half develop -show false FOLDER     # the places, with their lines
//	go run ./.ci/realtext -show unjudged FOLDER                # rows to judge, tab-separated, the hash first
//
// Each repository is scanned as scrub scans a store: values found anywhere in it are sought everywhere in it, names of files
// included. Every distinct value was read in its context and judged; verdicts.tsv holds the judgements. No value is in it:
// values are hashed with a key that only who has the clone can make (the listing of the commit with the ids of all files),
// and the rows do not say which repository they belong to.
//
// Half of the repositories are for development, half for reports. What the rows of reports are about is not looked at while
// rules are changed. A sample that no rule had seen when it was judged is named sample1, sample2 and so on: its first figures
// are the honest ones, and once rules were changed for it, it serves development too. A verdict is changed only in a commit
// of its own, with the reason.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore/scrub"
)

var (
	//go:embed repositories.tsv
	repositories string
	//go:embed verdicts.tsv
	verdicts string
)

// endings are the extensions of notes and of files often found next to them. Installed packages (node_modules) are skipped: they hold
// little but their authors' addresses, a thousand correct findings that say nothing about notes.
const endings = " .md .mdx .txt .json .jsonl .yaml .yml .xml .toml .csv .rst .org .env "

// largest is the size of the largest file that still counts as a note.
const largest = 1 << 20

// A verdict is what a reader said of a value.
const (
	real     = "real"    // a secret, or what identifies a person: it should be found
	example  = "example" // made up, in the place where a real one would stand: counts neither way
	false_   = "false"
	unjudged = "unjudged"
)

func main() {
	half := flag.String("half", "", "develop, report or a sample: these repositories only")
	show := flag.String("show", "", "list the places of a verdict: real, example, false, unjudged")
	only := flag.String("repository", "", "this repository only")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *half, *show, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, folder, half, show, only string) error {
	judged := readVerdicts()
	e, problems := scrub.New(scrub.Options{})
	if len(problems) > 0 {
		return fmt.Errorf("rule %s: %s", problems[0].Rule, problems[0].Reason)
	}
	out := bufio.NewWriter(w)
	sums := map[string]*figures{}
	for line := range strings.Lines(repositories) {
		field := strings.Split(strings.TrimSpace(line), "\t")
		if len(field) != 3 || half != "" && field[2] != half || only != "" && field[0] != only {
			continue
		}
		r, err := open(folder, field[0], field[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		f := sums[field[2]]
		if f == nil {
			f = &figures{values: map[string]int{}, places: map[string]int{}, found: map[string]bool{}}
			sums[field[2]] = f
		}
		spent := f.add(e, r, judged, out, show)
		if show == "" {
			fmt.Fprintf(os.Stderr, "%s: %.2f MB in %.2f s\n", r.name, float64(r.bytes())/1e6, spent.Seconds())
		}
	}
	if show == "" {
		report(out, sums, judged)
	}
	return out.Flush()
}

// verdict is a row of verdicts.tsv.
type verdict struct{ verdict, class, half, family string }

func readVerdicts() map[string]verdict {
	all := map[string]verdict{}
	for line := range strings.Lines(verdicts) {
		if f := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(f) == 5 {
			all[f[0]] = verdict{f[1], f[2], f[3], f[4]}
		}
	}
	return all
}

// repository is the text of a clone at a commit.
type repository struct {
	name, half string
	key        []byte
	files      []file
}

type file struct {
	path string
	text []byte
}

func (r *repository) bytes() (n int) {
	for _, f := range r.files {
		n += len(f.text)
	}
	return n
}

// hash names a value without giving it away to those who have no clone.
func (r *repository) hash(value string) string {
	h := hmac.New(sha256.New, r.key)
	h.Write([]byte(value))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// open reads a repository at a commit from a clone below folder.
func open(folder, name, commit string) (*repository, error) {
	for _, place := range []string{name, strings.ReplaceAll(name, "/", "+"), strings.ReplaceAll(name, "/", "+") + "/repo"} {
		dir := filepath.Join(folder, filepath.FromSlash(place))
		listing, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "-l", "-z", "--full-tree", commit).Output()
		if err != nil {
			continue
		}
		key := sha256.Sum256(listing)
		r := &repository{name: name, key: key[:]}
		return r, r.read(dir, listing)
	}
	return nil, fmt.Errorf("%s has no clone of %s with the commit %s", folder, name, commit)
}

// read takes the texts of a listing of Git.
func (r *repository) read(dir string, listing []byte) error {
	var ids bytes.Buffer
	for row := range bytes.SplitSeq(listing, []byte{0}) {
		meta, name, ok := bytes.Cut(row, []byte{'\t'})
		field := strings.Fields(string(meta)) // mode, type, id, size
		if !ok || len(field) != 4 || field[1] != "blob" || !strings.Contains(endings, " "+strings.ToLower(path.Ext(string(name)))+" ") {
			continue
		}
		if size, err := strconv.Atoi(field[3]); err != nil || size > largest || strings.Contains("/"+string(name), "/node_modules/") {
			continue
		}
		fmt.Fprintln(&ids, field[2])
		r.files = append(r.files, file{path: string(name)})
	}
	c := exec.Command("git", "-C", dir, "cat-file", "--batch")
	c.Stdin = &ids
	raw, err := c.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	for i := range r.files {
		head, rest, _ := bytes.Cut(raw, []byte{'\n'})
		field := strings.Fields(string(head))
		size, err := strconv.Atoi(field[len(field)-1])
		if err != nil || len(rest) < size {
			return fmt.Errorf("%s: %s is not in the clone", r.name, r.files[i].path)
		}
		r.files[i].text, raw = rest[:size:size], rest[size+1:]
	}
	return nil
}

// figures are what was found in half of the repositories.
type figures struct {
	bytes, files   int
	spent          time.Duration
	values, places map[string]int // by verdict
	found          map[string]bool
}

// place is a value in a file or its name.
type place struct {
	hash, class, why, file, line string
	repeat                       bool
}

// add scans a repository.
func (f *figures) add(e *scrub.Engine, r *repository, judged map[string]verdict, w io.Writer, show string) time.Duration {
	places, spent := scan(e, r)
	f.spent += spent
	f.bytes, f.files = f.bytes+r.bytes(), f.files+len(r.files)
	seen := map[string]int{}
	for _, p := range places {
		v := cmp.Or(judged[p.hash].verdict, unjudged)
		f.places[v]++
		f.found[p.hash] = true
		if seen[p.hash]++; seen[p.hash] == 1 {
			f.values[v]++
		}
	}
	if show == "" {
		return spent
	}
	slices.SortStableFunc(places, func(a, b place) int { // first where it was found
		switch {
		case a.repeat == b.repeat:
			return 0
		case b.repeat:
			return -1
		}
		return 1
	})
	shown := map[string]bool{}
	for _, p := range places {
		v := judged[p.hash]
		if cmp.Or(v.verdict, unjudged) != show || shown[p.hash] {
			continue
		}
		shown[p.hash] = true
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", p.hash, p.class, p.why, v.family, seen[p.hash], r.name, p.file, p.line)
	}
	return spent
}

// scan finds the values of a repository and all their places, as scrub does in a store.
func scan(e *scrub.Engine, r *repository) (places []place, spent time.Duration) {
	start := time.Now()
	c := e.Collect()
	first := make([][]scrub.Finding, len(r.files))
	for i, file := range r.files {
		first[i] = e.Find(file.path, file.text)
		c.Add(file.path, file.text, first[i])
	}
	values := c.Values()
	for i, file := range r.files {
		first[i] = scrub.Merge(first[i], values.Find(file.path, file.text))
	}
	spent = time.Since(start)
	for i, file := range r.files {
		for _, x := range first[i] {
			hash := r.hash(e.Plain(file.path, file.text, x))
			places = append(places, place{hash, x.Class, e.Why(x), file.path, around(file.text, x.Start, x.End), x.Repeat})
		}
		name := []byte(file.path)
		for _, x := range scrub.Merge(e.FindName(file.path), values.InName(file.path)) {
			places = append(places, place{r.hash(string(name[x.Start:x.End])), x.Class, e.Why(x), file.path, around(name, x.Start, x.End), x.Repeat})
		}
	}
	return places, spent
}

// around is the line of a place, the place itself in brackets.
func around(text []byte, start, end int) string {
	from := max(0, start-110)
	if i := bytes.LastIndexByte(text[from:start], '\n'); i >= 0 {
		from += i + 1
	}
	to := min(len(text), end+50)
	if i := bytes.IndexByte(text[end:to], '\n'); i >= 0 {
		to = end + i
	}
	s := string(text[from:start]) + "⟦" + string(text[start:min(end, start+120)]) + "⟧" + string(text[end:to])
	return strings.NewReplacer("\n", "⏎", "\t", " ", "\r", "").Replace(strings.ToValidUTF8(s, ""))
}

// report prints the figures, the halves beside each other.
func report(w io.Writer, sums map[string]*figures, judged map[string]verdict) {
	for _, half := range slices.Sorted(maps.Keys(sums)) {
		f := sums[half]
		mb := float64(f.bytes) / 1e6
		known, missed := 0, map[string]int{}
		for hash, v := range judged {
			if v.half == half && v.verdict == real {
				known++
				if !f.found[hash] {
					missed[v.class]++
				}
			}
		}
		lost := 0
		for _, n := range missed {
			lost += n
		}
		fmt.Fprintf(w, "%s: %d files, %.1f MB, %.1f MB/s\n", half, f.files, mb, mb/f.spent.Seconds())
		for _, v := range []string{real, example, false_, unjudged} {
			fmt.Fprintf(w, "  %-9s %5d values at %5d places, %6.2f places a MB\n", v, f.values[v], f.places[v], float64(f.places[v])/mb)
		}
		precision := 100 * float64(f.values[real]) / float64(max(1, f.values[real]+f.values[false_]))
		fmt.Fprintf(w, "  precision by value %.1f %%, recall %d of %d", precision, known-lost, known)
		for _, class := range slices.Sorted(func(yield func(string) bool) {
			for c := range missed {
				if !yield(c) {
					return
				}
			}
		}) {
			fmt.Fprintf(w, ", missed %d %s", missed[class], class)
		}
		fmt.Fprintln(w)
	}
}
