package transcript

import (
	"bytes"
	"encoding/base64"
	"hash/maphash"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// scope is what the objects around a part say of it. It is handed down by value.
type scope struct {
	session, time, model string
	dir                  string // in which the agent is at work
	when                 time.Time
	turn                 int
	side                 bool
	inside               bool          // of a conversation that is given whole
	extra                rawjson.Value // toolUseResult of the line
}

// record is what is known of the record under way.
type record struct {
	at     Source
	latest map[string]*Call // by id: the newest call, nil for one of another tool
	// loose: there was a result in it of a call that is unknown.
	loose bool
	// Results that come before their calls, by id.
	orphans map[string]format.Result
	alone   map[string]*Call // calls outside of conversations, by id and input
	lost    []*Call          // whose results were reported before and are placeholders here
	// Of conversations that are given whole: what identifies calls whose ids are not unique.
	whole  bool
	count  int            // messages
	prefix uint64         // hash of the messages so far
	times  map[string]int // how often a call stood in the messages so far
}

// walk looks for calls and results in a value, at any depth, but never inside of
// inputs, results and texts: what is quoted there was not called.
func (r *Reader) walk(v rawjson.Value, s scope, depth int) {
	switch {
	case depth > rawjson.MaxDepth:
	case v.IsArray():
		if conversation(v) {
			r.messages(v, s, depth)
			return
		}
		v.Each(func(e rawjson.Value) { r.walk(e, s, depth+1) })
	case v.IsObject():
		o := v.Object()
		r.walkObject(o, s, depth)
	}
}

func (r *Reader) walkObject(o rawjson.Object, s scope, depth int) {
	if id := o.Text("uuid"); id != "" && o.Get("sessionId") != nil {
		if r.seen[id] {
			return
		}
		r.seen[id] = true
		r.book.record.loose = false
		defer func() {
			if r.book.record.loose { // the call comes later, and then this line is reported again
				delete(r.seen, id)
			}
		}()
	}
	s = s.within(o)
	if s.model == "" && strings.HasPrefix(o.Text("type"), "response.") { // an event of a streamed answer
		s.model = r.streams.models[s.session]
	}
	r.boundaries.read(o, s, r.book.newest())
	r.encoded(o, s, depth)
	if r.shape(o, s) {
		return
	}
	// An answer comes after what was asked, in whatever order the file has them.
	for _, late := range []bool{false, true} {
		for _, f := range o {
			if format.IsAnswer(f.Key) != late || format.LeftOut(f.Key) || f.Key == "toolInvocations" && o.Get("parts").IsArray() {
				continue
			}
			if f.Val.IsString() {
				r.body(f, s, depth)
				continue
			}
			r.walk(f.Val, s, depth+1)
		}
	}
}

// body parses a string with the body of a request or a response.
func (r *Reader) body(f rawjson.Field, s scope, depth int) {
	if !format.IsBody(f.Key) || len(f.Val) < 3 || f.Key == "text" && !opensJSON(f.Val) {
		return
	}
	r.bodyText(f.Key, f.Val.TextBytes(), s, depth)
}

// bodyText parses the text of a body, which stays in memory as long as what it contains.
func (r *Reader) bodyText(key string, text []byte, s scope, depth int) {
	i := rawjson.SkipSpace(text, 0)
	switch {
	case i == len(text):
	case text[i] == '{' || text[i] == '[':
		if v := rawjson.Value(rawjson.TrimStart(text[i:])); rawjson.Valid(v) && (key != "text" || v.Object().Get("messages") != nil ||
			v.Object().Get("content") != nil) && !quoted(v) {
			r.walk(v, s, depth+1)
		}
	case key != "text" || bytes.HasPrefix(text[i:], []byte("event:")) || bytes.HasPrefix(text[i:], []byte("data:")):
		r.events(text, s, depth)
	}
}

// quoted reports whether a text is a call, or a list that begins with one: no request and no response is. A model was asked for JSON,
// or quotes it.
func quoted(v rawjson.Value) bool {
	if v.IsArray() {
		i := rawjson.SkipSpace(v, 1)
		if i >= len(v) || v[i] != '{' {
			return false
		}
		v = v[i:rawjson.ValueEnd(v, i)]
	}
	_, call := format.ReadCall(v.Object())
	return call
}

// encoded parses a body that is base64 in an HTTP archive.
func (r *Reader) encoded(o rawjson.Object, s scope, depth int) {
	if o.Text("encoding") != "base64" || o.Get("text") == nil {
		return
	}
	packed := o.Get("text").TextBytes()
	data := make([]byte, base64.StdEncoding.DecodedLen(len(packed)))
	if n, err := base64.StdEncoding.Decode(data, packed); err == nil {
		r.bodyText("body", bytes.ToValidUTF8(data[:n], []byte("\uFFFD")), s, depth)
	}
}

// opensJSON reports whether the text of a string begins as a JSON value or a stream of events does,
// without decoding it.
func opensJSON(v rawjson.Value) bool {
	for i := 1; i < len(v); i++ {
		switch {
		case v[i] == ' ':
		case v[i] == '\\' && i+1 < len(v) && (v[i+1] == 'n' || v[i+1] == 't' || v[i+1] == 'r'):
			i++
		default:
			return v[i] == '{' || v[i] == '[' || v[i] == 'e' || v[i] == 'd' || v[i] == '\\' && i+1 < len(v) && v[i+1] == 'u'
		}
	}
	return false
}

// within is the scope of the parts of an object.
func (s scope) within(o rawjson.Object) scope {
	for _, f := range o {
		switch f.Key {
		case "sessionId", "session_id", "sessionID", "custom_id", "conversation_id", "helicone-session-id", "session_thread_id":
			if t := f.Val.Text(); t != "" {
				s.session = t
			}
		case "model", "modelId", "modelID", "model_name":
			if t := f.Val.Text(); t != "" {
				s.model = t
			}
		case "modelInfo": // of Cline
			if t := f.Val.Object().Text("modelId"); t != "" {
				s.model = t
			}
		case "timestamp", "created_at", "createdAt", "startedDateTime", "startTime", "start_time", "processed_at", "time", "ts",
			"@timestamp", "recorded_at", "date", "startTimeUnixNano", "start_time_unix_nano":
			if t, when := moment(f.Val); t != "" {
				s.time, s.when = t, when
			}
		case "request_properties", "properties", "headers":
			for _, p := range f.Val.Object() {
				if strings.EqualFold(p.Key, "helicone-session-id") && p.Val.Text() != "" {
					s.session = p.Val.Text()
				}
			}
		case "info", "state": // of opencode: a message beside its parts, and the outcome of a call
			in := f.Val.Object()
			if t := in.Text("sessionID"); t != "" {
				s.session = t
			}
			if t := in.Text("modelID"); t != "" {
				s.model = t
			}
			for _, key := range []string{"start", "created"} {
				if t, when := moment(in.Get("time").Object().Get(key)); t != "" {
					s.time, s.when = t, when
				}
			}
		case "cwd":
			if t := f.Val.Text(); t != "" {
				s.dir = t
			}
		case "isSidechain":
			s.side = s.side || f.Val.IsTrue()
		case "parent_tool_use_id":
			s.side = s.side || f.Val.Text() != ""
		case "toolUseResult", "tool_use_result":
			s.extra = f.Val
		}
	}
	return s
}

// moment reads a time: RFC 3339, or seconds or milliseconds since 1970.
func moment(v rawjson.Value) (string, time.Time) {
	if t := v.Text(); t != "" {
		when, err := time.Parse(time.RFC3339Nano, t)
		if err != nil {
			when, _ = time.Parse("2006-01-02 15:04:05", t) // zero where it is none
			if ns, err := strconv.ParseInt(t, 10, 64); err == nil && ns > 1e17 {
				when = time.Unix(0, ns).UTC()
				t = when.Format(time.RFC3339Nano)
			}
		}
		return t, when
	}
	n, err := strconv.ParseFloat(string(v), 64)
	if n > 1e17 && n < 1e20 { // nanoseconds
		n /= 1e6
	}
	const earliest, latest = 1e9, 1e14 // from 2001, in seconds, to the year 5138, in milliseconds
	if err != nil || n < earliest || n > latest {
		return "", time.Time{}
	}
	if n < 1e11 {
		n *= 1000
	}
	when := time.UnixMilli(int64(n)).UTC()
	return when.Format("2006-01-02T15:04:05.000Z07:00"), when
}

// conversation reports whether an array is one of messages.
func conversation(v rawjson.Value) bool {
	i := rawjson.SkipSpace(v, 1)
	if i >= len(v) || v[i] != '{' {
		return false
	}
	o := v[i:rawjson.ValueEnd(v, i)].Object()
	return o.Get("role").IsString() && o.Get("uuid") == nil
}

// messages walks a conversation that is given whole.
func (r *Reader) messages(v rawjson.Value, s scope, depth int) { r.messagesOf(v.Each, s, depth) }

// messagesOf walks a conversation whose messages each yields in order.
func (r *Reader) messagesOf(each func(func(rawjson.Value)), s scope, depth int) {
	r.book.record.whole, r.book.record.prefix, r.book.record.times = true, 0, map[string]int{}
	told := r.boundaries.clearingOf(s.session)
	told.uses = told.uses[:0]
	n := 0
	each(func(m rawjson.Value) {
		n++
		s.turn, s.inside = n, true
		r.walk(m, s, depth+1)
		r.book.record.prefix = chained(r.book.record.prefix, m)
	})
	r.book.record.count = n
	r.boundaries.markLost(r.book.record.lost, s, r.book.newest())
	r.book.record.lost = nil
}

// seed is of the hashes of conversations, which are compared within one run only.
var seed = maphash.MakeSeed()

// chained adds a message to the hash of a conversation. Only what does not change when the
// history is sent again counts: not the texts of results, which may be cleared, and no marks for caching.
// Texts count as they are spelled, since one program writes all of a file.
func chained(prefix uint64, m rawjson.Value) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	add := func(v rawjson.Value) {
		_, _ = h.Write(v) // a hash never fails
		_ = h.WriteByte(0)
	}
	add(strconv.AppendUint(nil, prefix, 16))
	o := m.Object()
	role := o.Get("role")
	add(role)
	content := o.Get("content")
	if content.IsString() && string(role) != `"tool"` {
		add(content)
	}
	content.Each(func(b rawjson.Value) {
		block := b.Object()
		if string(block.Get("type")) == `"text"` {
			add(block.Get("text"))
		}
		add(block.Get("id"))
		add(block.Get("tool_use_id"))
	})
	o.Get("tool_calls").Each(func(c rawjson.Value) { add(c.Object().Get("id")) })
	add(o.Get("tool_call_id"))
	return h.Sum64()
}
