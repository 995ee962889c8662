package names

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

func TestUnknownNamesAreTold(t *testing.T) {
	refused := &UnknownNamesError{More: 3, Names: []UnknownName{
		{Column: recognize.RoleCategory, Name: "Fitness", Excluded: true, Confirm: "reprice Fitness too", OperationIDs: []string{"op_01"}, Nearest: []string{"fitness", "Fitness Equipment"}},
		{Column: recognize.RoleCategory, Name: "Größe", OperationIDs: []string{"op_02"}, Nearest: []string{"Gro\u0308ße"}},
		{Column: recognize.RoleSKU, Name: "A1O1", OperationIDs: []string{"op_01", "op_02"}},
	}}
	const want = `The plan names what no row of this table has, and nothing was changed.
  category "Fitness", left out by op_01: this table has "fitness", "Fitness Equipment"
  category "Größe", asked for by op_02: this table has "` + "Gro\u0308ße" + `", in another Unicode form of the same letters
  SKU "A1O1", asked for by op_01, op_02: nothing like it was found
  and 3 more
A name must be written exactly as in the table. Make a new plan with the table's names; or, where this table is only a part of the catalogue, let it pass with --unmatched 'reprice Fitness too,allow', in these very words: what the plan leaves out would be repriced if the table has it under another name.`
	if got := refused.On(setting.Flags).Error(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if errs.KindOf(refused) != errs.Invalid || !strings.Contains(errs.Message(refused), "the setting unmatched=reprice Fitness too,allow") {
		t.Errorf("%s, %s", errs.KindOf(refused), errs.Message(refused))
	}
}

func TestUnknownNamesAreCounted(t *testing.T) {
	for more, said := range map[int]bool{0: false, 1: true} {
		refusal := &UnknownNamesError{Names: []UnknownName{{Column: recognize.RoleSKU, Name: "A1", OperationIDs: []string{"op_01"}}}, More: more}
		if text := refusal.Error(); strings.Contains(text, "\n  and 1 more") != said {
			t.Errorf("%d more: %s", more, text)
		}
	}
}
