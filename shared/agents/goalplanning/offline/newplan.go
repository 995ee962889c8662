package offline

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

const taskHours = 2.0 // of a task, where there is no limit

var (
	// leadIn is what people say before the goal itself.
	leadIn = goal.Pattern(`(?i)^\s*(?:(?:hi|hello|hey|please|thanks|no|ok|okay|so|well|instead|let'?s start over|start(?:ing)? over|from scratch|forget (?:it|the plan)|scrap (?:it|the plan|everything)|(?:a )?(?:new|another|different) plan)[,!:. ]+)*` +
		`(?:(?:can|could|would|will) you\s+(?:please\s+)?|please\s+|i(?:'d| would) like(?: you)? to\s+|i (?:want|need|plan|intend|have) (?:you )?to\s+|i(?:'m| am) (?:going|planning) to\s+|let'?s\s+|help me(?: to)?\s+|my goal is(?: to)?\s+|the goal is(?: to)?\s+|goal:\s*)*` +
		`(?:(?:help me\s+)?(?:make|create|draft|write|give|build|prepare|set up|draw up)(?: me)? (?:a |an |the |my )?(?:goal |project |study |training |work |weekly )?plan\s+(?:for|to|on|about)\s+|plan(?: for| to)?\s+)?(?:how to\s+)?(?:my goal (?:of|to)\s+)?`)
	startsAt = goal.Pattern(`(?i)[,;]?\s*\b(?:start(?:ing)?|from|begin(?:ning)?)\s+(?:on\s+|from\s+)?(` + whenWords + `)\b`)
	endsBy   = goal.Pattern(`(?i)[,;]?\s*\b(?:by|before|until|due)\s+(` + whenWords + `)\b`)
	deadline = goal.Pattern(`(?i)\b(?:by|before|until|due|starting|from|in|within|over|this|next)\s+(?:on |the |in |the next )?(?:end of|(?:\d+ (?:days?|weeks?|months?|years?)|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|winter|year)\b).*$|` +
		`(?i)\b(?:by|before|until|due|starting|from)\s+(?:on |the )?\d.*$`)
	rate      = goal.Pattern(`(?i)\b(?:(?:\d+|once|twice|one|two|three|four|five|six)(?: (?:times|days|hours|evenings|sessions))?,? (?:a|per|each|every)|every|each) (?:day|week|weekend|month|morning|evening)\b`)
	within    = goal.Pattern(`(?i)[,;]?\s*(?:\b(?:and|but)\s+)?(?:\bkeep\s+(?:it|the total|total hours|the total hours|everything)?\s*)?\b(?:within|in|under|at most|up to|max(?:imum)?|no more than|for)\s+(\d{1,5}(?:\.\d+)?)\s*(?:hours?|hrs?|h)\b(?:\s+(?:in total|total|overall|altogether))?`)
	phaseList = goal.Pattern(`(?i)(?::|\bwith (?:the )?(?:milestones?|phases?|steps?|parts?)\b:?|\bin (?:the )?(?:milestones|phases|steps)\b:?)\s*(.+)$`)
	betweens  = goal.Pattern(`\s*(?:,\s*(?:and|then)\s+|,|;|\band then\b|\bthen\b|\band\b|&|\+)\s*`)
	article   = goal.Pattern(`(?i)^an? `)
	asks      = goal.Pattern(`(?i)^\s*(?:what|why|who|whose|when|where|which|is|are|am|was|were|do|does|did|has|have)\b.*\?\s*$`)
	letters   = goal.Pattern(`\p{L}{2,}`)
	// remark is what people say about a plan, and discards what they say to be
	// rid of it: neither is a goal.
	remark   = goal.Pattern(`(?i)^(?:this|that|it|the plan)(?:['’]s| is| was| looks| sounds)\b`)
	discards = goal.Pattern(`(?i)\b(?:start(?:ing)? over|(?:forget|scrap) (?:it|the plan|everything))[\s.!,;:]*$`)
)

// newPlan drafts a plan from the words of a message, or returns what to ask.
func newPlan(s goal.Situation) (goal.Draft, string) {
	today := midnight(s.Now)
	message := s.Message
	first, message := takeDay(message, startsAt(), today)
	last, message := takeDay(message, endsBy(), today)
	budget, message := takeHours(message)
	topic := strings.Trim(leadIn().ReplaceAllString(strings.TrimSpace(message), ""), " .!?,;")
	phases := []string{}
	if found := phaseList().FindStringSubmatchIndex(topic); found != nil {
		phases = betweens().Split(strings.Trim(topic[found[2]:found[3]], " .!"), -1)
		topic = strings.Trim(topic[:found[0]], " .!?,;:")
	}
	if !letters().MatchString(idle().ReplaceAllString(topic, " ")) || goal.Approves(s.Message) || asks().MatchString(s.Message) ||
		remark().MatchString(topic) || s.Preview != nil && discards().MatchString(s.Message) {
		stands := "There is no plan yet."
		if s.Preview != nil {
			stands = "The plan stands until there is another."
		}
		return goal.Draft{}, stands + " What is your goal? For example: \"Build a portfolio website: design, development and launch\"."
	}
	if found := deadline().FindString(topic); found != "" {
		return goal.Draft{}, fmt.Sprintf("Which day is %q? Say your goal again, with the day as in \"by 2027-01-31\".", found)
	}
	if found := rate().FindString(topic); found != "" {
		return goal.Draft{}, fmt.Sprintf("I cannot plan for %q. Say your goal again, with how many hours there are in all, as in \"within 20 hours\", or the day it must be done, as in \"by 2027-01-31\".", found)
	}
	topic = clip(topic, 120)
	draft := goal.Draft{Title: title(article().ReplaceAllString(topic, ""))}
	draft.Milestones = milestonesFor(topic, phases)
	if limit, limited := s.Limit(draft); limited {
		budget = min(budget, limit)
	}
	if budget < quarter {
		return goal.Draft{}, "There are no hours left to plan with: " + goal.Number(budget) + " is the most. Give me some hours, and I will plan."
	}
	for !shrink(s.Pending(draft), budget) {
		dropLast(&draft)
	}
	if first.IsZero() {
		first = today.AddDate(0, 0, 1)
	}
	return place(s, draft, window{first: first, last: last})
}

// takeDay takes the day that a pattern finds out of the message.
func takeDay(message string, pattern *regexp.Regexp, today time.Time) (time.Time, string) {
	found := pattern.FindStringSubmatchIndex(message)
	if found == nil {
		return time.Time{}, message
	}
	day, ok := dayOf(message[found[2]:found[3]], today)
	if !ok {
		return time.Time{}, message
	}
	return day, message[:found[0]] + message[found[1]:]
}

// takeHours takes a number of hours out of the message, without end where it has none.
func takeHours(message string) (float64, string) {
	found := within().FindStringSubmatchIndex(message)
	if found == nil {
		return math.Inf(1), message
	}
	hours, err := strconv.ParseFloat(message[found[2]:found[3]], 64)
	if err != nil {
		return math.Inf(1), message
	}
	return hours, message[:found[0]] + message[found[1]:]
}

// builds are goals that end in something built; what it matches first is not
// what the goal is about.
var builds = goal.Pattern(`(?i)^(?:(?:build|create|make|develop|design|launch|open|set up|start|code|program)\s+|` +
	`(?:(?:an?|the|my|our)\s+)?(?:[\w-]+\s+){0,2}?(?:web ?site|app|application|site|blog|portfolio|shop|store|game|tool|api|dashboard|prototype|product)\b)`)

// What is built and other goals are gone about in these milestones of two tasks;
// %s is what the goal is about, up to its first comma.
var (
	building = [][3]string{
		{"Design %s", "Write down what %s must do", "Sketch %s"},
		{"Build %s", "Build the first version of %s", "Fill in what %s still lacks"},
		{"Launch %s", "Try %s with someone else", "Publish %s"},
	}
	anything = [][3]string{
		{"Prepare: %s", "Find out what it takes", "Gather what is needed"},
		{"Do: %s", "The first half", "The second half"},
		{"Review: %s", "Check the result", "Fix what is open"},
	}
)

// milestonesFor words the milestones from the message: those it lists, or
// those of its kind of goal.
func milestonesFor(topic string, phases []string) []goal.Milestone {
	var list []goal.Milestone
	for _, phase := range phases {
		phase = strings.Trim(phase, " .!\"'")
		if phase != "" && len(list) < 12 {
			list = append(list, milestone(title(clip(phase, 80)), "Prepare "+lower(clip(phase, 80)), "Carry out "+lower(clip(phase, 80))))
		}
	}
	if len(list) > 0 {
		return list
	}
	about, way := topic, anything
	if found := builds().FindString(topic); found != "" {
		way = building
		if strings.HasSuffix(found, " ") {
			about = topic[len(found):]
		}
	}
	about, _, _ = strings.Cut(article().ReplaceAllString(about, "the "), ",")
	for _, m := range way {
		words := func(i int) string { return strings.ReplaceAll(m[i], "%s", about) }
		list = append(list, milestone(words(0), words(1), words(2)))
	}
	return list
}

func milestone(name string, tasks ...string) goal.Milestone {
	m := goal.Milestone{Title: name}
	for _, task := range tasks {
		m.Tasks = append(m.Tasks, goal.Task{Title: task, EstimatedHours: taskHours})
	}
	return m
}

// quarter is the least that a task is shortened to, and by how much.
const quarter = 0.25

// shrink shortens the tasks until they keep within so many hours: all in
// proportion, then the longest ones. It reports whether they do.
func shrink(tasks goal.Pending, hours float64) bool {
	if tasks.Within(hours) {
		return true
	}
	if len(tasks) == 0 {
		return false
	}
	scale := hours / tasks.Hours()
	for _, task := range tasks {
		shortest := max(quarter, math.Floor(task.EstimatedHours*scale/quarter)*quarter)
		task.EstimatedHours = min(task.EstimatedHours, shortest)
	}
	for !tasks.Within(hours) {
		longest := slices.MaxFunc(tasks, func(a, b *goal.Task) int { return cmp.Compare(a.EstimatedHours, b.EstimatedHours) })
		if longest.EstimatedHours <= quarter {
			return false
		}
		longest.EstimatedHours = max(quarter, longest.EstimatedHours-quarter)
	}
	return true
}

// dropLast takes the last task off a draft, and its milestone with it if it was the only one.
func dropLast(d *goal.Draft) {
	last := &d.Milestones[len(d.Milestones)-1]
	last.Tasks = last.Tasks[:len(last.Tasks)-1]
	if len(last.Tasks) == 0 {
		d.Milestones = d.Milestones[:len(d.Milestones)-1]
	}
}

// window is when tasks may be placed: from a day on, until a day where that is
// set. A window that the user named may share its days with what is on there.
type window struct {
	first, last time.Time
	named       bool
	exact       bool // the first day is meant, weekend or not
}

// workday is the most hours of a day that tasks are placed on together.
const workday = 8.0

// place gives each task without a date a day in the window.
func place(s goal.Situation, d goal.Draft, w window) (goal.Draft, string) {
	d = d.Clone()
	for i := range d.Milestones {
		for j := range d.Milestones[i].Tasks {
			if task := &d.Milestones[i].Tasks[j]; task.Date == "" {
				if task.Date = w.day(s, d, task.EstimatedHours); task.Date == "" {
					return goal.Draft{}, fmt.Sprintf("Your calendar has no room for %q between %s and %s. Which other days would do?",
						task.Title, w.first.Format(dayForm), w.last.Format(dayForm))
				}
			}
		}
	}
	return d, ""
}

// day returns the next weekday of the window that is free; in one that the
// user named, else the first that has room for so many hours, days without
// anything in the calendar before others.
func (w window) day(s goal.Situation, d goal.Draft, hours float64) string {
	last := w.last
	if last.IsZero() {
		last = w.first.AddDate(2, 0, 0)
	}
	if !w.named || !w.last.IsZero() {
		if free := s.FreeDays(d, w.first, last, 1); len(free) > 0 || !w.named {
			return strings.Join(free, "")
		}
	}
	shared := ""
	for day := w.first; !day.After(last); day = day.AddDate(0, 0, 1) {
		name := day.Format(dayForm)
		if goal.Weekend(day) && !(w.exact && day.Equal(w.first)) || s.Taken(d, name)+hours > workday {
			continue
		}
		if s.Taken(goal.Draft{}, name) == 0 {
			return name
		}
		if shared == "" {
			shared = name
		}
	}
	return shared
}

func lower(text string) string {
	runes := []rune(text)
	if len(runes) > 1 && strings.ToUpper(string(runes[1])) == string(runes[1]) { // an abbreviation
		return text
	}
	return strings.ToLower(string(runes[0])) + string(runes[1:])
}

func clip(text string, most int) string {
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}
