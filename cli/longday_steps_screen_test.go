//go:build linux

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

// overCap is in the refusal of what passes a cap of the store, which names no path. Another step sets one, and the interface has
// it a moment longer.
const overCap = "The memory would have"

// result waits for the answer of a memory command about a path that was given at the prompt.
func (s *dayScreen) result(command, p string) (text string, ok bool) {
	got := s.until(dayPatience, func(screen string) string {
		for _, end := range []string{": done ━", ": error ━"} {
			box, rest, found := strings.Cut(screen, "━ "+command+end)
			if found && box != "" && (strings.Contains(rest, p) || strings.Contains(rest, overCap)) {
				return end
			}
		}
		return ""
	})
	if got == "" {
		s.w.failf("%s %s has no answer:\n%s", command, p, s.everything())
	}
	return s.text(), got == ": done ━"
}

// stepScreenEdit creates, changes and deletes notes at the prompt of the interface.
func (w *world) stepScreenEdit(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	done := 0
	for range 2 + r.IntN(3) {
		s.home()
		p := w.newPath(r)
		if w.screenCreate(s, p, w.token()) {
			done++
		}
		if r.IntN(2) == 0 {
			s.home()
			word := w.token()
			s.line(fmt.Sprintf(`insert %s 0 "%s\n"`, p, word))
			if text, ok := s.result("insert", p); ok {
				w.mark("curator", p)
				done++
			} else if !strings.Contains(text, p) && !strings.Contains(text, overCap) {
				w.failf("an insert is refused without a sentence:\n%s", text)
			}
		}
	}
	s.home()
	return doneOr(done, "every edit was refused")
}

// screenCreate makes a note at the prompt.
func (w *world) screenCreate(s *dayScreen, p, word string) bool {
	s.line(fmt.Sprintf(`create %s "%s\nEND\n"`, p, word))
	text, ok := s.result("create", p)
	if ok {
		w.mark("curator", p)
		if data, err := os.ReadFile(w.disk(p)); err != nil || string(data) != word+"\nEND\n" {
			w.failf("the interface says that %s is made, and it holds %.80q (%v)\n%s", p, data, err, text)
		}
	} else if !strings.Contains(text, p) && !strings.Contains(text, overCap) {
		w.failf("a create is refused without a sentence:\n%s", text)
	}
	return ok
}

// stepScreenUndo makes a note in the interface and undoes that by its key; agents have worked in between.
func (w *world) stepScreenUndo(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	s.home()
	p := w.newPath(r)
	if !w.screenCreate(s, p, w.token()) {
		return dayRefused, "the note could not be made"
	}
	if r.IntN(2) == 0 {
		w.work(w.agent(r.IntN(4)), r, 3)
	}
	s.home()
	s.press("u")
	if got := s.heard("what became of the undo", "undone", "Undid", "[y] Undo"); got == "[y] Undo" {
		s.press("y")
		s.heard("what became of the undo", "undone", "Undid")
	}
	w.mark("curator", p)
	w.note("interface: u")
	if _, err := os.Stat(w.disk(p)); err == nil {
		w.failf("%s was undone, and is there:\n%s", p, s.everything())
	}
	s.home()
	if r.IntN(2) == 0 {
		s.press("\x12") // ctrl+r
		if got := s.heard("what became of the redo", "done again", "Redid", "[y] Redo"); got == "[y] Redo" {
			s.press("y")
		}
		s.until(dayPatience, func(string) string {
			if _, err := os.Stat(w.disk(p)); err == nil {
				return "there"
			}
			return ""
		})
		w.note("interface: ctrl+r")
		if _, err := os.Stat(w.disk(p)); err != nil {
			w.failf("%s was done again, and is not there:\n%s", p, s.everything())
		}
	}
	return dayOK, ""
}

// stepScreenPurge purges every secret on the Secrets screen, while agents live. Then they go on.
func (w *world) stepScreenPurge(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	s.home()
	p := w.leak(r)
	if r.IntN(4) > 0 { // then the interface is the only process that has the journal open for long
		w.dismiss()
	}
	before := w.snapshot()
	s.acceptAll(p)
	s.press("p")
	s.await("the word before a purge", "Type purge to confirm")
	s.press("purge\r")
	w.note("interface: purge")
	w.markChanged(before)
	ended := s.heard("what became of the purge", "Verified:", "━ Purge report ━", "Can't ")
	text := s.text()
	s.home()
	out, why := dayOK, ""
	if ended != "Verified:" && !strings.Contains(text, "Verified:") {
		out, why = dayRefused, "purge: "+rowWith(text, "LEFT")+rowWith(text, "Can't ")
	} else {
		w.purgedNow()
	}
	w.journalHeld()
	// The day goes on beside the open interface.
	for range 4 {
		a := w.hire(r.IntN(3))
		w.work(a, r, 2)
		a.close()
	}
	w.screenCreate(s, w.newPath(r), w.token())
	s.home()
	if r.IntN(2) == 0 {
		w.quitScreen()
	}
	return out, why
}

// acceptAll opens the list of secrets, selects all of them once a note is listed, and has the question asked before they are removed.
func (s *dayScreen) acceptAll(p string) {
	s.press("6")
	for range 20 {
		s.await("the list of secrets", " value, ", " values, ", "No secrets")
		s.press("+") // unfolds the places
		if s.until(2*time.Second, func(screen string) string { return rowWith(screen, strings.TrimPrefix(p, "/memories/")) }) != "" {
			break
		}
		s.press("\x1b[15~") // f5: what the agent has just written counts
	}
	for range 20 {
		s.press("\x01") // ctrl+a; pressed again if another key selected nothing, or the list was being reread
		all := s.until(2*time.Second, func(screen string) string {
			if strings.Contains(screen, "[ ]") || !strings.Contains(screen, " selected of ") {
				return ""
			}
			return "all"
		})
		if all == "" {
			continue
		}
		s.press("a")
		if s.until(10*time.Second, func(screen string) string { return rowWith(screen, "Purge everywhere") }) != "" {
			return
		}
	}
	s.await("the question before a purge", "Purge everywhere")
}

// stepScreenTravel goes to a point in time, looks around, and comes back.
func (w *world) stepScreenTravel(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	s.home()
	if w.checked == 0 {
		w.work(w.agent(0), r, 4)
		w.check()
	}
	rev := 1 + r.Int64N(max(w.checked, 1))
	s.line(fmt.Sprintf("at %d", rev))
	past := fmt.Sprintf("PAST  #%d ", rev)
	if s.await("the past", past, "No revision", "not in the journal", "There is no") != past {
		return dayRefused, "travel: " + s.said()
	}
	s.press("jj\r") // to a note, and into it
	s.press("<")
	if r.IntN(2) == 0 { // an edit in the past is refused with a sentence, or asks to come back
		s.press("d")
	}
	s.line("at now")
	s.until(dayPatience, func(screen string) string {
		if strings.Contains(screen, "PAST  ") {
			s.press(escape)
			return ""
		}
		return "now"
	})
	if strings.Contains(s.text(), "PAST  ") {
		w.failf("the interface does not come back from the past:\n%s", s.everything())
	}
	s.home()
	return dayOK, ""
}

// stepScreenLeave quits the interface; the next step that needs it starts it again.
func (w *world) stepScreenLeave(r *rand.Rand) (dayOutcome, string) {
	w.interfaced()
	w.work(w.agent(r.IntN(4)), r, 2)
	w.quitScreen()
	if r.IntN(2) == 0 {
		w.interfaced()
	}
	return dayOK, ""
}

// rowWith is the row of a screen with a text, without its frame.
func rowWith(screen, text string) string {
	for row := range strings.Lines(screen) {
		if strings.Contains(row, text) {
			return strings.Trim(row, " ┃│\n")
		}
	}
	return ""
}

// stepScreenApply selects everything that rules propose on the Curate screen, applies it, and undoes that by its key.
func (w *world) stepScreenApply(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	s.home()
	due := w.expire(2+r.IntN(3), r.IntN(3))
	s.press("3")
	s.await("the Curate screen", "proposals")
	all := 0 // what was undone, or left by a kill, is due still
	for p := range w.snapshot() {
		if below(p, "/memories/expired") {
			all++
		}
	}
	listed := func(screen string) string { // limits may be among what the rules propose
		row := rowWith(screen, "Your rules")
		_, rest, _ := strings.Cut(row, "Your rules")
		var count int
		if _, err := fmt.Sscan(rest, &count); err != nil || count < all {
			return ""
		}
		return row
	}
	if s.until(dayPatience, listed) == "" {
		w.failf("%d notes are due, and the Curate screen shows others:\n%s", all, s.everything())
	}
	s.press("g ") // the heading of the rules selects what they propose
	s.await("what is selected", " selected of ", " selected: ")
	before := w.snapshot()
	w.markChanged(before)
	w.bymore("/memories/archive")
	s.press("a")
	s.await("the question before an apply", "[y] Apply")
	s.press("y")
	w.note("interface: apply")
	s.until(dayPatience, func(string) string {
		for _, p := range due {
			if _, err := os.Stat(w.disk(p)); err == nil {
				return ""
			}
		}
		return "gone"
	})
	s.heard("what was applied", "Applied ", "Archived ", "Deleted ")
	for _, p := range due {
		if _, err := os.Stat(w.disk(p)); err == nil {
			w.failf("%s was applied, and is there:\n%s", p, s.everything())
		}
		w.mark("curator", p)
	}
	if r.IntN(3) > 0 {
		s.press("u")
		if got := s.heard("what became of the undo", "undone", "Undid", "[y] Undo"); got == "[y] Undo" {
			s.press("y")
			s.heard("what became of the undo", "undone", "Undid")
		}
		w.note("interface: u")
		if d := differences("before", before, "after apply and undo", w.snapshot()); len(d) > 0 {
			w.failf("an apply cannot be undone: %s\n%s", strings.Join(d, "; "), s.everything())
		}
	}
	s.home()
	return dayOK, ""
}

// bymore allows a curator's revisions below these paths.
func (w *world) bymore(paths ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range paths {
		w.bymany[p] = true
	}
}

// stepScreenTrash restores the newest deletion from the Trash screen.
func (w *world) stepScreenTrash(r *rand.Rand) (dayOutcome, string) {
	s := w.interfaced()
	s.home()
	trash := func() {
		s.press("5")
		s.await("the Trash screen", "━ trash")
	}
	before := r.IntN(2) == 0
	if before { // it is listed where nothing else happens, although it comes and goes before the watch looks
		trash()
	}
	a, p := w.agent(r.IntN(4)), w.newPath(r)
	a.does(dayCommand{Command: "create", Path: p, FileText: w.body(r)})
	if e, _ := a.does(dayCommand{Command: "delete", Path: p}); e.state != dayDone {
		return dayRefused, "the note could not be deleted"
	}
	if !before {
		trash()
	}
	s.press("f" + strings.Split(p, "/")[2] + "\r")
	s.await("the note in the trash", strings.TrimPrefix(p, "/memories/"))
	s.press("R")
	w.note("interface: restore of %s", p)
	for range 20 {
		got := s.until(3*time.Second, func(screen string) string {
			if _, err := os.Stat(w.disk(p)); err == nil {
				return "there"
			}
			if strings.Contains(screen, ":restore-as") {
				return "taken"
			}
			return ""
		})
		if got == "there" {
			break
		}
		// The list is still being filtered, or the tree does not know yet that the note is gone, so that the interface asks
		// for another name.
		if got == "taken" {
			s.press(escape)
		}
		s.await("the Trash screen", "━ trash")
		w.bymore("/memories") // perhaps the first key had its effect, and this one is for the next row
		s.press("R")
	}
	if _, err := os.Stat(w.disk(p)); err != nil {
		w.failf("%s does not come back from the trash:\n%s", p, s.everything())
	}
	w.mark("curator", p)
	s.home()
	return dayOK, ""
}
