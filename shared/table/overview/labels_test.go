package overview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestLabels reads names and pictures by the numbers of rows, of variants those of their
// product, however many blocks there are.
func TestLabels(t *testing.T) {
	const many = 3_000
	rows := strings.Repeat("other,Other,a.jpg,10,O\n", many)
	text := "Handle,Title,Image Src,Variant Price,Variant SKU\nmat,\"Mat, \"\"blue\"\"\",m.jpg,10,\nmat,,,11,M-2\n" + rows + "cap,Cap,,5,C\n"
	for _, size := range []int{64, 1 << 20} {
		l, err := ReadLabels(t.Context(), strings.NewReader(text), setting.Settings{Profile: "shopify"}, row.Workload{ReadBytes: size, WriteBytes: size, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, row := range []int64{2, 3, 3, 5, many + 4, many + 5} {
			label := l.Of(row)
			got += fmt.Sprintf("{%s %s %s}", label.Name, label.Picture, label.Own.Value)
		}
		l.Close()
		if want := `{Mat, "blue" m.jpg mat}{Mat, "blue"  }{Mat, "blue"  }{Other a.jpg }{Cap  }{  }`; got != want {
			t.Errorf("%d: %s, want %s", size, got, want)
		}
	}
	l, err := ReadLabels(t.Context(), strings.NewReader(text), setting.Settings{}, row.UsualWorkload())
	if err != nil {
		t.Fatal(err)
	}
	l.Of(2)
	l.Close() // before its end
}
