package dialect

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// encoded are tables that Python's codecs wrote, by the encoding that each is found to
// be in.
var encoded = map[string]Encoding{"cp932": ShiftJIS, "gb18030": GB18030, "gbk": GB18030, "big5": Big5, "euc_kr": EUCKR, "cp949": EUCKR, "cp1251": Windows1251}

// TestEncodings finds the encoding of tables that another program wrote, and reads
// them as that program does: no delimiter and no quote within a character.
func TestEncodings(t *testing.T) {
	files, err := filepath.Glob("testdata/encoded/*.csv")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		name, piped := strings.CutSuffix(name, "-pipe")
		language, codec, _ := strings.Cut(strings.Replace(name, "zh-", "zh", 1), "-")
		said, err := os.ReadFile("testdata/encoded/" + strings.Replace(language, "zh", "zh-", 1) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		d := Detect(raw, Dialect{})
		if d.Encoding != encoded[codec] {
			t.Errorf("%s is found to be %s, want %s", file, d.Encoding, encoded[codec])
			continue
		}
		if piped && d.Delimiter != Pipe {
			t.Errorf("%s: delimiter %s", file, d.Delimiter)
		}
		text, err := io.ReadAll(d.NewReader(iotest.HalfReader(bytes.NewReader(raw))))
		if err != nil {
			t.Fatal(err)
		}
		want := string(said)
		if piped {
			want = strings.NewReplacer(",", "|", ";", "|").Replace(want)
		}
		if got := d.Text(text); got != want {
			t.Errorf("%s is read as\n%s\nwant\n%s", file, got, want)
		}
	}
}

// TestEncodingsOfTheWest takes texts of Western Europe for what they are, though in
// some of them a pair of bytes is a character of another encoding too.
func TestEncodingsOfTheWest(t *testing.T) {
	for _, text := range []string{
		"name,price\nCrème brûlée,3\nÉté,4\n", "name;price\nÄpfel;1\nGrößen;2\nBücher;3\n", "nome,preço\nMaçãs e pães,1\nINFORMAÇÃO,2\n",
		"nimi;hinta\nSää ja jää;2\nÄÄNI;1\n", "navn;pris\nSmørrebrød;3\nBlå øl;2\nÅRHUS;2\n", "título;precio\nNiño ¿qué?;3 €\n",
		"name,price\n“Quoted” – it’s fine…,3\nBrand™ ®,4\n", "nafn,verð\nÞæginda púði,3\nAðfangadagur,2\n", "name,price\ncaf\xe9,1\n",
		"naam,prijs\nFiancées créées,1\n", "name,price\nSize 3½\",2\n20°C–30°C,1\n",
	} {
		d := Dialect{Encoding: Windows1252}
		raw, ok := d.Bytes(text)
		if !ok {
			raw = []byte(text)
		}
		if got := Detect(raw, Dialect{}).Encoding; got != Windows1252 {
			t.Errorf("%q is found to be %s", text, got)
		}
	}
}

// FuzzCoding reads any bytes in every encoding, in pieces of any size, and writes them
// again: they come out as they came in. What is ASCII and no part of a character stays
// where it is.
func FuzzCoding(f *testing.F) {
	for _, seed := range []string{"a,b\n1,\x81|2\n", "\x87\x90\x81\xe0,\xed\x40|", "\x84\x31\x95\x33a\x80\xa2\xe3\x81\x35\xf4\x37", "\x88\x62\x88\x63\xa3\xe1", "\xc6\x52\xb0\xa1\xff\xfe\x81", strings.Repeat("\x83\x65,\x81\xe0\x87\x90", 300)} {
		f.Add([]byte(seed), uint8(2))
	}
	f.Fuzz(func(t *testing.T, raw []byte, size uint8) {
		for _, m := range multibytes {
			d := Dialect{Encoding: m.encoding}
			text, err := io.ReadAll(d.NewReader(bytes.NewReader(raw)))
			slow, slowErr := io.ReadAll(d.NewReader(iotest.OneByteReader(bytes.NewReader(raw))))
			if err != nil || slowErr != nil || !bytes.Equal(text, slow) {
				t.Fatalf("%s: % x is read as %q, byte by byte as %q (%v, %v)", m.encoding, raw, text, slow, err, slowErr)
			}
			if out := written(t, d, text, 1+int(size)); !bytes.Equal(out, raw) {
				t.Errorf("%s: % x comes out as % x", m.encoding, raw, out)
			}
		}
	})
}

func TestIsGarbled(t *testing.T) {
	for text, want := range map[string]bool{
		"CafÃ©": true, "GrÃ¶ÃŸe": true, "20Â°C": true, "itâ€™s": true, "Å\u0082adny": true, "Caf\ufffd": true, "ÐšÐ¾Ð²Ñ€Ð¸Ðº": true, "ã‚«ãƒ†": true, "BrandÂ®": true, "naÃ¯ve": true,
		"Café": false, "MAÇÃ": false, "CÂMERA": false, "“MAÇÃ”": false, "»BLÅ«": false, "Ñandú": false, "SÃO PAULO": false, "Ðalur": false, "20 °C": false, "âme €": false, "": false, "IRMÃ – A": false, "ヨガ": false,
	} {
		if got := isGarbled([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
