package transcript_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// Long inputs are decoded as short ones are, whatever is wrong with them.
func TestLongCommands(t *testing.T) {
	long := strings.Repeat("a line of \\\"words\\\" \\ud83d\\ude00 ü\\n", 3000)
	for _, input := range []string{
		`{"command":"create","path":"/memories/a","file_text":"` + long + `"}`,
		`{"command":"create","path":"/memories/a","file_text":"x","file_text":"` + long + `"}`,
		`{"command":"create","path":"/memories/a","file_text":"` + long + `","file_text":"x"}`,
		`{"command":"create","path":"/memories/a","file_text":"` + long + `\ud800"}`,
		`{"command":"create","path":"/memories/a","file_text":"` + long + "\xff" + `"}`,
		`{"command":"create","file_text":"` + long + `"}`,
		`{"command":"create","path":1,"file_text":"` + long + `"}`,
		`{"command":"str_replace","path":"/memories/a","old_str":"` + long + `","new_str":"` + long + `x"}`,
		`{"command":"insert","path":"/memories/a","insert_line":2,"insert_text":"` + long + `"}`,
		`{"command":"view","path":"/memories/a","file_text":"` + long + `"}`,
		`{"command":"` + long + `"}`,
		`{"command":"view","path":"/memories/` + long + `"}`,
		`"` + long + `"`,
		`{"command":"create","path":"/memories/a","file_text":["` + long + `"]}`,
	} {
		want, wantErr := memstore.DecodeCommand([]byte(input))
		got, err := transcript.Decode([]byte(input))
		if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%.80s: %.80v, %v; want %.80v, %v", input, got, err, want, wantErr)
		}
		c := &transcript.Call{Input: json.RawMessage(input)}
		if short, err := c.Command(); err == nil && wantErr == nil && (short.Name != want.Name || short.Path != want.Path ||
			len(short.FileText) > 1) {
			t.Errorf("%.80s: %.80v without its texts", input, short)
		}
	}
}
