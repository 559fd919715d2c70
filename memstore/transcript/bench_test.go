package transcript_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/transcript"
)

// bigTranscript writes size bytes of a session: lines of 1 to 50 KB of prose and code, one in fifty
// with a call of the memory tool, the next one with its result. It returns how many calls there are.
func bigTranscript(b testing.TB, file string, size int) (calls int) {
	b.Helper()
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields(`the of and a to in he was for return func error string if nil package import json value data
		yes why my you they only they'll result
		line file path open close read write test check buffer slice map range type struct int64 http
		request response 200 404 2026-11-21 0x1f 3.14 later
		\"quoted\" \n \n\t <b> & user agent tool call memory \"memory\" memory_limit in-memory remember`)
	var w bytes.Buffer
	for written := 0; written < size; {
		w.Reset()
		if calls*50 <= written/26000 {
			id := fmt.Sprintf("toolu_01%s%d", strconv.FormatUint(r.Uint64()|1<<60, 36), calls)
			fmt.Fprintf(&w, `{"role":"assistant","content":[{"type":"tool_use","id":"%s","name":"memory","input":{"command":"create",`+
				`"path":"/memories/%d.md","file_text":"x"}}]}`+"\n", id, calls)
			fmt.Fprintf(&w, `{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":"File created successfully at: `+
				`/memories/%d.md"}]}`+"\n", id, calls)
			calls++
		}
		w.WriteString(`{"role":"user","content":[{"type":"text","text":"`)
		for n := 1000 + r.IntN(49_000); w.Len() < n; {
			w.WriteString(vocabulary[r.IntN(len(vocabulary))])
			w.WriteByte(' ')
		}
		w.WriteString("\"}]}\n")
		n, err := f.Write(w.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		written += n
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return calls
}

// BenchmarkAgainstPrograms extracts the calls of a large file, of which each line has the word and quotes it, and, in the same run and in
// turn, counts its lines with wc and selects the calls with jq: the goal is at most 5 times wc and 0.12 times jq. It reports the medians of
// the rounds. MEMCURATOR_TRANSCRIPT_MB is the size, 64 without it.
func BenchmarkAgainstPrograms(b *testing.B) {
	megabytes := 64
	if n, err := strconv.Atoi(os.Getenv("MEMCURATOR_TRANSCRIPT_MB")); err == nil {
		megabytes = n
	}
	file := filepath.Join(b.TempDir(), "big.jsonl")
	want := bigTranscript(b, file, megabytes<<20)
	programs := map[string][]string{"wc": {"-l"}, "jq": {"-c", `select(.content[]?.name? == "memory")`}}
	for name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			b.Logf("without %s, which is not installed", name)
			delete(programs, name)
		}
	}
	ratios := map[string][]float64{}
	for b.Loop() {
		from := time.Now()
		r := transcript.NewReader(nil)
		if err := r.ReadFile(b.Context(), file); err != nil || len(r.Calls()) != want {
			b.Fatalf("%d calls, want %d: %v", len(r.Calls()), want, err)
		}
		own := time.Since(from).Seconds()
		for name, args := range programs {
			from := time.Now()
			if err := exec.Command(name, append(args, file)...).Run(); err != nil {
				b.Fatal(err)
			}
			ratios[name] = append(ratios[name], own/time.Since(from).Seconds())
		}
	}
	for name, list := range ratios {
		b.ReportMetric(median(list), "x-"+name)
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
