package simulation

import "slices"

// judge holds an answer against what was stored while its request was under
// way.
func (w *world) judge(one *delivery) {
	a, err := one.answer()
	if err != nil {
		w.fail("%s got an answer that cannot be read: %v", one.name, err)
	}
	w.say("%s ends: %d %s", one.name, one.recorder.Code, a.code)
	w.stats.count(a.code)
	r := one.request
	switch a.code {
	case "":
		w.judgeDone(one, a)
		r.answered = r.answered || w.rng.Float64() >= w.faults // or the reply was lost
	case "lost_race":
		w.judgeLost(one, a)
	case "conflict":
		w.judgeConflict(one)
		r.answered = true
	case "not_found":
		if w.absent[r.key] < one.began {
			w.fail("%s was told that %s is not there, and it was", one.name, r.key.Session)
		}
	default:
		if !one.faulty {
			w.fail("%s ends with %s, and nothing went wrong", one.name, a.code)
		}
	}
	if a.code != "" && a.last == authors[3] {
		w.fail("%s streamed its last event and then %s", one.name, a.code)
	}
	if !one.faulty {
		w.judgeTrips(one, a)
	}
}

// during are the sessions of a key that were there while one was under way,
// each a session at some of the time.
func (w *world) during(one *delivery) []*life {
	return slices.DeleteFunc(slices.Clone(w.past), func(l *life) bool {
		return l.key != one.request.key || l.ended > 0 && l.ended < one.began
	})
}

// judgeDone: what is answered is what is stored.
func (w *world) judgeDone(one *delivery, a answer) {
	r := one.request
	switch {
	case r.message():
		for _, l := range w.during(one) {
			for _, t := range l.turns {
				same := a.output == t.output || slices.Equal(a.ids, t.ids[1:])
				if same && t.request == r && (r.id != "" || slices.Contains(one.accepted, t)) {
					return
				}
			}
		}
		w.fail("%s was answered with what is not stored: %s", one.name, one.recorder.Body)
	case r.method == "POST":
		if one.created == nil {
			w.fail("%s was told that it created %s", one.name, r.key.Session)
		}
	case r.method == "DELETE":
		if w.absent[r.key] < one.began {
			w.fail("%s was told that it deleted %s", one.name, r.key.Session)
		}
	default:
		w.judgeShown(one, a)
	}
}

// judgeShown: what is shown of a session is how it was after one of its turns.
func (w *world) judgeShown(one *delivery, a answer) {
	for _, l := range w.during(one) {
		var ids []string
		shown := len(a.ids) == 0 && a.state.Output == nil
		for _, t := range l.turns {
			ids = append(ids, t.ids...)
			shown = shown || slices.Equal(a.ids, ids) && canonical(string(a.state.Output)) == t.output
		}
		if shown {
			return
		}
	}
	w.fail("%s was shown %s with %d events, as it never was", one.name, one.request.key.Session, len(a.ids))
}

// judgeLost: a turn that lost leaves nothing, and one that is stored is not
// said to have lost: not while its session is there for every clock.
func (w *world) judgeLost(one *delivery, a answer) {
	if len(one.accepted) > 0 {
		w.fail("%s was told that it lost, and is stored", one.name)
	}
	if one.faulty || len(a.ids) > 0 || one.request.id == "" || w.absent[one.request.key] >= one.began {
		return
	}
	if l := w.lives[one.request.key]; slices.ContainsFunc(l.turns, func(t *turn) bool { return t.request == one.request }) {
		w.fail("%s was told that it lost, and its message is stored", one.name)
	}
}

// judgeConflict: a creation is refused where there is a session, a message
// where its id stands for another.
func (w *world) judgeConflict(one *delivery) {
	r := one.request
	if len(one.accepted) > 0 || one.created != nil && !r.message() {
		w.fail("%s was refused, and something of it is stored", one.name)
	}
	for _, l := range w.during(one) {
		if !r.message() || slices.ContainsFunc(l.turns, func(t *turn) bool { return t.request.id == r.id && t.request != r }) {
			return
		}
	}
	w.fail("%s was refused for a conflict with nothing", one.name)
}

// judgeTrips: without a fault, a turn in a session that is there costs one
// read and one commit, and its answer again two reads.
func (w *world) judgeTrips(one *delivery, a answer) {
	if !one.request.message() || a.code != "" || one.created != nil || w.absent[one.request.key] >= one.began {
		return
	}
	got := [3]int{one.trips[loading], one.trips[committing], one.trips[readingEvents]}
	fresh, again, beaten := [3]int{1, 1, 0}, [3]int{1, 0, 1}, [3]int{2, 1, 1}
	if len(one.accepted) == 1 && got == fresh || len(one.accepted) == 0 && (got == again || got == beaten) {
		return
	}
	w.fail("%s took %d reads, %d commits and %d reads of events", one.name, got[0], got[1], got[2])
}
