package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	plans "github.com/planwright/planwright/shared/plan" // plan is a function here
)

// What people say of their time beside its parts.
var (
	denials   = strings.Fields("not no dont never cant cannot wont without avoid off away unavailable busy isnt arent doesnt none nothing")
	absences  = strings.Fields("holiday holidays vacation travelling traveling out closed break pause rest except sick booked blocked block")
	negatives = append(append([]string{}, denials...), absences...)
	meetings  = strings.Fields("meet meets meeting meetings appointment appointments standup standups class classes lecture lectures lesson lessons dentist doctor call calls shift shifts practice rehearsal interview conference seminar course exam exams visit")
	overlaps  = strings.Fields("overlap overlaps overlapping clash clashes clashing conflict conflicts conflicting collide")
	dues      = strings.Fields("deadline due finish finished done ready complete completed deliver delivered end ends")
	positives = strings.Fields("free available fine ok okay can use works work good prefer best possible again")
	dueBefore = strings.Fields("by before until till due latest")
)

// negated reports whether a clause says when there is no time.
func (c clause) negated() bool {
	return c.has(negatives...) || c.has("keep", "leave", "count", "block") && c.has("free", "clear", "open", "alone", "out", "block")
}

// hearTime takes what a clause says of the user's time, and reports whether it is that.
// Days that come with nothing that may be done on them are days off.
func (t *turn) hearTime(c clause, called *command) bool {
	when, hours := c.parts(days), exact(c.parts(clock))
	denied := c.has(denials...) || c.has("keep", "leave") && c.has("free", "clear", "open", "alone", "out")
	often := slices.ContainsFunc(c.parts(clock), func(p part) bool { return p.vague && p.weekly }) // "evenings"
	for i := range when {
		when[i].weekly = when[i].weekly || often && len(when[i].weekdays) > 0 || when[i].bare && (denied || len(when) > 1 || c.has(positives...)) && len(hours) == 0
	}
	weekly := len(when) > 0 && when[0].weekly
	edits := called != nil && !denied && called.name != "undo" && !(called.name == "hours" && (weekly || c.has("deadline"))) && !c.has("deadline")
	heard := true
	switch {
	case len(when) > 0 && c.has("happy", "merry"):
		c.useAll() // a greeting
		t.mentioned = c
		return true
	case c.has(overlaps...) && len(when)+len(hours) == 0:
		t.keepClear(c)
	case edits && !(called.name == "remove" && len(when) > 0 && t.onlyDays(c)):
		heard = false
	case len(when) > 0 && len(hours) == 0 && (c.has("deadline") || c.has("later") && c.before(days, "than")):
		heard = t.hearDeadline(c, when)
	case weekly && len(c.parts(amount)) > 0 && len(hours) == 0:
		t.hearDaily(c, when)
	case len(when) > 0 && len(hours) == 0 && !c.has("cant", "cannot", "dont", "off", "away") && (c.before(days, dueBefore...) || c.has(dues...)) && !c.has(meetings...):
		heard = t.hearDeadline(c, when)
	case len(hours) > 0 && c.available():
		t.hearAvailable(c, hours)
	case len(hours) > 0:
		t.hearHours(c, when, hours)
	case weekly && c.has("want") && c.has("after", "again"):
		t.said.Available = append(t.said.Available, blockedOn(when, "", "")...)
	case len(when) > 0 && (c.negated() || c.has("only", "just")):
		t.hearDays(c, when)
	case weekly && (c.has(positives...) || c.has("say", "run", "train", "study", "practise", "practice")):
		t.said.Available = append(t.said.Available, blockedOn(when, "", "")...)
		t.workOn(when)
	case len(when) > 0 && (t.before.Preview != nil || weekly || c.has(meetings...)):
		heard = t.hearDays(c, when)
	case len(c.parts(amount)) > 0 && t.before.Preview == nil:
		for _, p := range c.take(amount) {
			t.hearAmount(p)
		}
	case len(t.lastDays) > 0 && c.has("nothing", "no", "else", "out", "off") && c.has("day", "evening", "altogether", "week", "weekend"):
		t.said.Unavailable = append(t.said.Unavailable, blockedOn(t.lastDays, "", "")...)
	default:
		heard = false
	}
	if heard {
		t.heard = true
		t.lastDays = append([]part{}, when...)
		for i := range c.tokens {
			c.tokens[i].used = c.tokens[i].part == nil || c.tokens[i].part.kind != rate
		}
		t.s, _ = t.before.Hear(t.said)
	}
	return heard
}

// exact returns the times of a day among clocks; "evening" is none.
func exact(clocks []part) []part {
	return slices.DeleteFunc(slices.Clone(clocks), func(p part) bool { return p.vague })
}

// workOn notes weekdays that the user works on. At the end of the message the others are
// kept free.
func (t *turn) workOn(when []part) {
	for _, p := range when {
		for _, d := range p.weekdays {
			t.workdays[d] = true
		}
	}
}

func once(list []goal.Blocked) (all []goal.Blocked) {
	for _, b := range list {
		if !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	return all
}

// closeWeek keeps the days free that are none of those the user works on.
func (t *turn) closeWeek() {
	closes := t.only || t.before.Preview == nil && t.workdays != [7]bool{} || slices.Contains(t.workdays[time.Monday:time.Saturday], true) // hours at weekends come on top
	for d := range time.Weekday(7) {
		day := goal.Blocked{Weekday: strings.ToLower(d.String())}
		if closes && !t.workdays[d] && !slices.Contains(t.said.Available, day) {
			t.said.Unavailable = append(t.said.Unavailable, day)
		}
	}
	t.said.Unavailable, t.said.Available = once(t.said.Unavailable), once(t.said.Available)
	t.s, _ = t.before.Hear(t.said)
}

// hearDaily takes hours of some days of the week: the fewest are the most of each day.
// The days that somebody has hours on are those they work on; "at most" says it of none.
func (t *turn) hearDaily(c clause, when []part) {
	for _, day := range blockedOn(when, "", "") {
		if day.Weekday == "saturday" || day.Weekday == "sunday" || slices.Contains(t.s.Told.Unavailable, day) || c.has("max", "maximum", "most") {
			t.said.Available = append(t.said.Available, day)
		}
	}
	t.only = t.only || c.has("only", "just")
	if !c.has("max", "maximum", "most", "more", "also", "plus") {
		t.workOn(when)
	}
	for _, p := range c.take(amount) {
		if t.said.PerDay == nil || p.hours < *t.said.PerDay {
			t.said.PerDay = &p.hours
		}
	}
}

// onlyDays reports whether a clause names nothing but days.
func (t *turn) onlyDays(c clause) bool {
	return !slices.ContainsFunc(c.tokens, func(k token) bool { return k.part == nil && !fillers[k.word] && !isVerb(k.word) })
}

func (t *turn) keepClear(c clause) {
	c.useAll()
	switch {
	case len(t.s.Upcoming)+len(t.s.Told.Unavailable) > 0:
		t.answers = append(t.answers, "Nothing in the plan overlaps what I know of your calendar.")
	default:
		t.questions = append(t.questions, `I know of no meetings. When are they? For example: "my team meets on Tuesdays 10 to 11".`)
	}
}

// hearDeadline takes the day by which all is to be done. One thing's own is a move.
func (t *turn) hearDeadline(c clause, when []part) bool {
	p := when[len(when)-1]
	end := p.last
	if c.before(days, "by", "due") && len(p.weekdays) == 0 && p.last.Sub(p.first) > 20*24*time.Hour && p.first.After(t.s.Now) {
		end = p.first // "by March" is on its first day
	}
	if c.before(days, "before") {
		end = p.first.AddDate(0, 0, -1)
	}
	if t.before.Preview != nil && !c.has("everything", "all", "it", "plan", "whole", "deadline") {
		if words := t.nameIn(c.tokens); words != "" {
			things, question := t.find(words)
			if question == "" {
				c.useAll()
				t.placeAnew(things, window{tomorrow(t.s), end})
				return true
			}
		}
	}
	t.said.Deadline = end.Format(time.DateOnly)
	return true
}

// blockedOn is a time on days: each week on their weekdays, or on their dates.
func blockedOn(when []part, from, to string) (list []goal.Blocked) {
	if len(when) == 0 {
		return []goal.Blocked{{From: from, To: to}}
	}
	for _, p := range when {
		switch {
		case p.weekly && len(p.weekdays) == 0:
			list = append(list, goal.Blocked{From: cmp.Or(from, "00:00"), To: cmp.Or(to, "24:00")})
		case p.weekly:
			for _, d := range p.weekdays {
				list = append(list, goal.Blocked{Weekday: strings.ToLower(d.String()), From: from, To: to})
			}
		default:
			const most = 100
			for day, n := p.first, 0; !day.After(p.last) && n < most; day, n = day.AddDate(0, 0, 1), n+1 {
				list = append(list, goal.Blocked{Date: day.Format(time.DateOnly), From: from, To: to})
			}
		}
	}
	return list
}

// hearDays takes days off, or those that alone there are. Where the message takes back
// what it said of days before, these go.
func (t *turn) hearDays(c clause, when []part) bool {
	if first := c.tokens[0].word; len(t.lastDays) > 0 && (first == "actually" || first == "no" || first == "sorry" || first == "wait") && c.tokens[len(c.tokens)-1].part != nil {
		gone := blockedOn(t.lastDays, "", "")
		t.said.Unavailable = slices.DeleteFunc(t.said.Unavailable, func(b goal.Blocked) bool { return slices.Contains(gone, b) })
	}
	if c.has("only", "just") && !c.has("not", "no", "dont", "cant", "off", "out") && len(when[0].weekdays) > 0 {
		t.only = true
		t.workOn(when)
		for _, day := range blockedOn(when, "", "") {
			if day.Weekday == "saturday" || day.Weekday == "sunday" {
				t.said.Available = append(t.said.Available, day)
			}
		}
		return true
	}
	if !c.negated() && !c.has(meetings...) && t.before.Preview != nil {
		if n, found := t.thing(t.nameIn(c.words())); found {
			p := when[len(when)-1]
			t.placeAnew([]goal.Thing{n}, window{p.first, p.last})
			return true
		}
	}
	if today := dayAt(t.s.Now, 0); !c.negated() && !when[0].weekly && !when[0].last.After(today) {
		c.useAll() // what was so until now keeps no day free
		return false
	}
	for _, p := range when {
		now := !p.weekly && !p.first.After(tomorrow(t.s)) && p.last.After(p.first)
		if p.last.Sub(p.first) > 62*24*time.Hour || now && !c.negated() {
			return false // "this year" is no holiday
		}
	}
	t.said.Unavailable = append(t.said.Unavailable, blockedOn(when, "", "")...)
	return true
}

// available reports whether a clause says when there is time.
func (c clause) available() bool {
	if c.has("he", "she", "they") {
		return false
	}
	return c.has("only", "just", "free", "available", "can", "prefer", "best", "work") && !c.has(meetings...) &&
		!c.has("not", "no", "dont", "cant", "cannot", "never", "wont", "busy", "keep") && (!c.has("work") || c.has("on", "can", "only"))
}

// hearAvailable takes the hours that there are: around them the days that they are said of
// are kept free, and where there are no others, all other days.
func (t *turn) hearAvailable(c clause, spans []part) {
	var said [7]bool
	var waiting []part
	block := func(when []part, from, to string) {
		if from > "00:00" {
			t.said.Unavailable = append(t.said.Unavailable, blockedOn(when, "00:00", from)...)
		}
		if to < "24:00" {
			t.said.Unavailable = append(t.said.Unavailable, blockedOn(when, to, "24:00")...)
		}
	}
	var span *part
	for i, k := range c.tokens {
		if k.part == nil {
			continue
		}
		p := *k.part
		switch p.kind {
		case days:
			p.weekly = p.weekly || len(p.weekdays) > 0
			for _, d := range p.weekdays {
				said[d] = true
				if d == time.Saturday || d == time.Sunday {
					t.said.Available = append(t.said.Available, goal.Blocked{Weekday: strings.ToLower(d.String())})
				}
			}
			waiting = append(waiting, p)
		case clock:
			if p.vague {
				continue
			}
			before := ""
			if i > 0 {
				before = c.tokens[i-1].word
			}
			if before == "before" || before == "until" || before == "till" {
				p.from, p.to = "00:00", p.from
			}
			p.to = cmp.Or(p.to, "24:00")
			span = &p
			if len(waiting) > 0 {
				block(waiting, p.from, p.to)
				waiting = nil
			}
		}
	}
	if said == [7]bool{} {
		block(waiting, cmp.Or(span.from, spans[0].from), span.to)
		return
	}
	if c.has("only", "just") {
		for d := range time.Weekday(7) {
			if !said[d] {
				t.said.Unavailable = append(t.said.Unavailable, goal.Blocked{Weekday: strings.ToLower(d.String())})
			}
		}
	}
}

// hearHours takes hours of days: those of a meeting or that are taken are kept free.
func (t *turn) hearHours(c clause, when, hours []part) {
	for i := range when {
		when[i].weekly = when[i].weekly || len(when[i].weekdays) > 0 && c.has("meets", "meet") && !c.has("meeting")
	}
	all := when
	for i, p := range hours {
		if len(all) > 1 && len(all) == len(hours) {
			when = all[i : i+1] // each day with its own hours
		}
		from, to := p.from, p.to
		late, early := c.before(clock, "after", "past", "from"), c.before(clock, "before", "until", "till")
		named := c
		if len(hours) > 1 && len(hours) == len(all) {
			named = c.upTo(i)
		}
		if to == "" && !late && !early {
			t.hearMeeting(named, when, from, 0)
			continue
		}
		if early {
			from, to = "00:00", from
		} else if to == "" {
			to = "24:00"
		}
		if len(when) > 0 && !when[0].weekly && !c.has(denials...) {
			t.hearMeeting(named, when, from, minutes(to)-minutes(from))
		} else {
			t.said.Unavailable = append(t.said.Unavailable, blockedOn(when, from, to)...)
		}
	}
}

// upTo returns what stands before the nth time of a clause, from the time before on.
func (c clause) upTo(n int) clause {
	from, seen := 0, 0
	for i, k := range c.tokens {
		if k.part == nil || k.part.kind != clock || k.part.vague {
			continue
		}
		if seen == n {
			if titled := (clause{c.tokens[from : i+1], false}); strings.TrimSpace(text(titled.words())) != "" {
				return titled
			}
			return c
		}
		seen, from = seen+1, i+1
	}
	return c
}

// words returns the words of a clause that tell something.
func (c clause) words() []token {
	return slices.DeleteFunc(slices.Clone(c.tokens), func(k token) bool { return k.part != nil || fillers[k.word] || polite[k.word] })
}

func minutes(clock string) int {
	at, _ := time.Parse("15:04", strings.Replace(clock, "24:00", "23:59", 1))
	return (at.Hour()*60 + at.Minute() + 1) / 5 * 5
}

// hearMeeting takes something that is on, from a time on where there is one.
func (t *turn) hearMeeting(c clause, when []part, from string, length int) {
	hours := 1.0
	for _, p := range c.take(amount) {
		hours = p.hours
	}
	if length > 0 {
		hours = float64(length) / 60
	}
	if len(when) == 0 {
		t.questions = append(t.questions, "On which day is that? For example: \"on Tuesday at 15:00\".")
		return
	}
	if from == "" {
		t.said.Unavailable = append(t.said.Unavailable, blockedOn(when, "", "")...)
		c.useAll()
		return
	}
	title := "Meeting"
	if words := t.nameIn(c.words()); words != "" {
		title = capital(clip(words, 120))
	}
	for _, p := range when {
		at, _ := time.Parse("15:04", strings.Replace(from, "24:00", "00:00", 1))
		if p.weekly {
			end := at.Add(time.Duration(hours * float64(time.Hour)))
			t.said.Unavailable = append(t.said.Unavailable, blockedOn([]part{p}, from, end.Format("15:04"))...)
			continue
		}
		start := time.Date(p.first.Year(), p.first.Month(), p.first.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
		if moments := plans.Moments(start, t.s.Now.Location()); len(moments) == 1 {
			t.said.Upcoming = append(t.said.Upcoming, goal.Busy{Title: title, Date: moments[0].Format(time.RFC3339), EstimatedHours: hours})
		} else {
			t.questions = append(t.questions, clockQuestion(start, len(moments)))
		}
	}
	c.useAll()
}

// clockQuestion asks about a time that no clock or two show, where summer time begins or ends.
func clockQuestion(at time.Time, moments int) string {
	day, clock := at.Format("2 January 2006"), at.Format("15:04")
	if moments == 0 {
		return fmt.Sprintf("There is no %s on %s: the clocks are put forward then. Which time do you mean?", clock, day)
	}
	return fmt.Sprintf("%s comes twice on %s, for the clocks are put back then. Which time before or after do you mean?", clock, day)
}

// hearAmount takes hours that there are in all, or in a day or a week.
func (t *turn) hearAmount(p part) {
	total := p.hours
	if p.more != 0 {
		limit, limited := t.s.Limit(t.draft)
		if !limited {
			limit = t.draft.Hours()
		}
		total = max(0, limit+float64(p.more)*p.hours)
	}
	if p.per == "" && p.more == 0 && t.s.Told.PerDay > 0 && t.before.Preview != nil && p.hours < t.draft.Hours()/2 && p.hours <= workdayHours {
		p.per = "day" // where hours a day were said before, so few are of a day too
	}
	switch p.per {
	case "day":
		t.said.PerDay = &p.hours
	case "week":
		t.said.PerWeek = &p.hours
	case "":
		if t.before.Preview == nil && total > 0 && total < taskHours { // no goal takes so little: it is of a day, or of one thing
			t.rest = append(t.rest, goal.Number(total)+" hours")
			break
		}
		t.said.Total, t.said.Unlimited = &total, false
	default:
		t.rest = append(t.rest, fmt.Sprintf("%s hours a %s", goal.Number(p.hours), p.per))
	}
	t.s, _ = t.before.Hear(t.said)
}
