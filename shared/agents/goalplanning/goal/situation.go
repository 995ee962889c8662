package goal

import (
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
	KeyTotal     = "totalHours"   // the most hours of the whole plan, as the user said; null or absent: no limit
	KeyUnmet     = "unmetMessage" // what was said last and changed nothing of the preview; "" once the preview was shown since
)

// Steps of a session.
const (
	StepGenerated = "plan_generated" // the first preview, or none yet
	StepIteration = "plan_iteration" // a later preview
	StepFinalized = "finalized"
)

// Situation is all that a turn knows when it plans.
type Situation struct {
	Message    string         // in one line, its words apart by one space
	Preview    *Draft         // nil before the first
	StartsOver bool           // the message wants another plan than that in Preview
	Raw        map[string]any // the preview as it is stored
	Hours      *float64       // left in all; nil is no limit
	Total      *float64       // of the whole plan, as was said before; nil is no limit
	Unmet      string         // the message that changed nothing, since which the preview was not shown
	Upcoming   []Busy
	Now        time.Time // in the user's zone
	Language   string

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
	if value := get(KeyUpcoming); value != nil {
		s.Upcoming = decodeBusy(field(value, list))
	}
	if problems := list.Problems(); problems != nil && err == nil {
		err = unreadable(strictjson.Summary(problems))
	}
	return s, err
}

// ReadBasics is Read without Preview and Upcoming, which are costly to read.
func ReadBasics(get func(key string) any, message string, now time.Time) (Situation, error) {
	s := Situation{Message: strings.Join(strings.Fields(message), " "), Step: StepGenerated, Active: true}
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
	if total, ok := get(KeyTotal).(float64); ok {
		s.Total = &total
	}
	s.Unmet, _ = get(KeyUnmet).(string)
	switch left := get(KeyHours).(type) {
	case nil:
	case float64:
		s.Hours = &left
	default:
		return s, unreadable(KeyHours + " is not a number")
	}
	return s, nil
}

func unreadable(why string) error {
	return errs.New(errs.Invalid, "The context of this session cannot be read: %s.", why)
}

// AsksAgain reports whether the message approves what was not shown since a message
// that changed nothing: who said "add tests", was not understood and says "yes" may
// mean the plan with tests.
func (s Situation) AsksAgain() bool {
	return s.Raw != nil && s.Unmet != "" && Approves(s.Message)
}

// UnmetAfter is the message of which Unmet tells after a turn. One that approves asks
// for nothing that could be left undone.
func (s Situation) UnmetAfter(turn Output) string {
	switch {
	case turn.Action.Type != None || s.AsksAgain():
		return ""
	case s.Raw == nil || s.Message == "" || s.Closed() || Approves(s.Message):
		return s.Unmet
	}
	return strictjson.Shorten(s.Message)
}

// Closed reports whether the goal is final: nothing more is planned in this session.
func (s Situation) Closed() bool { return s.Step == StepFinalized }
