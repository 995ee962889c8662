package emulator

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// policyName is the file with who may decide, for commands that work on the
// folder while nobody serves it, and for verify.
const policyName = "state.policy"

// Standing says who may decide in a data folder: as the server said that served it last.
type Standing struct {
	ledger.Decisions
	Since time.Time `json:"since"`
}

// ReadStanding reads the policy of the folder that a state file lies in. It is
// zero where the file is no server's.
func ReadStanding(db string) (s Standing, err error) {
	if filepath.Base(db) != StateName {
		return s, nil
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(db), policyName))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, errs.Wrap(errs.Internal, err, "%s beside %s cannot be read, so that nobody knows who may decide here. Start the server again: it writes it anew.", policyName, StateName)
	}
	return s, nil
}

// stand writes down the policy that a server has. One that has not changed is as
// old as it was.
func stand(f *DataFolder, from Settings, now time.Time) error {
	s := Standing{from.decisions, now.UTC()}
	if before, err := ReadStanding(f.statePath()); err == nil && !before.Since.IsZero() && reflect.DeepEqual(before.Decisions, s.Decisions) {
		return nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(f.path, policyName)
	if err = os.WriteFile(path+".part", append(text, '\n'), 0o600); err == nil {
		err = os.Rename(path+".part", path)
	}
	if err != nil {
		return errs.Wrap(errs.Unavailable, err, "%s cannot be written: is the disk full?", policyName)
	}
	return nil
}
