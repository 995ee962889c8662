package tablestore_test

import (
	"io"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/test/expect"
)

func TestTheHeaderOfATable(t *testing.T) {
	sum := func(text string) string {
		t.Helper()
		sum, whole, err := tablestore.ReadHeader(strings.NewReader(text))
		expect.NoError(t, err)
		expect.Equal(t, "the table", text, string(expect.Result(io.ReadAll(whole))(t)))
		return sum
	}
	first := sum("SKU;Price\nA;1\n")
	if len(first) != 64 {
		t.Fatalf("the hash is %q", first)
	}
	for _, same := range []string{"SKU;Price\r\nB;2\r\n", "\ufeffSKU;Price\n", "SKU;Price\rB;2\r"} {
		expect.Equal(t, same, first, sum(same))
	}
	for _, other := range []string{"SKU;price\nA;1\n", "SKU,Price\nA,1\n", "sep=;\nSKU;Price\n", "SKU;Price;\n"} {
		expect.ErrorIf(t, sum(other) == first, "%q has the same header", other)
	}
	expect.ErrorIf(t, sum("sep=;\nSKU;Price\n") == sum("sep=;\nSKU;Cost\n"), "the line below sep= does not count")
	expect.ErrorIf(t, sum("sep=;\r\nSKU;Price\r\n") != sum("sep=;\r\nSKU;Price\r\nA;1\r\n"), "the rows count")
	utf16 := func(text string) string { return "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00" }
	expect.ErrorIf(t, sum(utf16("sep=;\nSKU;Price\nA;1\n")) == sum(utf16("sep=;\nSKU;Cost\nA;1\n")), "the line below sep= does not count in UTF-16")
	for _, none := range []string{"", "SKU;Price", "\nSKU\n", "sep=;\n", strings.Repeat("x", 70_000) + "\n"} {
		expect.Equal(t, "of no line", "", sum(none))
	}
}
