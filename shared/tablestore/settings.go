package tablestore

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
)

// earlier is the metadata of settings that were said of an earlier table.
func earlier(from *plannerapi.RememberedLayout) map[string]string {
	if from == nil {
		return nil
	}
	return map[string]string{
		metaSaidBy: encodedNames([]string{from.By}), metaEarlierBy: from.By, metaEarlierFile: from.File,
		metaEarlierAt: from.At.UTC().Format(time.RFC3339Nano),
	}
}

// earlierIn is what is said in an object's metadata of an earlier table; nil: nothing is.
func earlierIn(object bucket.Object) *plannerapi.RememberedLayout {
	at, err := time.Parse(time.RFC3339Nano, object.Metadata[metaEarlierAt])
	if err != nil {
		return nil
	}
	return &plannerapi.RememberedLayout{
		By:   object.Metadata[metaEarlierBy],
		At:   at,
		File: object.Metadata[metaEarlierFile],
	}
}

func encoded(settings map[string]string) string {
	values := url.Values{}
	for name, value := range settings {
		values.Set(name, value)
	}
	return values.Encode()
}

func encodedNames(names []string) string { return url.Values{"by": names}.Encode() }

func namesIn(object bucket.Object) []string {
	values, _ := url.ParseQuery(object.Metadata[metaSaidBy]) // of our own writing
	return values["by"]
}

func settingsIn(object bucket.Object) map[string]string {
	values, _ := url.ParseQuery(object.Metadata[metaSettings]) // of our own writing
	settings := map[string]string{}
	for name := range values {
		settings[name] = values.Get(name)
	}
	return settings
}

// withName adds a name to a list that does not have it. Names compare without case.
func withName(names []string, name string) []string {
	if name == "" ||
		slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(known, name) }) {
		return names
	}
	return append(names, name)
}

// settingsObjects are the objects of a table's settings since it was sent, the newest first. Those
// before it are on their way out.
func (s *Tables) settingsObjects(ctx context.Context, id string) (all []bucket.Object, err error) {
	for object, err := range bucket.Under(ctx, s.Bucket, id+"/settings-") {
		if err != nil {
			return nil, err
		}
		all = append(all, object)
	}
	slices.SortFunc(all, func(a, b bucket.Object) int { return cmp.Compare(b.Name, a.Name) })
	return all, nil
}

// maxSaid is how often it can be said how a table is read.
const maxSaid = 999

// Say has a table be read by these settings, by everybody who names it from now on, as
// somebody says.
// Exhausted: that was said too often. Conflict: another has just said it.
func (s *Tables) Say(ctx context.Context, held Table, by string, settings map[string]string) (Table, error) {
	return s.say(ctx, held, by, settings, nil)
}

// SayAgain says of a table what somebody said of an earlier one; nil: nobody said anything of
// one with its header. Errors are those of Say.
func (s *Tables) SayAgain(
	ctx context.Context, held Table, settings map[string]string, from *plannerapi.RememberedLayout,
) (Table, error) {
	by := ""
	if from != nil {
		by = from.By
	}
	return s.say(ctx, held, by, settings, from)
}

func (s *Tables) say(
	ctx context.Context, held Table, by string, settings map[string]string, from *plannerapi.RememberedLayout,
) (Table, error) {
	said, err := s.settingsObjects(ctx, held.ID)
	if err != nil {
		return Table{}, err
	}
	number := 1
	if len(said) > 0 {
		held.SaidBy = namesIn(said[0])
		if _, err := fmt.Sscanf(said[0].Name, held.ID+"/settings-%d", &number); err != nil {
			return Table{}, errs.Wrap(errs.Internal, err, "The settings of the table %s cannot be read.",
				held.ID)
		}
		number++
	}
	if number > maxSaid {
		return Table{}, errs.New(errs.Exhausted,
			"It was said %d times how the table %s is read. Send it again.", maxSaid, held.ID)
	}
	held.Settings = settings
	held.SaidBy = withName(held.SaidBy, by)
	held.Remembered = from
	held.Unread = false
	options := bucket.CreateOptions{ContentType: "text/plain", Metadata: earlier(from)}
	if options.Metadata == nil {
		options.Metadata = map[string]string{}
	}
	options.Metadata[metaSettings] = encoded(settings)
	options.Metadata[metaSaidBy] = encodedNames(held.SaidBy)
	upload, err := s.Bucket.Create(ctx, fmt.Sprintf("%s/settings-%03d", held.ID, number), options)
	if err != nil {
		return Table{}, err
	}
	defer upload.Abandon()
	if _, err = upload.Commit(); err != nil {
		if errs.KindOf(err) == errs.Conflict {
			err = errs.Wrap(errs.Conflict, err,
				"Somebody has just said how this table is read. Look at it anew.")
		}
		return Table{}, err
	}
	for _, before := range said { // one that stays counts no more, and goes with the table
		_ = s.Bucket.Remove(ctx, before.Name, before.Generation)
	}
	return held, nil
}
