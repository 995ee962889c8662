package goal

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/strictjson"
)

// Violation is one constraint that a draft breaks, said so that a model and a
// person can act on it.
type Violation struct {
	Path    string  `json:"path"`
	Message string  `json:"message"`
	Kind    Breach  `json:"-"`
	Over    float64 `json:"-"` // of HoursExceeded: by how many hours
}

// Breach is what kind of constraint is broken.
type Breach int

const (
	Shape         Breach = iota // nothing to do in it
	HoursExceeded               // more hours than are left
	Past                        // a task planned in the past
	Overlap                     // two things at one time
	Dropped                     // something of the preview is gone that nobody asked to drop
)

// Check returns what the draft breaks, nil where it breaks nothing: there is
// something to do in it, its hours fit, no task is planned in the past or
// overlaps another or the calendar, and what the preview had is still there.
func (s Situation) Check(d Draft) []Violation {
	var found []Violation
	if len(d.Tasks()) == 0 {
		found = append(found, Violation{Path: "milestones", Message: "the plan has no task", Kind: Shape})
	}
	found = append(found, s.checkHours(d)...)
	found = append(found, s.checkDates(d)...)
	return append(found, s.checkKept(d)...)
}

// Limit returns the most hours that the draft's pending tasks may take, and
// whether there is such a limit: the hours left, or what the user allows the
// whole plan, history included, if that leaves less.
func (s Situation) Limit(d Draft) (float64, bool) {
	allowed := s.Allowed()
	if allowed == nil && s.Hours == nil {
		return 0, false
	}
	left := math.Inf(1)
	if allowed != nil {
		left = max(0, *allowed-(d.Hours()-s.Pending(d).Hours()))
	}
	if s.Hours != nil {
		left = min(left, *s.Hours)
	}
	return left, true
}

// Allowed is the most hours that the user allows the whole plan: by the message, or
// else by one before it of the same plan. Nil is no limit.
func (s Situation) Allowed() *float64 {
	if total, limited := totalIn(s.Message); limited {
		return &total
	}
	if s.Raw == nil || s.StartsOver || unlimited().MatchString(s.Message) {
		return nil
	}
	return s.Total
}

// Unlimited is how people lift a limit on the hours of the whole plan.
const Unlimited = `(?i)\b(?:no|without|remove|drop|lift|forget|ignore|cancel)(?: (?:the|any|my|that|a))?(?: (?:total|hours?|\d+ ?hours?|time))? (?:limit|cap|maximum)(?: (?:on|of|for)(?: the)?(?: total)? (?:hours|time))?\b|\b(?:the )?total(?: hours)? (?:does not|doesn['’]?t) matter\b`

const hourWords = `(?:h|hrs?|hours?)`

var (
	totalBefore = Pattern(`(?i)\btotal\b[^.!?]{0,40}?\b(?:within|under|below|at most|up to|to|max(?:imum)?(?: of)?|no more than|not exceed(?:ing)?)\s+(\d+(?:\.\d+)?)\b`)
	totalAfter  = Pattern(`(?i)\b(?:within|under|below|at most|up to|no more than|max(?:imum)?(?: of)?)\s+(\d+(?:\.\d+)?)\s*` + hourWords + `\s+(?:in total|total|overall|altogether)\b`)
	totalOfPlan = Pattern(`(?i)\bkeep\s+(?:it|everything|all of it|(?:the|this|my|our) (?:whole |entire )?plan)\s+(?:within|under|below|at most|no more than|up to)\s+(\d+(?:\.\d+)?)\s*` + hourWords + `\b`)
	ofEach      = Pattern(`(?i)^\s*` + hourWords + `?\s*(?:an?|per|each|every|daily|weekly)\b`)
	unlimited   = Pattern(Unlimited)
)

// totalIn finds a limit on the hours of the whole plan in a message, such as
// "keep total hours within 20".
func totalIn(message string) (float64, bool) {
	for _, pattern := range []*regexp.Regexp{totalBefore(), totalAfter(), totalOfPlan()} {
		if found := pattern.FindStringSubmatchIndex(message); found != nil && !ofEach().MatchString(message[found[3]:]) {
			number, err := strconv.ParseFloat(message[found[2]:found[3]], 64)
			return number, err == nil
		}
	}
	return 0, false
}

func (s Situation) checkHours(d Draft) []Violation {
	limit, limited := s.Limit(d)
	pending := s.Pending(d)
	if !limited || pending.Within(limit) {
		return nil
	}
	total, tasks := pending.Hours(), "the tasks"
	if len(pending) < len(d.Tasks()) {
		tasks = "the tasks still to be done"
	}
	return []Violation{{Path: "milestones", Kind: HoursExceeded, Over: total - limit,
		Message: fmt.Sprintf("%s take %s hours and %s is the most: take %s off", tasks, Number(total), Number(limit), Number(total-limit))}}
}

// Number writes hours without needless digits.
func Number(hours float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(hours, 'f', 2, 64), "0"), ".")
}

// checkDates places the draft's tasks into the calendar one after another:
// first what is history, which stays as it is, then what is planned.
func (s Situation) checkDates(d Draft) []Violation {
	var found []Violation
	history, planned := s.split(d)
	c := s.calendar()
	c.entries = append(c.entries, history...)
	for _, p := range planned {
		if s.past(p.when) {
			found = append(found, Violation{Path: p.path() + ".date", Kind: Past,
				Message: fmt.Sprintf("%s is in the past; today is %s", c.span(p.entry), s.Now.Format(dayForm))})
		}
		if message := c.conflict(p.entry); message != "" {
			found = append(found, Violation{Path: p.path(), Kind: Overlap, Message: message})
		}
		c.entries = append(c.entries, p.entry)
	}
	return found
}

// conflict says what a new entry collides with, or nothing: a time that is
// taken, or a day without so many hours left.
func (c calendar) conflict(e entry) string {
	for _, other := range c.entries {
		if e.overlaps(other) {
			return fmt.Sprintf("%s overlaps %s (%s)", c.span(e), strictjson.Quote(other.name), c.span(other))
		}
	}
	with := calendar{zone: c.zone, entries: append(c.entries[:len(c.entries):len(c.entries)], e)}
	for _, day := range c.days(e) {
		if taken, length := with.taken(day); taken > length+tolerance {
			return fmt.Sprintf("%s has no room: with this task %s hours of it would be taken", day, Number(taken))
		}
	}
	return ""
}
