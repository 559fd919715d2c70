package ccmemory

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// exportVersion is that of the form of the program's exports.
const exportVersion = "1.0.0"

// exported is the program's own form of an export. It has no room for expired items, what is derived from episodes, and what agents share.
type exported struct {
	Version     string                     `json:"version"`
	ExportedAt  int64                      `json:"exportedAt"`
	Working     []workingJSON              `json:"working"`
	Episodic    []episodeJSON              `json:"episodic"`
	Transcripts map[string]json.RawMessage `json:"transcripts,omitempty"`
	Semantic    semanticJSON               `json:"semantic"`
}

type workingJSON struct {
	ID       string          `json:"id"`
	Key      string          `json:"key"`
	Type     string          `json:"type"`
	Value    json.RawMessage `json:"value"`
	Metadata lifetimeJSON    `json:"metadata"`
	Tags     []string        `json:"tags"`
}

type lifetimeJSON struct {
	Created  Millis `json:"createdAt"`
	Updated  Millis `json:"updatedAt"`
	Expires  Millis `json:"expiresAt"`
	Session  string `json:"sessionId"`
	Priority string `json:"priority"`
}

type episodeJSON struct {
	ID              string          `json:"id"`
	Timestamp       Millis          `json:"timestamp"`
	Type            string          `json:"type"`
	Summary         string          `json:"summary"`
	Details         string          `json:"details"`
	Context         json.RawMessage `json:"context"`
	Outcome         json.RawMessage `json:"outcome,omitempty"`
	RelatedEpisodes []string        `json:"relatedEpisodes"`
	RelatedEntities []string        `json:"relatedEntities"`
	Importance      float64         `json:"importance"`
	AccessCount     int             `json:"accessCount"`
	LastAccessed    Millis          `json:"lastAccessed"`
	Tags            []string        `json:"tags"`
	Valence         float64         `json:"valence"`
	Arousal         float64         `json:"arousal"`
}

type semanticJSON struct {
	Entities  []entityJSON   `json:"entities"`
	Relations []relationJSON `json:"relations"`
}

type entityJSON struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Type         string          `json:"type"`
	Description  string          `json:"description"`
	Content      json.RawMessage `json:"content,omitempty"`
	Procedure    json.RawMessage `json:"procedure,omitempty"`
	Observations []string        `json:"observations"`
	Confidence   float64         `json:"confidence"`
	Source       string          `json:"source"`
	Created      Millis          `json:"createdAt"`
	Updated      Millis          `json:"updatedAt"`
	Version      int             `json:"version"`
	Tags         []string        `json:"tags"`
}

type relationJSON struct {
	ID       string          `json:"id"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Type     string          `json:"relationType"`
	Strength float64         `json:"strength"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Created  Millis          `json:"createdAt"`
}

// LeftOut counts what an export has no room for, and what the program doesn't take from one.
type LeftOut struct {
	Expired   int // items of working memory
	Derived   int // patterns, insights and wisdom
	Shared    int // what agents share
	Orphans   int // transcripts without an episode: the program exports them, but imports none
	Relations int // that lead to no entity: likewise
}

// Export returns the memory in the program's own form of exports, and what is not in it.
func (m *Memory) Export(now time.Time) ([]byte, LeftOut, error) {
	live := m.live(now)
	out := exported{Version: exportVersion, ExportedAt: now.UnixMilli(), Working: []workingJSON{}, Episodic: []episodeJSON{},
		Transcripts: map[string]json.RawMessage{}, Semantic: semanticJSON{[]entityJSON{}, []relationJSON{}}}
	left := LeftOut{Expired: len(m.Working) - len(live), Derived: len(m.Patterns) + len(m.Insights) + len(m.Wisdom), Shared: len(m.Shared)}
	for _, w := range live {
		out.Working = append(out.Working, workingJSON{w.ID, w.Key, w.Type, or(w.Value, "{}"),
			lifetimeJSON{w.Created, w.Updated, w.Expires, w.Session, w.Priority}, full(w.Tags)})
	}
	episodes := map[string]bool{}
	for _, e := range m.Episodes {
		episodes[e.ID] = true
		out.Episodic = append(out.Episodic, episodeJSON{e.ID, e.Timestamp, e.Type, e.Summary, e.Details, or(e.Context, "{}"), e.Outcome,
			full(e.RelatedEpisodes), full(e.RelatedEntities), e.Importance, e.AccessCount, e.LastAccessed, full(e.Tags), e.Valence, e.Arousal})
	}
	for _, t := range m.Transcripts {
		out.Transcripts[t.EpisodeID] = or(t.Messages, "[]")
		if !episodes[t.EpisodeID] {
			left.Orphans++
		}
	}
	entities := map[string]bool{}
	for _, e := range m.Entities {
		entities[e.ID] = true
		out.Semantic.Entities = append(out.Semantic.Entities, entityJSON{e.ID, e.Name, e.Type, e.Description, e.Content, e.Procedure,
			full(e.Observations), e.Confidence, e.Source, e.Created, e.Updated, e.Version, full(e.Tags)})
	}
	for _, r := range m.Relations {
		out.Semantic.Relations = append(out.Semantic.Relations, relationJSON(r))
		if !entities[r.From] || !entities[r.To] {
			left.Relations++
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), left, err
}

func or(value json.RawMessage, missing string) json.RawMessage {
	if value == nil {
		return json.RawMessage(missing)
	}
	return value
}

func full(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// errNoExport means that a file is not an export of the program.
var errNoExport = errors.New("no export of cc-memory")

// isExport reports by its beginning whether a text may be an export of the program.
func isExport(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"exportedAt"`))
}

// ParseExport reads an export of the program.
func ParseExport(data []byte) (*Memory, error) {
	var in exported
	if err := json.Unmarshal(data, &in); err != nil || in.Version == "" || in.ExportedAt == 0 {
		return nil, errNoExport
	}
	m := &Memory{}
	put := func(t *table, values map[string]any) {
		for column, v := range values {
			if j, ok := v.(json.RawMessage); ok && j == nil {
				values[column] = nil
			}
		}
		for _, c := range t.columns {
			if _, ok := values[c.name]; !ok {
				values[c.name] = c.missing
			}
		}
		r := rowWith(t, values)
		if t == transcriptTable {
			r.measured()
		}
		m.rows = append(m.rows, r)
		m.add(r)
	}
	slices.SortFunc(in.Working, func(a, b workingJSON) int { return cmp.Compare(a.ID, b.ID) })
	for _, w := range in.Working {
		put(workingTable, map[string]any{"id": w.ID, "key": w.Key, "type": w.Type, "value": blankless(w.Value), "session_id": w.Metadata.Session,
			"priority": w.Metadata.Priority, "tags": w.Tags, "created_at": int64(w.Metadata.Created), "updated_at": int64(w.Metadata.Updated),
			"expires_at": int64(w.Metadata.Expires)})
	}
	for _, e := range in.Episodic {
		put(episodeTable, map[string]any{"id": e.ID, "timestamp": int64(e.Timestamp), "type": e.Type, "summary": e.Summary, "details": e.Details,
			"context": blankless(e.Context), "outcome": blankless(e.Outcome), "related_episodes": e.RelatedEpisodes,
			"related_entities": e.RelatedEntities,
			"importance":       e.Importance, "access_count": int64(e.AccessCount), "last_accessed": int64(e.LastAccessed), "tags": e.Tags,
			"created_at": int64(e.Timestamp), "valence": e.Valence, "arousal": e.Arousal})
		if t := blankless(in.Transcripts[e.ID]); t != nil {
			put(transcriptTable, map[string]any{"id": "tr_" + e.ID, "episode_id": e.ID, "transcript": t, "created_at": int64(e.Timestamp)})
		}
	}
	for _, e := range in.Semantic.Entities {
		put(entityTable, map[string]any{"id": e.ID, "name": e.Name, "type": e.Type, "description": e.Description, "content": blankless(e.Content),
			"procedure": blankless(e.Procedure), "observations": e.Observations, "confidence": e.Confidence, "source": e.Source,
			"version": int64(e.Version), "tags": e.Tags, "created_at": int64(e.Created), "updated_at": int64(e.Updated)})
	}
	for _, r := range in.Semantic.Relations {
		put(relationTable, map[string]any{"id": r.ID, "from_entity": r.From, "to_entity": r.To, "relation_type": r.Type, "strength": r.Strength,
			"metadata": blankless(r.Metadata), "created_at": int64(r.Created)})
	}
	return m, nil
}

// exportAhead is how much of a file says whether it is an export: its time comes second.
const exportAhead = 256

// ExportAdapter opens exports of the program, to look at.
var ExportAdapter = adapt.Adapter{Kind: "cc-memory", Program: "cc-memory", Recognize: recognizeExport, Open: openExport}

func recognizeExport(path string) bool {
	f, err := quietfile.Open(path, 0)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	head := make([]byte, exportAhead)
	n, _ := io.ReadFull(f, head) // a short file is looked at, too
	return isExport(head[:n])
}

func openExport(path string) (adapt.Source, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, backend.ErrUnavailable
	}
	return exportFile(path), nil
}

// exportFile is an export on disk.
type exportFile string

// Files implements [adapt.Source].
func (f exportFile) Files() []string { return []string{string(f)} }

// Close implements [adapt.Source]. Nothing is held open.
func (exportFile) Close() error { return nil }

// Read implements [adapt.Source].
func (f exportFile) Read(context.Context) (*adapt.Image, error) {
	in, err := quietfile.Open(string(f), 0)
	if err != nil {
		return nil, because(fmt.Errorf("%w: %w", backend.ErrUnavailable, err), "The export can't be read")
	}
	defer func() { _ = in.Close() }() // it was only read
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, because(fmt.Errorf("%w: %w", backend.ErrUnavailable, err), "The export can't be read")
	}
	m, err := ParseExport(data)
	if err != nil {
		return nil, because(backend.ErrDamaged, "The file is not an export of cc-memory, or only half of one was written")
	}
	sum := sha256.Sum256(data)
	image := lay(m, hex.EncodeToString(sum[:])).image
	image.ReadOnly = "This is an export: import it into a database of cc-memory to change its records"
	return image, nil
}

// blankless is JSON as the database has it; nil stays nil.
func blankless(j json.RawMessage) json.RawMessage {
	if j == nil {
		return nil
	}
	c, _ := compact(string(j)) // it was just parsed
	out, _ := c.(json.RawMessage)
	return out
}
