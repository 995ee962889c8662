package goal

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// Keys of the session's state.
const (
	KeyPreview   = "goalPreview"        // the stored draft, an object
	KeyHours     = "availableHoursLeft" // a number; absent: no limit
	KeyUpcoming  = "upcomingTasks"      // [{title, date, estimatedHours}]; absent: none
	KeyZone      = "time_zone"          // IANA; absent: UTC
	KeyLanguage  = "preferred_language" // of replies; absent: that of the message
	KeyRouting   = "routing"            // finalize_only or needs_planning
	KeyConsent   = "detectedConsent"    // a boolean
	KeyProposed  = "proposed_plan"      // the draft that PlanAgent proposed last
	KeyOutput    = "final_output"       // the standard output, an object
	KeyResponse  = "final_response"     // the same, under the name that existing back ends read
	KeyStep      = "step"
	KeyIteration = "iteration"
	KeyActive    = "sessionActive"
	KeyBlocked   = "unavailable" // [{weekday, date, from, to}]; absent: none
	KeyDeadline  = "deadline"    // YYYY-MM-DD; null or absent: none
	// what the user said of their hours, so that it outlasts what a client brings
	KeyTold     = "toldHours"
	KeyPrevious = "previousPlan" // the preview, and what was told, before the last change
	// what was said last and changed nothing of the preview; "" once the preview was shown since
	KeyUnmet = "unmetMessage"
)

// Steps of a session.
const (
	stepGenerated = "plan_generated" // the first preview, or none yet
	stepIteration = "plan_iteration" // a later preview
	stepFinalized = "finalized"
)

// Situation is all that a turn knows when it plans.
type Situation struct {
	Message    string         // in one line, its words apart by one space
	Preview    *Draft         // nil before the first
	StartsOver bool           // the message wants another plan than that in Preview
	Raw        map[string]any // the preview as it is stored
	Hours      *float64       // left in all, as the client has it; nil is no limit
	Told       Hours          // what the user said of their time
	Unmet      string         // the last message, where it asked for something that was not done
	Upcoming   []Busy         // of the client and of the user

	previous    string // what an undo goes back to, as it is stored
	rawUpcoming []any
	Now         time.Time // in the user's zone
	Language    string

	Step      string
	Iteration int
	Active    bool
}

// Read takes the situation from a session's state. State that was checked when
// a client brought it is readable; anything else is an error.
func Read(get func(key string) any, message string, now time.Time) (Situation, error) {
	s, err := ReadBasics(get, message, now)
	list := &strictjson.List{}
	if s.Raw != nil {
		draft := DecodeDraft(field(s.Raw, list))
		s.Preview = &draft
	}
	if value := get(KeyUpcoming); !empty(value) {
		s.Upcoming = decodeBusy(field(value, list))
		s.rawUpcoming, _ = value.([]any)
	}
	s.Upcoming = union(s.Upcoming, s.Told.Meetings)
	s.previous, _ = get(KeyPrevious).(string)
	if problems := list.Problems(); problems != nil && err == nil {
		err = unreadable(strictjson.Summary(problems))
	}
	return s, err
}

// ReadBasics is Read without Preview and Upcoming, which are costly to read.
func ReadBasics(get func(key string) any, message string, now time.Time) (Situation, error) {
	s := Situation{Message: strings.Join(strings.Fields(message), " "), Step: stepGenerated, Active: true}
	if raw, ok := get(KeyPreview).(map[string]any); ok && len(raw) > 0 {
		s.Raw, s.StartsOver = raw, wantsAnother(s.Message)
	}
	name, _ := get(KeyZone).(string)
	location, err := zone(name)
	if err != nil {
		return s, unreadable("the time zone is not known")
	}
	s.Now = now.In(location)
	s.Language, _ = get(KeyLanguage).(string)
	if step, ok := get(KeyStep).(string); ok {
		s.Step = step
	}
	if iteration, ok := get(KeyIteration).(float64); ok {
		s.Iteration = int(iteration)
	}
	if active, ok := get(KeyActive).(bool); ok {
		s.Active = active
	}
	s.Unmet, _ = get(KeyUnmet).(string)
	switch left := get(KeyHours).(type) {
	case nil:
	case float64:
		s.Hours = &left
	default:
		return s, unreadable(KeyHours + " is not a number")
	}
	list := &strictjson.List{}
	s.Told = readHours(get, list)
	s.settleHours()
	if problems := list.Problems(); problems != nil {
		return s, unreadable(strictjson.Summary(problems))
	}
	return s, nil
}

func unreadable(why string) error {
	return errs.New(errs.Invalid, "The context of this session cannot be read: %s.", why)
}

// settleHours lets what the user said of the hours in all stand until the client
// brings another number than it had then, or takes its number back.
func (s *Situation) settleHours() {
	repeated := func(known *float64) bool {
		return known == nil && s.Hours == nil || known != nil && s.Hours != nil && *known == *s.Hours
	}
	if s.Told.Said && !repeated(s.Told.Over) && !repeated(s.Told.Wrote) {
		s.Told.Said, s.Told.Total = false, nil
	}
}

// AsksAgain reports whether the message approves although the one before it asked for
// something that was not done: who says "add tests", is not understood and says "yes"
// may mean the plan with tests.
func (s Situation) AsksAgain() bool {
	return s.Raw != nil && !s.Closed() && s.Unmet != "" && s.Approves()
}

// Hear returns the situation with what the message says of the user's time, and a
// sentence for each thing that is kept.
func (s Situation) Hear(c Context) (Situation, []string) {
	told, kept := s.Told.with(c, s.Hours)
	return s.Tell(told), kept
}

// Tell returns the situation with other hours. Meetings that are none any more go.
func (s Situation) Tell(told Hours) Situation {
	gone := func(b Busy) bool {
		return slices.Contains(s.Told.Meetings, b) && !slices.Contains(told.Meetings, b)
	}
	s.Upcoming = union(slices.DeleteFunc(slices.Clone(s.Upcoming), gone), told.Meetings)
	s.rawUpcoming = slices.DeleteFunc(slices.Clone(s.rawUpcoming), func(raw any) bool {
		return slices.ContainsFunc(s.Told.Meetings, func(b Busy) bool { return gone(b) && b.is(raw) })
	})
	s.Told = told
	return s
}

// Closed reports whether the goal is final. A change of mind opens it again.
func (s Situation) Closed() bool { return s.Step == stepFinalized }

// Previous is a plan and what was told of time, as they were.
type Previous struct {
	Preview map[string]any
	Told    Hours
}

// remembered is what an undo goes back to, in state.
type remembered struct {
	Preview  map[string]any `json:"goalPreview"`
	Told     Hours          `json:"toldHours"`
	Blocked  []Blocked      `json:"unavailable,omitempty"`
	Deadline string         `json:"deadline,omitempty"`
}

// Remember returns what an undo goes back to, which is what is now. It is JSON in a text,
// since a turn that undoes nothing only carries it.
func (s Situation) Remember() string {
	text, err := json.Marshal(remembered{s.Raw, s.Told, s.Told.Unavailable, s.Told.Deadline})
	if err != nil {
		panic(err) // it was read from state
	}
	return string(text)
}

// Previous returns what an undo goes back to, nil where there is nothing to undo.
func (s Situation) Previous() *Previous {
	var was remembered
	if err := json.Unmarshal([]byte(s.previous), &was); err != nil || len(was.Preview) == 0 {
		return nil
	}
	was.Told.Unavailable, was.Told.Deadline = was.Blocked, was.Deadline
	return &Previous{was.Preview, was.Told}
}
