package offline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

const taskHours = 2.0 // of a task, where there is no limit

var (
	// leadIn is what people say before the goal itself.
	leadIn = goal.Pattern(`(?i)^\s*(?:(?:hi|hello|hey|please|thanks|no|ok|okay|so|well|instead|let'?s start over|start(?:ing)? over|from scratch|forget (?:it|the plan)|scrap (?:it|the plan|everything)|(?:a )?(?:new|another|different) plan)[,!:. ]+)*` +
		`(?:(?:can|could|would|will) you\s+(?:please\s+)?|please\s+|i(?:'d| would) like(?: you)? to\s+|i (?:want|need|plan|intend|have) (?:you )?to\s+|i(?:'m| am) (?:going|planning) to\s+|let'?s\s+|help me(?: to)?\s+|my goal is(?: to)?\s+|the goal is(?: to)?\s+|goal:\s*)*` +
		`(?:(?:help me\s+)?(?:make|create|draft|write|give|build|prepare|set up|draw up)(?: me)? (?:a |an |the |my )?(?:goal |project |study |training |work |weekly )?plan\s+(?:for|to|on|about)\s+|plan(?: for| to)?\s+)?(?:how to\s+)?(?:my goal (?:of|to)\s+)?`)
	// beyond is what is not planned here: days, rates, and phases that the message lists.
	beyond = goal.Pattern(`(?i)\b(?:by|before|until|due|start(?:ing)?|from|begin(?:ning)?|in|within|over|on|this|next)\s+(?:on |the |in |next )*(?:end of\b|` + dayWord + `).*$|` +
		`\b(?:by|before|until|due|starting|from)\s+(?:on |the )?\d.*$|\b(?:within|in|under|at most|up to)\s+[-−]\s?\d.*$|` +
		`\b(?:(?:\d+|once|twice|one|two|three|four|five|six)(?: (?:times|days|hours|evenings|sessions))?,? (?:a|per|each|every)|every|each) (?:day|week|weekend|month|morning|evening)\b|` +
		`:.*$|\b(?:with|in) (?:the )?(?:milestones|phases|steps|parts)\b.*$`)
	within = goal.Pattern(`(?i)[,;]?\s*(?:\b(?:and|but)\s+)?(?:\bkeep\s+(?:it|the total|total hours|the total hours|everything)?\s*)?\b(?:within|in|under|at most|up to|max(?:imum)?|no more than|for)\s+(\d{1,5}(?:\.\d+)?)\s*(?:hours?|hrs?|h)\b(?:\s+(?:in total|total|overall|altogether))?`)
	// deadline is the day by which all is to be done.
	deadline = goal.Pattern(`(?i)[,;]?\s*\b(?:by|until|no later than)\s+(?:on )?(\d{4}-\d{2}-\d{2}\b|` + dateWords + `)`)
	article  = goal.Pattern(`(?i)^an? `)
	instead  = goal.Pattern(`(?i)[\s,]+instead[\s.!]*$`) // of what stands
	letters  = goal.Pattern(`\p{L}{2,}`)
	// noGoal is what people ask, say about a plan, and say to be rid of it.
	noGoal = goal.Pattern(`(?i)^\s*(?:what|why|who|whose|when|where|which|is|are|am|was|were|do|does|did|has|have)\b.*\?\s*$|` +
		`^(?:this|that|it|the plan)(?:['’]s| is| was| looks| sounds)\b|\b(?:start(?:ing)? over|(?:forget|scrap) (?:it|the plan|everything))[\s.!,;:]*$`)
)

const (
	dayWord = `(?:yesterday|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week(?:end)?|(?:\d+ )?(?:days?|weeks?|months?|years?)|` +
		monthWord + `|spring|summer|autumn|winter)\b`
	monthWord = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
)

// newPlan drafts a plan from the words of a message, or returns what to ask.
func newPlan(s goal.Situation) (goal.Draft, string) {
	budget, message := takeHours(s.Message)
	w, message, question := takeDeadline(message, s.Now)
	if question != "" {
		return goal.Draft{}, question
	}
	topic := strings.Trim(leadIn().ReplaceAllString(instead().ReplaceAllString(strings.TrimSpace(message), ""), ""), " .!?,;")
	if !letters().MatchString(idle().ReplaceAllString(topic, " ")) || goal.Approves(s.Message) || noGoal().MatchString(s.Message) || noGoal().MatchString(topic) {
		stands := "There is no plan yet."
		if s.Preview != nil {
			stands = "The plan stands until there is another."
		}
		return goal.Draft{}, stands + " What is your goal? For example: \"Build a portfolio website within 20 hours\"."
	}
	if found := beyond().FindString(topic); found != "" {
		return goal.Draft{}, fmt.Sprintf("Without a model I cannot plan for %q. Say your goal without it, and how many hours there are in all, as in \"within 20 hours\"; then move its milestones to the days that you want.", found)
	}
	topic = clip(topic, 120)
	draft := goal.Draft{Title: title(article().ReplaceAllString(topic, "")), Milestones: milestonesFor(topic)}
	if limit, limited := s.Limit(draft); limited {
		budget = min(budget, limit)
	}
	if !shrink(s.Pending(draft), budget) {
		return goal.Draft{}, fmt.Sprintf("There are too few hours left to plan with: %s is the most. Give me more, and I will plan.", goal.Number(budget))
	}
	return draft, w.place(s, draft)
}

// takeDeadline takes the day out of the message by which all is to be done, and returns
// the days that there are till then, or what to ask.
func takeDeadline(message string, now time.Time) (w window, rest, question string) {
	w, _ = windowOf("", now)
	found := deadline().FindStringSubmatchIndex(message)
	if found == nil {
		return w, message, ""
	}
	words := message[found[2]:found[3]]
	end, question := windowOf(words, now)
	if question == "" && end.last.Before(w.first) {
		question = fmt.Sprintf("Nothing can be planned till %s. By which day do you mean?", words)
	}
	return window{w.first, end.last}, message[:found[0]] + message[found[1]:], question
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

// milestonesFor words the milestones of a kind of goal from the message.
func milestonesFor(topic string) (list []goal.Milestone) {
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

// whenWords is every way of naming days that is understood here.
const (
	whenWords = `(?:today|tomorrow|next week|(?:on )?(?:\d{4}-\d{2}-\d{2}|` + dateWords + `))`
	dateWords = `(?:the )?(?:(?:` + dayNumber + `(?: of)? ` + monthWord + `|` + monthWord + ` ` + dayNumber + `)\b(?:,? \d{4}\b)?)`
	dayNumber = `\d{1,2}(?:st|nd|rd|th)?`
)

var inDate = goal.Pattern(`^(?:the )?(?:(\d+)\w*(?: of)? (` + monthWord + `)|(` + monthWord + `) (\d+)\w*)(?:,? (\d+))?$`)

// dayOf reads a date such as "10 january 2027" or "january 10th", the next of it where no
// year is said.
func dayOf(words string, today time.Time) (day time.Time, known bool) {
	found := inDate().FindStringSubmatch(words)
	if found == nil {
		return day, false
	}
	number, _ := strconv.Atoi(found[1] + found[4])
	month := time.Month(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", (found[2] + found[3])[:3])/3 + 1)
	year, err := strconv.Atoi(found[5])
	if err != nil {
		year = today.Year()
	}
	day = time.Date(year, month, number, 0, 0, 0, 0, today.Location())
	if err != nil && day.Before(today) {
		day = day.AddDate(1, 0, 0)
	}
	return day, day.Day() == number
}

// window is when tasks may be placed: one day, or the weekdays from one to another.
type window struct{ first, last time.Time }

// windowOf returns the days that words name, two years from tomorrow on where there
// are none, or what to ask.
func windowOf(words string, now time.Time) (window, string) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	tomorrow := today.AddDate(0, 0, 1)
	switch words = strings.TrimPrefix(strings.ToLower(words), "on "); words {
	case "":
		return window{tomorrow, today.AddDate(2, 0, 0)}, ""
	case "today":
		return window{today, today}, ""
	case "tomorrow":
		return window{tomorrow, tomorrow}, ""
	case "next week":
		monday := today.AddDate(0, 0, 7-(int(today.Weekday())+6)%7)
		return window{monday, monday.AddDate(0, 0, 4)}, ""
	}
	day, err := time.ParseInLocation(dayForm, words, now.Location())
	known := err == nil
	if !known {
		day, known = dayOf(words, today)
	}
	if !known || day.Before(today) {
		return window{}, fmt.Sprintf("%q is no day that can still be planned. Which day do you mean?", words)
	}
	return window{day, day}, ""
}

const (
	dayForm = "2006-01-02"
	workday = 8.0 // the most hours of a day that tasks are placed on together
)

// place gives each task of a draft that has no date the freest day of the window, or
// returns what to ask.
func (w window) place(s goal.Situation, d goal.Draft) (question string) {
	for _, m := range d.Milestones {
		for i := range m.Tasks {
			task := &m.Tasks[i]
			if task.Date != "" {
				continue
			}
			day, taken := s.FreestDay(d, w.first, w.last)
			if taken+task.EstimatedHours > workday {
				return fmt.Sprintf("Your calendar has no room for %q between %s and %s. Which other days would do?",
					task.Title, w.first.Format(dayForm), w.last.Format(dayForm))
			}
			task.Date = day
		}
	}
	return ""
}

// title begins a text with a capital letter.
func title(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

func clip(text string, most int) string {
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}
