package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"golang.org/x/sync/errgroup"
)

// result is what the rules of the page would do to its table.
type result struct {
	Preview *plannerapi.Preview
	LeftOut *plannerapi.Preview // what the exceptions keep from changing; nil where there are none
	// LeftOutKnown says that LeftOut has all products that the exceptions take out.
	LeftOutKnown bool
	Against      *plannerapi.Preview // those that would move the other way, where they are looked at
	BelowCost    map[int]int64       // how many products of a rule would end below their cost
	Scheduled    []scheduledOverlap
	Unnamed      []unnamed         // names of the table that no rule has
	Wrong        map[string]string // what is wrong with the rules, by the field of the page
	Fault        *tableFault       // why the table cannot be used for them
	Search       string
	TooLarge     bool // to be looked at
	state        editor
	rules        []rule
	// fixed says that nothing of it can be changed where it is shown, past that it was done,
	// and uncounted that it is not known how prices moved.
	fixed, past, uncounted bool
}

// samples are how many products are shown.
const samples = 10

// resultOf finds out what the rules would do.
func (c *Console) resultOf(r *http.Request, shown *newPage) (found result, err error) {
	operations, wrong := shown.operations()
	found = result{
		Wrong:    wrong,
		Search:   strings.TrimSpace(shown.Get("search")),
		TooLarge: shown.Table.TooLarge(),
		state:    shown.editor,
		rules:    shown.rules(),
	}
	if len(wrong) > 0 || found.TooLarge {
		return found, nil
	}
	look := rulesPreview{
		Console:    c,
		table:      shown.Get("table"),
		query:      url.Values{"search": {found.Search}},
		operations: operations,
	}
	decided(shown.Values).addTo(look.query)
	found.Preview, err = look.ask(r.Context(), operations, look.query)
	if errs.KindOf(err) == errs.Invalid {
		found.refused(err)
		return found, nil
	} else if err != nil {
		return found, err
	}
	look.seen = found.Preview.PreviewSHA256
	looks, ctx := errgroup.WithContext(r.Context())
	for _, more := range []func(context.Context, *result) error{
		look.leftOut, look.against, look.belowCost, look.scheduled,
	} {
		looks.Go(func() error {
			err := more(ctx, &found)
			if errs.KindOf(err) == errs.Invalid {
				return nil // of rules that the page made, for a table that has not what they need
			}
			return err
		})
	}
	return found, looks.Wait()
}

// rulesPreview looks at a table with rules.
type rulesPreview struct {
	*Console
	table      string
	query      url.Values
	operations []map[string]any
	seen       string // the hash of the preview of the rules themselves
}

// ask asks the planner what some rules would do. It returns nil with an error.
func (l rulesPreview) ask(
	ctx context.Context, operations []map[string]any, query url.Values,
) (*plannerapi.Preview, error) {
	var seen plannerapi.Preview
	body := map[string]any{"table": l.table, "operations": operations, "sample": samples}
	err := l.Planner.Send(ctx, http.MethodPost, "/v1/plans:preview"+queryOf(maps.Clone(query)), body, &seen)
	if err != nil {
		return nil, err
	}
	return &seen, nil
}

// maxLooked is how many further previews are remembered.
const maxLooked = 256

// further is ask for rules beside those of the page. What was seen of the same table, read
// in the same way, is remembered: the hash of the page's own preview stands for both.
func (l rulesPreview) further(
	ctx context.Context, operations []map[string]any, query url.Values,
) (*plannerapi.Preview, error) {
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, err
	}
	key := strings.Join([]string{l.seen, queryOf(maps.Clone(query)), string(text)}, "\x00")
	if found, known := l.looked.Get(key); known {
		return found, nil
	}
	found, err := l.ask(ctx, operations, query)
	if err == nil {
		l.looked.Add(key, found)
	}
	return found, err
}

// allowed is the query for rules beside those of the page: the names in them are refused,
// or allowed, with these.
func (l rulesPreview) allowed() url.Values {
	query := maps.Clone(l.query)
	query.Set("unmatched", "allow")
	return query
}

// with are the rules with one of their options set, or taken out where it is nil.
func (l rulesPreview) with(n int, option string, value any) []map[string]any {
	operations := slices.Clone(l.operations)
	operations[n] = maps.Clone(operations[n])
	options := maps.Clone(operations[n]["options"].(map[string]any))
	delete(options, option)
	if value != nil {
		options[option] = value
	}
	operations[n]["options"] = options
	return operations
}

// Finished reports whether the rules can be stored as they are.
func (f result) Finished() bool { return len(f.Wrong) == 0 && (f.Preview != nil || f.TooLarge) }

// Ready reports whether there is something to do, as far as that can be seen.
func (f result) Ready() bool {
	return f.Preview != nil && f.Preview.Summary.RowsChanged > 0 || f.TooLarge && f.Finished()
}

// Begun reports whether a rule says what to do: before, nothing is wrong yet.
func (f result) Begun() bool {
	return slices.ContainsFunc(f.rules, func(r rule) bool { return r.Begun() })
}

// Of are the figures of one rule; nil where there are none.
func (f result) Of(n int) *pricing.Rule {
	if f.Preview == nil || n >= len(f.Preview.Rules) {
		return nil
	}
	return &f.Preview.Rules[n]
}

// wrongIn is what is wrong with a field of the page, once its rule says what to do.
func (f result) wrongIn(r rule, name string) string {
	if !r.Begun() {
		return ""
	}
	return f.Wrong[r.Field(name)]
}

// Problems are all that is wrong, by rule.
func (f result) Problems() (all []string) {
	for _, r := range f.rules {
		var of []string
		for field, text := range f.Wrong {
			if n, name, ok := ruleField(field); ok && n == r.N {
				if c := conditionOf(name); c.Kind != "" {
					text = c.Label + ": " + text
				}
				of = append(of, fmt.Sprintf("Rule %d. %s", r.Number(), text))
			}
		}
		slices.Sort(of)
		all = append(all, of...)
	}
	return all
}

// renderPart answers with a part of a page.
func (c *Console) renderPart(w http.ResponseWriter, r *http.Request, name, part string, shown any) error {
	var body bytes.Buffer
	if err := templates()[name].ExecuteTemplate(&body, part, shown); err != nil {
		return err
	}
	send(w, r, http.StatusOK, body.Bytes())
	return nil
}
