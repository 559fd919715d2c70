package transcript_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// shown is all that a reader found.
func shown(r *transcript.Reader) (list []string) {
	list = append(list, fmt.Sprintf("%+v", r.Summary()))
	for _, c := range r.Calls() {
		result := "none"
		if c.Result != nil {
			result = fmt.Sprint(c.Result.IsError, c.Result.Text)
		}
		list = append(list, fmt.Sprint(c.ID, c.Session, c.Model, c.Time, c.Turn, c.Side, c.Source, string(c.Input), result))
	}
	return append(list, fmt.Sprintf("%+v", r.Boundaries()))
}

// readTwice reads files one after another, as a whole and by their outlines, which another reader made.
func readTwice(t *testing.T, texts ...string) (whole, again []string, byOutline int) {
	t.Helper()
	readers := [2]*transcript.Reader{}
	for i := range readers {
		r, err := transcript.NewReader(transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		readers[i] = r
	}
	for i, text := range texts {
		name, data := fmt.Sprint("f", i), bytes.NewReader([]byte(text))
		errWhole := readers[0].Read(name, bytes.NewReader([]byte(text)))
		_, ok := readers[1].Awaits()
		o, err := readers[1].Outline(name, data)
		if err == nil && ok && !o.Whole {
			err = readers[1].ReadOutline(name, data, data.Size(), o)
			byOutline++
		} else {
			err = readers[1].Read(name, bytes.NewReader([]byte(text)))
		}
		if fmt.Sprint(err) != fmt.Sprint(errWhole) {
			t.Errorf("%v, read as a whole %v", err, errWhole)
		}
	}
	return shown(readers[0]), shown(readers[1]), byOutline
}

// What an outline leaves out changes nothing, in any format, damaged or not, and whatever was read before.
func TestOutline(t *testing.T) {
	g := generate(t, 11, 8, memstore.Docs)
	all := g.agents()
	maps.Copy(all, g.formats(t))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		r := rand.New(rand.NewPCG(5, uint64(len(name))))
		lines := strings.SplitAfter(text, "\n")
		half := len(lines) / 2
		cases := [][]string{{text}, {strings.Join(lines[:half], ""), strings.Join(lines[half:], "")}, {text, text}}
		for range 2 {
			cases = append(cases, []string{mutated(r, text), text})
		}
		for i, texts := range cases {
			whole, again, n := readTwice(t, texts...)
			if !reflect.DeepEqual(whole, again) {
				t.Fatalf("%s, case %d:\n%s\nby outlines:\n%s", name, i, strings.Join(whole, "\n"), strings.Join(again, "\n"))
			}
			if i == 0 && name == "jsonl" && n != 1 {
				t.Errorf("%s isn't read by its outline", name)
			}
		}
	}
}

func FuzzOutline(f *testing.F) {
	text := strings.Join(conversation(), "\n")
	r, err := transcript.NewReader(transcript.Options{})
	if err != nil {
		f.Fatal(err)
	}
	o, err := r.Outline("f", strings.NewReader(text))
	if err != nil || len(o.Lines) == 0 {
		f.Fatal(err, "no lines")
	}
	f.Add(o.Lines, int64(0))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 127, 1, 1}, int64(3))
	f.Fuzz(func(t *testing.T, lines []byte, mark int64) {
		r, err := transcript.NewReader(transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := transcript.Outline{Lines: lines, Mark: mark % 4}
		_ = r.ReadOutline("f", strings.NewReader(text), int64(len(text)), o) // a damaged outline is an error
		if n := len(r.Calls()); n > len(text) {
			t.Errorf("%d calls", n)
		}
	})
}
