package overview

import (
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
)

// tellAlike remarks on the names of a role that look the same.
func (f *Overview) tellAlike(r recognize.Rule) {
	var looks []string // in the names' order
	groups := map[string][]names.Spelling{}
	for _, name := range f.Names[r.Role] {
		folded := r.Fold().Fold(name.Name)
		if groups[folded] = append(groups[folded], name); len(groups[folded]) == 2 {
			looks = append(looks, folded)
		}
	}
	var rows row.RowList
	var lists []string
	for i, folded := range looks {
		for _, name := range groups[folded] {
			rows.Rows += name.Rows
		}
		if i < names.MaxAlike {
			group := groups[folded][:min(len(groups[folded]), names.MaxAlike)]
			lists = append(lists, names.ListSpellings(group, fold.Disguised(group[0].Name)))
		}
	}
	if len(looks) == 0 {
		return
	}
	more := ""
	if len(looks) > names.MaxAlike {
		more = fmt.Sprintf("; and %d more", len(looks)-names.MaxAlike)
	}
	f.remark(rows, fmt.Sprintf("Names in the column of %s that look the same: %s%s. A plan that has one of them and not the others is refused, unless {near_names=exact}.", r.Role, strings.Join(lists, "; "), more), RemarkNamesAlike, string(r.Role), strings.Join(lists, "; "))
}
