package console

import (
	"net/url"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
)

// times are the fields for when a plan is applied and taken back: with what holds,
// or with what was typed and refused.
type times struct {
	Apply, Revert timeField
	Problem       string // why what was typed is refused; "" where nothing was
	Optional      bool   // there may be no time for applying it either
}

// timeField is one of them.
type timeField struct {
	Text string    // as a field of date and time has it
	At   time.Time // that it says, which our module writes in the reader's zone; zero where it was typed
}

// fieldLayout is how a field of date and time writes one.
const fieldLayout = "2006-01-02T15:04"

// planned are those that the plan has.
func (p planView) planned() times {
	return times{Apply: timeFieldOf(p.Plan.ApplyAt), Revert: timeFieldOf(p.Plan.RevertAt)}
}

func timeFieldOf(stored string) timeField {
	at, err := time.Parse(time.RFC3339Nano, stored)
	if err != nil { // there is none
		return timeField{}
	}
	return timeField{at.Local().Format(fieldLayout), at}
}

// after are those that are still to come.
func (t times) after(now time.Time) times {
	for _, field := range []*timeField{&t.Apply, &t.Revert} {
		if !field.At.After(now) {
			*field = timeField{}
		}
	}
	return t
}

// typedTimes are what a form was sent with and refused for; nil where it has no times,
// or was not refused.
func typedTimes(form url.Values, err error) *times {
	if errs.KindOf(err) != errs.Invalid || !form.Has("apply_at") {
		return nil
	}
	return &times{
		Apply:   timeField{Text: form.Get("apply_at")},
		Revert:  timeField{Text: form.Get("revert_at")},
		Problem: errs.Message(err),
	}
}

// setTimes sets those that a form has fields for, and leaves others as they are.
func setTimes(terms *plan.Terms, form url.Values) (err error) {
	for name, at := range map[string]*string{"apply_at": &terms.ApplyAt, "revert_at": &terms.RevertAt} {
		if !form.Has(name) {
			continue
		}
		if *at, err = momentIn(form.Get(name), form.Get("zone")); err != nil {
			return err
		}
	}
	if form.Has("apply_at") && plannerapi.IsPast(terms, time.Now()) {
		return errs.New(errs.Invalid,
			"The time in “Starts” is past. Choose a later one, or leave it empty to start at once.")
	}
	if terms.ApplyAt != "" && terms.RevertAt != "" && !terms.RevertTime().After(terms.ApplyTime()) {
		return errs.New(errs.Invalid, "The change would end before it starts, or at the same time. Choose a later time for “Ends”, or an earlier one for “Starts”.")
	}
	return nil
}

// momentIn reads what a field of date and time holds, in the reader's zone; without script, which
// tells it, in the server's.
func momentIn(text, zone string) (string, error) {
	if text == "" {
		return "", nil
	}
	location, err := zoneOf(zone)
	if err != nil {
		return "", err
	}
	clock, err := time.Parse(fieldLayout, text)
	if err != nil {
		return "", errs.Wrap(errs.Invalid, err, "%q is no date and time. Write it as 2026-05-04T18:30.", text)
	}
	switch moments := plan.Moments(clock, location); len(moments) {
	case 0:
		return "", errs.New(errs.Invalid, "There is no %s in the time zone %s: the clocks are put forward then. Choose an earlier or later time.", text, location)
	case 1:
		return moments[0].Format(time.RFC3339), nil
	default:
		return "", errs.New(errs.Invalid, "%s comes twice in the time zone %s, for the clocks are put back then. Choose an earlier or later time.", text, location)
	}
}

// zoneOf is the time zone of a name, as browsers tell it.
func zoneOf(name string) (*time.Location, error) {
	if name == "" {
		return time.Local, nil
	}
	location, err := time.LoadLocation(name)
	if err != nil || name == "Local" { // nobody's
		return nil, errs.New(errs.Invalid, "The time zone %q, which your browser tells, is not known here. Set another one on your device, or make the plan by \"planwright plan --apply-at 2026-05-04T18:30:00+02:00\".", name)
	}
	return location, nil
}
