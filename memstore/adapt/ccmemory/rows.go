package ccmemory

import (
	"encoding/json"
	"sync"
	"time"
)

// Memory is what a database of cc-memory holds, as it is stored: expired items and orphans too. It doesn't change.
type Memory struct {
	Working      []Working
	Episodes     []Episode
	Transcripts  []Transcript
	Entities     []Entity
	Relations    []Relation
	Patterns     []Pattern
	Insights     []Insight
	Wisdom       []Wisdom
	Applications []Application
	Shared       []Shared
	// Problems say what could not be read, a sentence each.
	Problems []string
	readOnly string // why nothing may be changed; "" if edits are possible
	types    sync.Once
	rows     []row // of every table that is shown, in the order of the tables and of their IDs
}

// Millis is a time as the program stores it: milliseconds since 1970. 0 means never.
type Millis int64

// Time returns the time, zero for never.
func (m Millis) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// millisOf is the inverse of Time.
func millisOf(t time.Time) Millis {
	if t.IsZero() {
		return 0
	}
	return Millis(t.UnixMilli())
}

// In all rows: a JSON column is its text without needless spaces, nil if the column is NULL; a list is nil if the column is NULL, empty if
// it is "[]". Columns that an older version of the program lacks have the default of the newer one.

// Working is a row of working_memory.
type Working struct {
	ID, Key, Type, Session, Priority string
	Value                            json.RawMessage
	Tags                             []string
	Created, Updated, Expires        Millis
}

// Expired reports whether the program no longer shows the item.
func (w Working) Expired(now time.Time) bool { return int64(w.Expires) <= now.UnixMilli() }

// Episode is a row of episodic_memory.
type Episode struct {
	ID, Type, Summary, Details       string
	Timestamp, Created, LastAccessed Millis
	Context                          json.RawMessage
	Outcome                          json.RawMessage // {"status","learnings","resolution"}
	RelatedEpisodes, RelatedEntities []string
	Importance                       float64 // from 1 to 10; decay stores fractions
	AccessCount                      int
	Tags                             []string
	Valence, Arousal, Stability      float64
}

// Outcome is the outcome of an episode, in its JSON.
type Outcome struct {
	Status     string   `json:"status"`
	Learnings  []string `json:"learnings"`
	Resolution *string  `json:"resolution,omitempty"`
}

// Transcript is a row of episode_transcripts.
type Transcript struct {
	ID, EpisodeID            string
	Messages                 json.RawMessage // a list
	MessageCount, TotalChars int
	Created                  Millis
}

// Entity is a row of semantic_entities.
type Entity struct {
	ID, Name, Type, Description, Source string
	Content, Procedure                  json.RawMessage
	Observations, Tags                  []string
	Confidence                          float64
	Version                             int
	Created, Updated                    Millis
}

// Relation is a row of semantic_relations.
type Relation struct {
	ID, From, To, Type string // From and To are IDs of entities
	Strength           float64
	Metadata           json.RawMessage
	Created            Millis
}

// Pattern is a row of patterns.
type Pattern struct {
	ID, Text, Status, SourceAgent               string
	Frequency                                   int
	Confidence                                  float64
	SupportingEpisodes, RelatedTags, AgentRoles []string
	Created, Updated                            Millis
}

// Insight is a row of insights.
type Insight struct {
	ID, Text, Reasoning, Status, SourceAgent, Level string
	Confidence, Novelty, Utility                    float64
	SourcePatterns, Domains, ValidatedBy            []string
	Created, Updated                                Millis
}

// Wisdom is a row of wisdom.
type Wisdom struct {
	ID, Name, Principle, Description, CreatedBy                 string
	DerivedFromInsights, DerivedFromPatterns, EvidenceEpisodes  []string
	Domains, Contexts, Limitations, Tags, ContributingAgents    []string
	RelatedWisdom, ContradictoryWisdom                          []string
	ValidationCount, SuccessfulApplications, FailedApplications int
	Confidence                                                  float64
	Version                                                     int
	Created, Updated                                            Millis
}

// Application is a row of wisdom_applications.
type Application struct {
	ID, WisdomID, EpisodeID, Context, Result, Feedback, AppliedBy string
	Applied                                                       Millis
}

// Shared is a row of shared_memory.
type Shared struct {
	ID, Key, Namespace, Owner string
	Value                     json.RawMessage
	Visibility, Tags          []string
	Created, Updated          Millis
}
