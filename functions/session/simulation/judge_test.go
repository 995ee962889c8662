package simulation

import "slices"

// judge holds an answer against what was stored while its request was under
// way.
func (w *world) judge(delivery *delivery) {
	a, err := delivery.answer()
	if err != nil {
		w.fail("%s got an answer that cannot be read: %v", delivery.name, err)
	}
	w.say("%s ends: %d %s", delivery.name, delivery.recorder.Code, a.code)
	w.stats.count(a.code)
	r := delivery.request
	switch a.code {
	case "":
		w.judgeDone(delivery, a)
		r.answered = r.answered || w.rng.Float64() >= w.faults // or the reply was lost
	case "lost_race":
		w.judgeLost(delivery, a)
	case "conflict":
		w.judgeConflict(delivery)
		r.answered = true
	case "not_found":
		if w.absent[r.key] < delivery.began {
			w.fail("%s was told that %s is not there, and it was", delivery.name, r.key.Session)
		}
	default:
		if !delivery.faulty {
			w.fail("%s ends with %s, and nothing went wrong", delivery.name, a.code)
		}
	}
	if a.code != "" && a.last == authors[3] {
		w.fail("%s streamed its last event and then %s", delivery.name, a.code)
	}
	if !delivery.faulty {
		w.judgeTrips(delivery, a)
	}
}

// during are the sessions of a key that were there while one was under way,
// each a session at some of the time.
func (w *world) during(delivery *delivery) []*life {
	return slices.DeleteFunc(slices.Clone(w.past), func(l *life) bool {
		return l.key != delivery.request.key || l.ended > 0 && l.ended < delivery.began
	})
}

// judgeDone: what is answered is what is stored.
func (w *world) judgeDone(delivery *delivery, a answer) {
	r := delivery.request
	switch {
	case r.message():
		for _, l := range w.during(delivery) {
			for _, t := range l.turns {
				same := a.output == t.output || slices.Equal(a.ids, t.ids[1:])
				if same && t.request == r && (r.id != "" || slices.Contains(delivery.accepted, t)) {
					return
				}
			}
		}
		w.fail("%s was answered with what is not stored: %s", delivery.name, delivery.recorder.Body)
	case r.method == "POST":
		if delivery.created == nil {
			w.fail("%s was told that it created %s", delivery.name, r.key.Session)
		}
	case r.method == "DELETE":
		if w.absent[r.key] < delivery.began {
			w.fail("%s was told that it deleted %s", delivery.name, r.key.Session)
		}
	default:
		w.judgeShown(delivery, a)
	}
}

// judgeShown: what is shown of a session is how it was after one of its turns.
func (w *world) judgeShown(delivery *delivery, a answer) {
	for _, l := range w.during(delivery) {
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
	w.fail("%s was shown %s with %d events, as it never was", delivery.name, delivery.request.key.Session, len(a.ids))
}

// judgeLost: a turn that lost leaves nothing, and one that is stored is not
// said to have lost: not while its session is there for every clock.
func (w *world) judgeLost(delivery *delivery, a answer) {
	if len(delivery.accepted) > 0 {
		w.fail("%s was told that it lost, and is stored", delivery.name)
	}
	if delivery.faulty || len(a.ids) > 0 || delivery.request.id == "" || w.absent[delivery.request.key] >= delivery.began {
		return
	}
	if l := w.lives[delivery.request.key]; slices.ContainsFunc(l.turns, func(t *turn) bool { return t.request == delivery.request }) {
		w.fail("%s was told that it lost, and its message is stored", delivery.name)
	}
}

// judgeConflict: a creation is refused where there is a session, a message
// where its id stands for another that is stored or worked on.
func (w *world) judgeConflict(delivery *delivery) {
	r := delivery.request
	made := delivery.created != nil && delivery.created.ended == 0
	if len(delivery.accepted) > 0 || made && !r.message() {
		w.fail("%s was refused, and something of it is stored", delivery.name)
	}
	another := func(t *request) bool { return t != r && t.key == r.key && t.id == r.id && t.claimed }
	if r.message() && slices.ContainsFunc(w.requests, another) {
		return
	}
	for _, l := range w.during(delivery) {
		if !r.message() || slices.ContainsFunc(l.turns, func(t *turn) bool { return t.request.id == r.id && t.request != r }) {
			return
		}
	}
	w.fail("%s was refused for a conflict with nothing", delivery.name)
}

// judgeTrips: without a fault, a turn in a session that is there costs one read,
// one claim where its message has an id, and one commit; its answer again costs two
// reads. Each wait for another delivery costs one read more.
func (w *world) judgeTrips(delivery *delivery, a answer) {
	if !delivery.request.message() || a.code != "" || delivery.created != nil || w.absent[delivery.request.key] >= delivery.began {
		return
	}
	waits, claims := delivery.trips[waiting], delivery.trips[claiming]
	got := [3]int{delivery.trips[loading] - waits, delivery.trips[committing], delivery.trips[readingEvents]}
	fresh, again, beaten := [3]int{1, 1, 0}, [3]int{1, 0, 1}, [3]int{2, 1, 1}
	claimed := claims <= waits // those that another was quicker with
	if got != again && delivery.request.id != "" {
		claimed = claims >= 1 && claims <= 2+waits // one of them may give a turn up
	}
	known := len(delivery.accepted) == 1 && got == fresh || len(delivery.accepted) == 0 && (got == again || got == beaten)
	if known && claimed {
		return
	}
	w.fail("%s took %d reads, %d claims, %d waits, %d commits and %d reads of events", delivery.name, got[0], claims, waits, got[1], got[2])
}
