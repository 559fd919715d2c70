package transcript

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/transcript/rawjson"
)

// longText is the length in bytes from which an input or a text in it is decoded by itself: what decodes JSON values
// copies them several times, and a text may be 100 MB.
const longText = 64 << 10

// commandOf is the command of a call. Half a character, and bytes that are not text, are U+FFFD as other
// handlers have it, where the recording does not say that they were refused; ours refuses them.
func commandOf(c *Call) (memstore.Command, error) {
	cmd, err := decode(c.Input, true)
	if c.Result != nil && c.Result.after { // of Letta, whose paths are labels of blocks
		for _, label := range []*string{&cmd.Path, &cmd.OldPath, &cmd.NewPath} {
			if *label != "" && *label != memstore.Root && !strings.HasPrefix(*label, memstore.Root+"/") {
				*label = memstore.Root + "/" + strings.TrimPrefix(*label, "/")
			}
		}
	}
	if err == nil || c.Result != nil && c.Result.Failed() || len(c.Input) > rawjson.LongValue {
		return cmd, err
	}
	if loose, looseErr := memstore.DecodeCommand(rawjson.Canonical(c.Input)); looseErr == nil {
		return loose, nil
	}
	return cmd, err
}

// Command is the command of a call of the memory tool without its long texts, for those who ask where it went and
// not what it wrote. The error is a [*memstore.InputError].
func (c *Call) Command() (memstore.Command, error) {
	if len(c.Input) <= longText {
		return commandOf(c)
	}
	return decode(c.Input, false)
}

// decode is [memstore.DecodeCommand] for inputs of any length. Without texts the long ones are omitted; what is
// wrong with those is then not told.
func decode(input []byte, texts bool) (memstore.Command, error) {
	input = spelled(input)
	if len(input) <= longText || !rawjson.Value(input).IsObject() || texts && !utf8.Valid(input) {
		return memstore.DecodeCommand(input)
	}
	short := []byte{'{'}
	long := map[string]rawjson.Value{}
	for _, f := range rawjson.Value(input).Object() {
		if len(short) > 1 {
			short = append(short, ',')
		}
		delete(long, f.Key)
		v := f.Val
		if v.IsString() && len(v) > longText && isText(f.Key) {
			long[f.Key], v = v, rawjson.Value(`""`)
		}
		short = append(append(append(short, rawjson.Quote(f.Key)...), ':'), v...)
	}
	cmd, err := memstore.DecodeCommand(append(short, '}'))
	if !texts {
		return cmd, err
	}
	if err != nil {
		return memstore.DecodeCommand(input)
	}
	for key, v := range long {
		if holdsHalf(v) {
			return memstore.DecodeCommand(input) // it says what is wrong with it
		}
		switch {
		case cmd.Name == memstore.CmdCreate && key == "file_text":
			cmd.FileText = v.Text()
		case cmd.Name == memstore.CmdStrReplace && key == "old_str":
			cmd.OldStr = v.Text()
		case cmd.Name == memstore.CmdStrReplace && key == "new_str":
			cmd.NewStr = v.Text()
		case cmd.Name == memstore.CmdInsert && key == "insert_text":
			cmd.InsertText = v.Text()
		}
	}
	return cmd, nil
}

// spelled is an input with the names that its fields have in the memory tool: Letta's old_string is old_str.
func spelled(input []byte) []byte {
	if len(input) > rawjson.LongValue || !bytes.Contains(input, []byte(`"old_string"`)) {
		return input
	}
	out := []byte{'{'}
	for _, f := range rawjson.Value(input).Object() {
		switch f.Key {
		case "old_str", "new_str":
			return input
		case "old_string", "new_string":
			f.Key = strings.TrimSuffix(f.Key, "ing")
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, rawjson.Quote(f.Key)...), ':'), f.Val...)
	}
	return append(out, '}')
}

// isText reports the fields of a command that hold texts of any length.
func isText(field string) bool {
	return field == "file_text" || field == "old_str" || field == "new_str" || field == "insert_text"
}

// holdsHalf reports a string with an escape of the range of surrogates, which may be half a pair.
func holdsHalf(v rawjson.Value) bool {
	n := needle{text: []byte(`\ud`), a: 1, b: 2}
	upper := needle{text: []byte(`\uD`), a: 1, b: 2}
	return n.find(v, 0) < len(v) || upper.find(v, 0) < len(v)
}

// long reports a call that is too long to try on several handlers.
func (c *Call) long() bool {
	return len(c.Input) > rawjson.LongValue || c.Result != nil && len(c.Result.Raw) > rawjson.LongValue
}
