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

// busy keeps times clear: a meeting on a date, or hours of each week. Each day has its own
// times where there are as many.
func (t *turn) busy(c clause, _ int) string {
	when := t.weeklyIn(c)
	clocks := c.clocks()
	several := len(when) > 1 && len(clocks) == 1 &&
		!slices.ContainsFunc(when, func(p part) bool { return len(p.weekdays) == 0 })
	meets := several || c.has("meets", "meet", "every", "each") // "on Monday and Thursday from 18 to 19"
	for i := range when {
		when[i].weekly = when[i].weekly || meets && len(when[i].weekdays) > 0
	}
	if len(when) == 0 && !c.negated() {
		t.questions = append(t.questions, "On which day is that? For example: \"on Tuesday at 15:00\".")
		c.use()
		return ""
	}
	length := 1.0
	for _, p := range c.parts(hours) {
		length = p.hours
	}
	for i, clock := range clocks {
		on, title := when, titleOfMeeting(c.tokens)
		if len(clocks) > 1 && len(when) == len(clocks) {
			on, title = when[i:i+1], cmp.Or(titleOfMeeting(c.upTo(i)), title)
		}
		if c.before(times, "after", "from", "past") && clock.to == "" {
			clock.to = "24:00"
		} else if c.before(times, "before", "until", "till") && clock.to == "" {
			clock.from, clock.to = "00:00", clock.from
		}
		t.meet(cmp.Or(title, "Meeting"), on, clock, length)
	}
	t.hear(c, when, days, times, hours)
	return ""
}

// upTo returns what stands before the nth time of a clause, from the time before on.
func (c clause) upTo(n int) []token {
	from, seen := 0, 0
	for i, k := range c.tokens {
		if !k.exact() {
			continue
		}
		if seen == n {
			return c.tokens[from:i]
		}
		seen, from = seen+1, i+1
	}
	return nil
}

// titleOfMeeting returns the words that name a meeting: the first that stand together,
// without the verb of their sentence.
func titleOfMeeting(tokens []token) string {
	for len(tokens) > 0 {
		run := tokens
		if end := slices.IndexFunc(tokens,
			func(k token) bool { return k.part != nil && !k.is(quoted) }); end >= 0 {
			run = tokens[:end]
		}
		tokens = tokens[min(len(run)+1, len(tokens)):]
		for i := len(run) - 2; i >= 0; i-- {
			if last := run[i+1:]; run[i].pause &&
				slices.ContainsFunc(
					last,
					func(k token) bool { return !beforeMeeting[k.word] && !afterMeeting[k.word] },
				) {
				run = last // what is told before
			}
		}
		for len(run) > 0 && beforeMeeting[run[0].word] {
			run = run[1:]
		}
		if end := slices.IndexFunc(run, func(k token) bool { return sentenceVerbs[k.word] }); end > 0 {
			run = run[:end]
		}
		for len(run) > 0 && afterMeeting[run[len(run)-1].word] {
			run = run[:len(run)-1]
		}
		if len(run) > 0 && !(len(run) == 1 && subjects[run[0].word]) {
			return capital(clip(text(run), 60))
		}
	}
	return ""
}

// meet keeps a meeting's time clear on days.
func (t *turn) meet(title string, when []part, clock part, length float64) {
	end := clock.to
	if end != "" {
		length = float64(minutes(end)-minutes(clock.from)) / 60
	} else {
		at := min(24*60, minutes(clock.from)+int(length*60))
		end = twoDigits(at/60) + ":" + twoDigits(at%60)
	}
	if len(when) == 0 {
		t.said.Unavailable = append(t.said.Unavailable, blockedOn(nil, clock.from, end)...)
		return
	}
	for _, p := range when {
		if p.weekly || !p.first.Equal(p.last) {
			t.said.Unavailable = append(t.said.Unavailable, blockedOn([]part{p}, clock.from, end)...)
			continue
		}
		start := p.first.Add(0)
		at := time.Date(start.Year(), start.Month(), start.Day(), 0, minutes(clock.from), 0, 0, time.UTC)
		moments := plans.Moments(at, t.s.Now.Location())
		if len(moments) != 1 {
			t.questions = append(t.questions, clockQuestion(at, len(moments)))
			continue
		}
		t.said.Upcoming = append(
			t.said.Upcoming,
			goal.Busy{Title: title, Date: moments[0].Format(time.RFC3339), EstimatedHours: length},
		)
	}
}

func minutes(clock string) int {
	hour, minute := number(clock[:2]), number(clock[3:])
	return int(hour*60 + minute)
}

// clockQuestion asks about a time that no clock or two show, where summer time begins or ends.
func clockQuestion(at time.Time, moments int) string {
	day, clock := at.Format("2 January 2006"), at.Format("15:04")
	if moments == 0 {
		return fmt.Sprintf(
			"There is no %s on %s: the clocks are put forward then. Which time do you mean?",
			clock,
			day,
		)
	}
	return fmt.Sprintf(
		"%s comes twice on %s, for the clocks are put back then. Which time before or after do you mean?",
		clock,
		day,
	)
}

// meeting returns which of the calendar a clause names, -1 where none.
func (t *turn) meeting(c clause) int {
	return slices.IndexFunc(t.s.Upcoming, func(b goal.Busy) bool {
		return slices.ContainsFunc(c.telling(), func(k token) bool {
			return k.part == nil && len(k.word) > 3 &&
				!slices.Contains([]string{"meeting", "appointment", "visit", "call"}, k.word) &&
				goal.Names(k.text, b.Title)
		})
	})
}

func meetingMoves(t *turn, c clause) bool {
	moves := c.has(
		strings.Fields(
			"move moves moved shift push pushed postpone postponed delayed rescheduled back forward",
		)...)
	return moves && t.meeting(c) >= 0 && len(c.parts(days))+len(c.parts(shift))+len(c.clocks()) > 0
}

// moveMeeting moves something of the calendar to the day or time that a clause names.
func (t *turn) moveMeeting(c clause, _ int) string {
	was := t.s.Upcoming[t.meeting(c)]
	at, err := time.Parse(time.RFC3339, was.Date)
	if err != nil {
		return t.unclear(c)
	}
	at = at.In(t.s.Now.Location())
	to := at
	if when := c.parts(days); len(when) > 0 {
		day := when[len(when)-1].first
		to = time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, at.Location())
	} else if by := c.parts(shift); len(by) > 0 {
		to = at.AddDate(0, 0, by[0].shift)
	}
	if clocks := c.clocks(); len(clocks) > 0 {
		to = time.Date(to.Year(), to.Month(), to.Day(), 0, minutes(clocks[0].from), 0, 0, at.Location())
	}
	c.use()
	end := at.Add(time.Duration(was.EstimatedHours * float64(time.Hour)))
	t.said.Available = append(
		t.said.Available,
		goal.Blocked{Date: at.Format(time.DateOnly), From: at.Format("15:04"), To: end.Format("15:04")},
	)
	t.said.Upcoming = append(
		t.said.Upcoming,
		goal.Busy{Title: was.Title, Date: to.Format(time.RFC3339), EstimatedHours: was.EstimatedHours},
	)
	t.hear(c, nil)
	return ""
}
