package transcript

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// shape describes an object that holds a call, a result, both, or what holds for the values after it. A row of shapes.json is one; the
// first row that fits an object and finds a name and an input in it counts, so the more special ones come first.
type shape struct {
	For    string              // the programs that write it
	When   map[string][]string // what must be at each path: a word, the beginning of one ("tool-*"), anything ("*"), or nothing ("absent")
	Call   *parts
	Result *parts // of a call elsewhere
	Beside *parts // the result beside its call
	Sets   *parts
}

// parts are where in an object something is: paths, see [object.at]. Failed may end in "=" and the beginning of a word.
type parts struct {
	ID, Name, Input     string
	Text, Failed        string
	Plain               bool // a file that was read is shown as it is, without numbers before its lines
	Wrapped             bool // the text may be JSON with the answer in it
	Session, Model, Dir string
}

//go:embed shapes.json
var shapesFile []byte

var shapes = sync.OnceValue(func() (list []shape) {
	if err := json.Unmarshal(shapesFile, &list); err != nil {
		panic(err) // a test reads it
	}
	return list
})

// fits reports whether an object has the shape.
func (s *shape) fits(o object) bool {
	for path, want := range s.When {
		found := o.at(path)
		ok := false
		for _, w := range want {
			begin, prefix := strings.CutSuffix(w, "*")
			switch {
			case w == "absent":
				ok = ok || found == nil
			case prefix:
				ok = ok || found != nil && (begin == "" || strings.HasPrefix(found.word(), begin))
			default:
				ok = ok || len(found) == len(w)+2 && found.isString() && string(found[1:len(found)-1]) == w
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// made is a call of any tool, as an object has it.
type made struct {
	id, name string
	input    value // an object, or a string that holds one
}

// callIn is the call that an object is; beside says where its result is, nil: elsewhere.
func callIn(o object) (m made, beside *parts, ok bool) {
	for i := range shapes() {
		s := &shapes()[i]
		if s.Call == nil || !s.fits(o) {
			continue
		}
		m = made{o.at(s.Call.ID).word(), o.at(s.Call.Name).word(), o.at(s.Call.Input)}
		m.name = strings.TrimPrefix(m.name, "tool-")
		if m.name != "" && m.input != nil {
			return m, s.Beside, true
		}
	}
	return made{}, nil, false
}

// resultIn says where in an object the result is that it is; nil: it is none.
func resultIn(o object) *parts {
	for i := range shapes() {
		if s := &shapes()[i]; s.Result != nil && s.fits(o) && o.at(s.Result.ID) != nil {
			return s.Result
		}
	}
	return nil
}

// failed reports whether a result says that its call failed; told: it says so or the contrary.
func (p *parts) failed(o object) (failed, told bool) {
	for one := range strings.SplitSeq(p.Failed, "|") {
		path, want, is := strings.Cut(one, "=")
		switch found := o.at(path); {
		case found == nil:
		case is:
			failed, told = failed || strings.HasPrefix(found.word(), want), true
		default:
			failed, told = failed || string(found) != "false", true
		}
	}
	return failed, told
}
