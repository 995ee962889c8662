package planner

import (
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// draftRequest asks for the rules that an instruction says, finished or not.
type draftRequest struct {
	instruction              string
	table                    string // the id of a held table; "": there is none
	zone                     *time.Location
	categories, brands, tags []string
}

func (d *draftRequest) read(body *strictjson.Object) {
	field := body.Required("instruction")
	var given bool
	d.instruction, given = field.String()
	if n := utf8.RuneCountInString(d.instruction); given &&
		(n < plan.MinInstructionLength || n > plan.MaxInstructionLength) {
		field.Problem("must be %d to %d characters, but is %d",
			plan.MinInstructionLength, plan.MaxInstructionLength, n)
	}
	d.zone = readZone(body.Optional("time_zone"))
	d.categories = readNames(body.Optional("categories"))
	d.brands, d.tags = readNames(body.Optional("brands")), readNames(body.Optional("tags"))
	field = body.Optional("table")
	if d.table, given = field.String(); given && (d.categories != nil || d.brands != nil || d.tags != nil) {
		field.Problem("has its own names: give no categories, brands or tags beside it")
	}
}

// readZone reads in which time zone the times of an instruction are.
func readZone(field strictjson.Field) *time.Location {
	name, given := field.String()
	if !given {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		field.Problem("%q is no time zone: write one as Europe/Berlin is", name)
	}
	return zone
}

// makeDraft answers POST /v1/drafts: what our own reader understands of an instruction, as
// rules that a person finishes. It asks no model and stores nothing.
func (h handler) makeDraft(w http.ResponseWriter, r *http.Request) (any, error) {
	var request draftRequest
	if err := web.ReadObject(w, r, request.read); err != nil {
		return nil, err
	}
	names := planning.Names{Categories: request.categories, Brands: request.brands, Tags: request.tags}
	if request.table != "" {
		over, err := h.tableOf(r, request.table)
		if err != nil {
			return nil, err
		}
		if names, err = h.namesIn(r.Context(), over, request.instruction); err != nil {
			return nil, err
		}
	}
	asked := planning.Request{
		Instruction: request.instruction,
		Names:       names,
		CreatedAt:   h.now(),
		Zone:        request.zone,
	}
	return h.reader.Draft(planning.DraftRequest{Request: asked}), nil
}
