package viewer

import (
	"fmt"
	"testing"
)

func TestSpotsKeepTheTextsReadLast(t *testing.T) {
	var kept spots
	path := func(i int) string { return fmt.Sprintf("/memories/%d.md", i) }
	for i := range spotsKept + 1 {
		kept.note(Spot{Path: path(i), Line: i + 1}, false)
	}
	if _, ok := kept.of(path(0)); ok || len(kept) != spotsKept {
		t.Errorf("%d places are kept, the oldest among them: %v", len(kept), ok)
	}
	kept.note(Spot{Path: path(1), Line: 7}, false)
	if s := kept[0]; s.Path != path(1) || s.Line != 7 || len(kept) != spotsKept {
		t.Errorf("of %d places the newest is %+v", len(kept), s)
	}
	kept.note(Spot{Path: path(1)}, true)
	if s, ok := kept.of(path(1)); ok {
		t.Errorf("a text at its start is kept at %+v", s)
	}
}
