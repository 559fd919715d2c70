package transcript

import (
	"bytes"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// book holds the calls that were found, each once. It finds the call that is meant when a file has it again: in the next
// request of a log, in a copy of a session, or by its result.
type book struct {
	list   []*Call // in the order in which they were found
	record record  // of the file, under way
	// own is the size of the current record where its buffer is not reused, in bytes; 0: it is overwritten.
	own     int
	reused  int               // ids that were used for another call
	calls   map[string]*Call  // by identity
	latest  map[string]*Call  // by conversation and id
	unique  map[string]*Call  // by id, where that is unique by itself
	waiting map[string]int    // ids of calls without a result
	prefix  string            // with which all of them begin
	version int               // of waiting
	others  map[string]bool   // calls of other memory tools, by identity
	lost    map[*Call]bool    // whose results were reported, and then cleared
	twins   map[*Call][]*Call // the same call with other results, in other conversations
}

func newBook() book {
	return book{
		calls: map[string]*Call{}, latest: map[string]*Call{}, unique: map[string]*Call{},
		waiting: map[string]int{}, others: map[string]bool{}, lost: map[*Call]bool{},
		twins: map[*Call][]*Call{},
	}
}

// random distinguishes ids that are unique by themselves from those that a server counts up in
// each conversation: 16 characters after the prefix, no run of zeros, and of digits, capital and small
// letters at least two kinds, of which letters are one.
func random(id string) bool {
	tail := id[strings.LastIndexAny(id, "_:")+1:]
	if len(tail) < 16 || strings.Contains(tail, "0000") {
		return false
	}
	digits, capitals, small := 0, 0, 0
	for _, c := range []byte(tail) {
		switch {
		case '0' <= c && c <= '9':
			digits = 1
		case 'A' <= c && c <= 'Z':
			capitals = 1
		case 'a' <= c && c <= 'z':
			small = 1
		}
	}
	return capitals+small > 0 && digits+capitals+small > 1
}

// identity is the same for all places of a file that tell of one call.
func (b *book) identity(id string, input []byte, s scope) string {
	h := fnv.New64a()
	_, _ = h.Write(rawjson.Canonical(input)) // a hash never fails
	key := id + "\x00" + strconv.FormatUint(h.Sum64(), 16)
	if random(id) {
		return key
	}
	key += "\x00" + s.session
	if !b.record.whole {
		return key + "\x001"
	}
	if s.session == "" {
		key += "\x00" + strconv.FormatUint(b.record.prefix, 16)
	}
	b.record.times[key]++
	return key + "\x00" + strconv.Itoa(b.record.times[key])
}

// add takes a call of ours unless it is known already.
func (b *book) add(c *Call, s scope) {
	key := b.identity(c.ID, c.Input, s)
	known := b.calls[key]
	if known == nil && s.inside && strings.HasSuffix(key, "\x001") {
		// Dumps have a call by itself, and then the conversation that it is in.
		if known = b.record.alone[c.ID+string(rawjson.Canonical(c.Input))]; known != nil {
			b.calls[key] = known
		}
	}
	if known != nil && !b.record.whole && !random(c.ID) && known.Result != nil && s.session == "" {
		known = nil // the id is used again
	}
	inConversation := s.session + "\x00" + c.ID
	if known == nil {
		if known = b.inputLost(c, b.latest[inConversation]); known != nil {
			b.calls[key] = known
		}
	}
	if known == nil {
		// What a stream began and did not end may be told whole later.
		if half := b.latest[inConversation]; half != nil && half.Cut && !c.Cut && half.Result == nil && half.Tool == c.Tool {
			half.Input, half.Cut, known = b.kept(c.Input), false, half
			b.calls[key] = half
		}
	}
	if known == nil {
		if random(c.ID) && b.unique[c.ID] != nil {
			b.reused++
		}
		c.Input = b.kept(c.Input)
		known = c
		b.list = append(b.list, c)
		b.calls[key] = c
		b.await(c.ID)
		if random(c.ID) {
			b.unique[c.ID] = c
		}
	}
	known.complete(c)
	b.latest[inConversation] = known
	b.record.latest[c.ID] = known
	if !s.inside && !random(c.ID) {
		if b.record.alone == nil {
			b.record.alone = map[string]*Call{}
		}
		b.record.alone[c.ID+string(rawjson.Canonical(c.Input))] = known
	}
	if a, ok := b.record.orphans[c.ID]; ok {
		b.answered(a, s)
	}
}

// inputLost is the earlier record of a call, where one of the two inputs holds a placeholder: the
// whole input is kept. Nil: it is another call.
func (b *book) inputLost(c, told *Call) *Call {
	if told == nil {
		told = b.unique[c.ID]
	}
	if told == nil || c.ID == "" || told.Tool != c.Tool || told.Family != Memory || len(c.Input)+len(told.Input) > rawjson.LongValue {
		return nil
	}
	now, err := memstore.DecodeCommand(c.Input)
	old, oldErr := memstore.DecodeCommand(told.Input)
	if err != nil || oldErr != nil || now.Name != old.Name || now.Path != old.Path || lostInput(now) == lostInput(old) {
		return nil
	}
	if lostInput(old) {
		told.Input = bytes.Clone(c.Input)
	}
	return told
}

// complete adds what another place in the file records about the call besides its input.
func (c *Call) complete(again *Call) {
	if c.Turn == 0 {
		c.Turn = again.Turn
	}
	if c.Model == "" {
		c.Model = again.Model
	}
}

// await notes that a call has no result.
func (b *book) await(id string) {
	if len(b.waiting) == 0 {
		b.prefix = id
	}
	same := 0
	for same < min(len(id), len(b.prefix)) && id[same] == b.prefix[same] {
		same++
	}
	b.prefix = b.prefix[:same]
	b.waiting[id]++
	b.version++
}

// served notes that a call has its result.
func (b *book) served(id string) {
	if b.waiting[id]--; b.waiting[id] <= 0 {
		delete(b.waiting, id)
	}
	b.version++
}

// other counts a call of another tool that is called memory.
func (b *book) other(m format.Call, s scope) {
	b.others[b.identity(m.ID, m.Input, s)] = true
}

// longestPlaceholder is how long the substitute for a cleared result may be as JSON, in bytes.
const longestPlaceholder = 8 << 10

// answered takes the result of a call of any tool. One that a call of ours has already stays, unless it was cleared;
// logs tell results again and again, so they are not taken apart before.
func (b *book) answered(a format.Result, s scope) {
	c, here := b.record.latest[a.ID]
	if !here {
		if c = b.latest[s.session+"\x00"+a.ID]; c == nil {
			c = b.unique[a.ID]
		}
	}
	if c == nil {
		b.record.loose = b.record.loose || !here
		return
	}
	b.give(c, a, s)
}

// told reports whether a call with an id is known in a session.
func (b *book) told(id string, s scope) bool {
	return b.record.latest[id] != nil || b.latest[s.session+"\x00"+id] != nil || random(id) && b.unique[id] != nil
}

// give sets the result of a call.
func (b *book) give(c *Call, a format.Result, s scope) {
	if c.Result != nil && len(a.Content) > longestPlaceholder && !isCleared(c.Result.Text) {
		return
	}
	res := keptResult(a)
	switch {
	case c.Result == nil:
		b.served(c.ID)
	case !isCleared(c.Result.Text) || isCleared(res.Text):
		switch {
		case isCleared(res.Text) && !isCleared(c.Result.Text):
			b.cleared(c)
		case b.record.whole && s.session == "" && !random(c.ID) && !sameResult(c.Result.Text, res.Text):
			b.another(c, res)
		}
		return
	}
	res.Raw = b.kept(res.Raw)
	c.Result = res
	if s.extra != nil {
		c.extra = b.kept(s.extra)
	}
}

// another takes the result of a call that was made in another conversation with the same beginning, where ids are counted up.
func (b *book) another(c *Call, res *Result) {
	for _, twin := range b.twins[c] {
		if sameResult(twin.Result.Text, res.Text) {
			b.record.latest[c.ID] = twin
			return
		}
	}
	twin := *c
	res.Raw = b.kept(res.Raw)
	twin.Result, twin.Source, twin.extra = res, b.record.at, nil
	b.twins[c] = append(b.twins[c], &twin)
	b.list = append(b.list, &twin)
	b.record.latest[c.ID] = &twin
}

// markerMost is how long what a program puts at the end of a result that it shortens may be, in bytes.
const markerMost = 80

// sameResult reports whether two texts are one result: told again, it may be shortened.
func sameResult(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < len(b) && len(a) > 2*markerMost {
		a = a[:len(a)-markerMost]
		return strings.HasPrefix(b, a)
	}
	return a == b
}

// cleared records a result that was reported before and is a placeholder now.
func (b *book) cleared(c *Call) {
	if !b.lost[c] {
		b.lost[c] = true
		b.record.lost = append(b.record.lost, c)
	}
}

// orphan keeps a result until the call that comes after it in the record is found.
func (b *book) orphan(a format.Result) {
	if b.record.orphans == nil {
		b.record.orphans = map[string]format.Result{}
	}
	b.record.orphans[a.ID] = a
}

// newest is the call that was found last; nil for none.
func (b *book) newest() *Call {
	if len(b.list) == 0 {
		return nil
	}
	return b.list[len(b.list)-1]
}

// kept is a part of the record under way, to be kept: a copy, since the record is read over, except for most of a record
// that has its bytes to itself.
func (b *book) kept(v []byte) []byte {
	if len(v) > b.own/2 && b.own > 0 {
		return v
	}
	return bytes.Clone(v)
}

// cleared are the placeholders that take the place of old results.
var cleared = regexp.MustCompile(`(?i)^\s*\[(old )?(tool )?(result|use|output)?\s*(content )?cleared[^\]]*\]\s*$`)

func isCleared(text string) bool { return len(text) < 200 && cleared.MatchString(text) }
