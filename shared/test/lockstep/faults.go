package lockstep

import (
	"fmt"

	"github.com/planwright/planwright/shared/errs"
)

// Fault is a way in which one call can go wrong.
type Fault struct {
	Name string
	Fate Fate
}

// Faults are those that any port may have. How contention shows differs.
var Faults = []Fault{
	{"error before the effect", Fate{Err: errs.New(errs.Internal, "something nobody foresaw")}},
	{"effect done, reply lost", Fate{Err: errs.New(errs.Unavailable, "the reply was lost"), Effect: true}},
	{"timeout before the effect", Fate{Err: errs.New(errs.Deadline, "timed out")}},
	{"timeout after the effect", Fate{Err: errs.New(errs.Deadline, "timed out"), Effect: true}},
	{"unavailable", Fate{Err: errs.New(errs.Unavailable, "unavailable")}},
	{"permission denied", Fate{Err: errs.New(errs.Denied, "denied")}},
	{"worker lost before the effect", Fate{Crash: true}},
	{"worker lost after the effect", Fate{Crash: true, Effect: true}},
}

// At is a fault at the nth call to any port, counted from 1.
type At struct {
	Call  int
	Fault Fault
}

func (a At) String() string { return fmt.Sprintf("call %d: %s", a.Call, a.Fault.Name) }

// Script is the faults of one run; every other call is carried out.
type Script []At

// Fate is what the script has for the nth call.
func (s Script) Fate(call int) Fate {
	for _, at := range s {
		if at.Call == call {
			return at.Fault.Fate
		}
	}
	return CarriedOut
}

// Scripted runs a scenario with the faults of a script. It returns how many
// calls were made: a fault after the last of them did not happen.
type Scripted func(Script) (calls int, violation error)

// Singles runs a scenario with each fault at each of its calls.
func Singles(faults []Fault, run Scripted) (runs int, violation error) {
	violation = forEach(faults, run, func(At, int) error { runs++; return nil })
	return runs, violation
}

// Pairs runs a scenario with each fault at each of its calls, as Singles does,
// and with ordered pairs of faults: the second hits what was done about the
// first. It takes every nth pair, counted from first.
func Pairs(
	faults []Fault, run Scripted, every, first uint64,
) (singles int, runs, all uint64, violation error) {
	violation = forEach(faults, run, func(single At, calls int) error {
		singles++
		for n := single.Call + 1; n <= calls; n++ {
			for _, fault := range faults {
				if all++; (first+all)%every != 0 {
					continue
				}
				runs++
				if _, err := run(Script{single, {n, fault}}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return singles, runs, all, violation
}

// forEach runs a scenario with one fault at a time, until nothing is left to
// fail, and tells then how many calls the run made.
func forEach(faults []Fault, run Scripted, then func(single At, calls int) error) error {
	for _, fault := range faults {
		for n := 1; ; n++ {
			calls, err := run(Script{{n, fault}})
			if err != nil {
				return err
			}
			if calls < n {
				break
			}
			if err := then(At{n, fault}, calls); err != nil {
				return err
			}
		}
	}
	return nil
}
