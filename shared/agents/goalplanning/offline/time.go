package offline

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	// plan is a function here
)

// hear keeps what a clause says of the user's time, by its words and the parts of some kinds.
func (t *turn) hear(c clause, when []part, kinds ...kind) {
	for i, k := range c.tokens {
		c.tokens[i].used = k.used || k.part == nil || slices.Contains(kinds, k.part.kind)
	}
	t.lastDays = when
	t.s, _ = t.before.Hear(t.said)
}

func (t *turn) unlimit(c clause, _ int) string {
	t.said.Total, t.said.Unlimited = nil, true
	t.hear(c, nil)
	return ""
}

func (t *turn) keepClear(c clause, _ int) string {
	c.use()
	if len(t.s.Upcoming)+len(t.s.Told.Unavailable) > 0 {
		t.answers = append(t.answers, "Nothing in the plan overlaps what I know of your calendar.")
	} else {
		t.questions = append(t.questions,
			`I know of no meetings. When are they? For example: "my team meets on Tuesdays 10 to 11".`)
	}
	return ""
}

// limit takes hours that there are in all, or in a day or a week.
func (t *turn) limit(c clause, p part) {
	total := p.hours
	if p.more != 0 {
		most, limited := t.s.Limit(t.draft)
		if !limited {
			most = t.draft.Hours()
		}
		total = max(0, most+float64(p.more)*p.hours)
	}
	few := p.per == "" && p.more == 0 && !t.fresh && p.hours < t.draft.Hours()/2 && p.hours <= workdayHours
	switch {
	case p.per == "day",
		few && t.s.Told.PerDay > 0: // where hours a day were said before, so few are of a day too
		t.said.PerDay = &p.hours
	case p.per == "week":
		t.said.PerWeek = &p.hours
	case p.per == "month",
		t.fresh && c.has("each", "every"),
		t.fresh && total > 0 && total < taskHours: // no goal takes so little
		t.rest = append(
			t.rest,
			strings.TrimSpace(goal.Number(p.hours)+" hours "+map[string]string{"month": "a month"}[p.per]),
		)
	default:
		t.said.Total, t.said.Unlimited = &total, false
	}
	t.hear(c, nil, hours)
}

// deadline takes the day by which all is to be done. One thing's own is a move.
func (t *turn) deadline(c clause, _ int) string {
	when := c.parts(days)
	p := when[len(when)-1]
	end := t.endOf(c, p)
	if !t.fresh && !c.has("everything", "all", "it", "plan", "whole", "deadline") {
		if thing, found := t.named(c.telling()); found {
			c.use()
			t.placeIn([]goal.Thing{thing}, func(goal.Task) window { return window{t.tomorrow(), end} })
			return ""
		}
		if strange := slices.DeleteFunc(t.strange(c), func(k token) bool { return dues[k.word] }); len(
			strange,
		) > 0 {
			return t.which(text(strange))
		}
	}
	t.said.Deadline = end.Format(time.DateOnly)
	t.hear(c, when, days)
	for _, p := range c.parts(hours) {
		t.limit(c, p)
	}
	return ""
}

// endOf returns the last day of "by March", which is its first, and of "before March".
func (t *turn) endOf(c clause, p part) time.Time {
	long := len(p.weekdays) == 0 && p.last.Sub(p.first) > 20*24*time.Hour && p.first.After(t.s.Now)
	switch {
	case c.before(days, "before"):
		return p.first.AddDate(0, 0, -1)
	case c.before(days, "by", "due") && long:
		return p.first
	}
	return p.last
}

// blockedOn is a time on days: each week on their weekdays, or on their dates.
func blockedOn(when []part, from, to string) (list []goal.Blocked) {
	for _, p := range when {
		if p.weekly && len(p.weekdays) > 0 {
			for _, d := range p.weekdays {
				list = append(list, goal.Blocked{Weekday: strings.ToLower(d.String()), From: from, To: to})
			}
			continue
		}
		if p.apart {
			p1, p2 := p.first.Format(time.DateOnly), p.last.Format(time.DateOnly)
			list = append(
				list,
				goal.Blocked{Date: p1, From: from, To: to},
				goal.Blocked{Date: p2, From: from, To: to},
			)
			continue
		}
		const most = 100
		for day, n := p.first, 0; !day.After(p.last) && n < most; day, n = day.AddDate(0, 0, 1), n+1 {
			list = append(list, goal.Blocked{Date: day.Format(time.DateOnly), From: from, To: to})
		}
	}
	if len(when) == 0 {
		list = []goal.Blocked{{From: cmp.Or(from, "00:00"), To: cmp.Or(to, "24:00")}}
	}
	return list
}

// weeklyIn returns days as those of each week where a clause means them so.
func (t *turn) weeklyIn(c clause) []part {
	when := c.parts(days)
	repeats := t.repeats(when, c)
	for i := range when {
		when[i].weekly = when[i].weekly || repeats && len(when[i].weekdays) > 0
	}
	return when
}

// daysOff keeps days free. Where the message takes back what it said of days before,
// these go.
func (t *turn) daysOff(c clause, _ int) string {
	when := t.weeklyIn(c)
	if len(when) == 0 {
		when = t.lastDays // "nothing else that day"
	}
	if first := c.tokens[0].word; len(t.lastDays) > 0 &&
		slices.Contains([]string{"actually", "no", "sorry", "wait"}, first) &&
		c.tokens[len(c.tokens)-1].part != nil {
		gone := blockedOn(t.lastDays, "", "")
		t.said.Unavailable = slices.DeleteFunc(
			t.said.Unavailable,
			func(b goal.Blocked) bool { return slices.Contains(gone, b) },
		)
	}
	t.said.Unavailable = append(t.said.Unavailable, blockedOn(when, "", "")...)
	t.hear(c, when, days, times)
	return ""
}

// available takes the days and the times of a day that there are, with their hours.
func (t *turn) available(c clause, _ int) string {
	when := t.weeklyIn(c)
	if len(when)+len(c.parts(times)) == 0 {
		when = t.lastDays // "those days are fine"
	}
	only := c.has("only", "just") && !c.any(denials)
	switch {
	case len(c.clocks()) > 0, len(when) == 0:
		t.availableTimes(c, only)
	case len(c.parts(hours)) > 0:
		t.hoursByWeekday(c, when)
	default:
		t.said.Available = append(t.said.Available, t.unlocked(when)...)
		if only || t.fresh ||
			!c.has(strings.Fields("also too again after well plus more fine ok okay good want")...) {
			t.workOn(when)
		}
	}
	t.only = t.only || only && len(when) > 0 && len(c.clocks()) == 0
	t.hear(c, when, days, times, hours)
	return ""
}

// unlocked returns the days that the plan did not use so far: those at weekends and those
// that were kept free.
func (t *turn) unlocked(when []part) (list []goal.Blocked) {
	for _, day := range blockedOn(when, "", "") {
		if day.Weekday == "saturday" || day.Weekday == "sunday" ||
			slices.Contains(t.s.Told.Unavailable, day) {
			list = append(list, day)
		}
	}
	return list
}

// hoursByWeekday takes hours of some days: "2 hours on weekdays, 4 on Saturdays", "Fridays
// at most 1 hour". Hours are of the days right after them, or else of those before.
func (t *turn) hoursByWeekday(c clause, when []part) {
	if p := c.parts(hours)[0]; p.per == "week" || p.per == "month" {
		t.limit(c, p)
		t.said.Available = append(t.said.Available, t.unlocked(when)...)
		t.workOn(when)
		return
	}
	var before []part // days that wait for their hours
	hoursAt, after := -1, false
	perDay := map[time.Weekday]float64{}
	take := func(days []part) {
		for _, p := range days {
			for _, d := range p.weekdays {
				perDay[d] = c.tokens[hoursAt].part.hours
			}
		}
	}
	for i, k := range c.tokens {
		switch {
		case k.is(hours):
			next := slices.IndexFunc(
				c.tokens[i+1:],
				func(k token) bool { return k.part != nil || k.word == "and" || k.pause },
			)
			hoursAt, after = i, !k.pause && next >= 0 && c.tokens[i+1+next].is(days)
			if !after {
				take(before)
				before = nil
			}
		case k.is(days) && after:
			take([]part{*k.part})
		case k.is(days):
			before = append(before, *k.part)
		}
	}
	works := t.workdays
	for _, p := range before {
		for _, d := range p.weekdays {
			works[d] = true
		}
	}
	for d, most := range perDay {
		if works != [7]bool{} && !works[d] && len(perDay) >= 5 {
			continue // "the weekdays" are those of the days that were named
		}
		t.hoursOn(strings.ToLower(d.String()), most)
	}
	if limit := c.has("max", "maximum", "most"); limit {
		return
	}
	t.said.Available = append(t.said.Available, t.unlocked(when)...)
	switch {
	case len(before) > 0:
		t.workOn(before)
	case works == [7]bool{} || len(perDay) < 5:
		if !c.has("also", "plus", "more") {
			t.workOn(when)
		}
	}
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

// closeWeek keeps the days free that are none of those the user works on. Hours at
// weekends come on top of the others.
func (t *turn) closeWeek() {
	closes := t.only || t.fresh && t.workdays != [7]bool{} ||
		slices.Contains(t.workdays[time.Monday:time.Saturday], true)
	for d := range time.Weekday(7) {
		day := goal.Blocked{Weekday: strings.ToLower(d.String())}
		if closes && !t.workdays[d] && t.said.PerWeekday[day.Weekday] == 0 &&
			!slices.Contains(t.said.Available, day) {
			t.said.Unavailable = append(t.said.Unavailable, day)
		}
	}
	t.said.Unavailable, t.said.Available = once(t.said.Unavailable), once(t.said.Available)
	t.sameHours()
	t.s, _ = t.before.Hear(t.said)
}

// sameHours takes hours that are the same on all days that were named for those of a day.
func (t *turn) sameHours() {
	per := slices.Compact(slices.Sorted(maps.Values(t.said.PerWeekday)))
	if len(per) == 1 && len(t.said.PerWeekday) > 1 && t.before.Told.PerDay == 0 && t.said.PerDay == nil {
		t.said.PerDay, t.said.PerWeekday = &per[0], nil
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

// availableTimes takes times of a day for the plan: around them, their days are kept free.
func (t *turn) availableTimes(c clause, only bool) {
	var waiting []part
	named := []part{}
	for i, k := range c.tokens {
		switch {
		case k.is(days):
			p := *k.part
			p.weekly = p.weekly || len(p.weekdays) > 0
			waiting, named = append(waiting, p), append(named, p)
		case k.exact(), k.is(times) && len(c.clocks())+len(c.parts(days)) == 0:
			from, to := k.part.from, k.part.to
			if i > 0 && slices.Contains([]string{"before", "until", "till", "til"}, c.tokens[i-1].word) {
				from, to = "00:00", from
			}
			if from > "00:00" {
				t.said.Unavailable = append(t.said.Unavailable, blockedOn(waiting, "00:00", from)...)
			}
			if to = cmp.Or(to, "24:00"); to < "24:00" {
				t.said.Unavailable = append(t.said.Unavailable, blockedOn(waiting, to, "24:00")...)
			}
			waiting = nil
		}
	}
	t.said.Available = append(t.said.Available, t.unlocked(named)...)
	if len(named) > 0 && (only || t.fresh || len(named) > 1) {
		t.workOn(named)
		t.only = t.only || only
	}
}

// aroundMeeting are words before and after the name of a meeting that are none of it.
var (
	beforeMeeting = fillers.with(polite).with(wordsOf("got block following keep note there booked way"))
	afterMeeting  = fillers.with(polite).with(wordsOf("scheduled booked planned moved"))
	sentenceVerbs = wordsOf(
		"can is are was were will has comes come needs starts takes meets meet coming happens",
	)
)
