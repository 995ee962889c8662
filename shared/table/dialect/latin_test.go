package dialect

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// TestEncodingsOfLatinLetters finds in which encoding words of a shop are, of languages
// that share their bytes, and reads them in it.
func TestEncodingsOfLatinLetters(t *testing.T) {
	const polish = "kod;nazwa;kategoria;cena\n1;Żółty ser wędzony;Nabiał;12,50\n2;Śledź w oleju;Ryby;8,90\n3;Kiełbasa wiejska;Wędliny;24,00\n4;Pączek z różą;Ciastka;3,20\n5;Mąka pszenna;Sypkie;4,10\n"
	const czech = "kód;název;kategorie;cena\n1;Žlutá paprika;Zelenina;39,90\n2;Jahodový džem;Zavařeniny;65,00\n3;Čerstvé máslo;Mléčné výrobky;54,90\n4;Šunka dušená;Uzeniny;29,90\n5;Příchuť vanilky;Koření;19,90\n"
	const slovak = "kód;názov;kategória;cena\n1;Kozí syr čerstvý;Mliečne výrobky;3,90\n2;Ľanový olej;Oleje;6,50\n3;Šťava z jabĺk;Nápoje;2,10\n4;Žemľa maková;Pečivo;0,30\n"
	const hungarian = "cikkszám;név;kategória;ár\n1;Szőlő, fehér;Gyümölcs;890\n2;Főzőtejszín;Tejtermék;450\n3;Hűtőtáska;Háztartás;5990\n4;Gyűrű, ezüst;Ékszer;12990\n5;Mosópor 3 kg;Tisztítószer;2490\n"
	const croatian = "šifra;naziv;kategorija;cijena\n1;Češnjak;Povrće;2,50\n2;Šećer smeđi;Začini;1,80\n3;Džem od šljiva;Namazi;3,40\n4;Kruh, ražni;Pečivo;2,10\n"
	const romanian = "cod;denumire;categorie;preţ\n1;Brânză de oaie;Lactate;25,00\n2;Roşii cherry;Legume;9,50\n3;Pâine neagră;Panificaţie;5,00\n4;Căpşuni;Fructe;12,00\n"
	const turkish = "kod;ürün adı;kategori;fiyat\n1;Beyaz peynir;Süt Ürünleri;120,00\n2;Kırmızı mercimek;Bakliyat;45,00\n3;Çilek reçeli;Kahvaltılık;60,00\n4;İncir, kuru;Kuruyemiş;90,00\n5;Soğan;Sebze;15,00\n"
	const french = "code;libellé;catégorie;prix\n1;Œufs frais;Crèmerie;3,50 €\n2;Cœurs de palmier;Épicerie;4,20 €\n3;Bœuf haché;Viande;9,80 €\n"
	for _, test := range []struct {
		name, text string
		in         *charmap.Charmap
		want       Encoding
	}{
		{"Polish", polish, charmap.Windows1250, Windows1250}, {"Polish", polish, charmap.ISO8859_2, Latin2},
		{"Czech", czech, charmap.Windows1250, Windows1250}, {"Czech", czech, charmap.ISO8859_2, Latin2},
		{"Slovak", slovak, charmap.Windows1250, Windows1250}, {"Slovak", slovak, charmap.ISO8859_2, Latin2},
		{"Hungarian", hungarian, charmap.Windows1250, Windows1250}, {"Hungarian", hungarian, charmap.ISO8859_2, Windows1250}, // the same bytes
		{"Croatian", croatian, charmap.Windows1250, Windows1250}, {"Croatian", croatian, charmap.ISO8859_2, Latin2},
		{"Romanian", romanian, charmap.Windows1250, Windows1250}, {"Romanian", romanian, charmap.ISO8859_2, Windows1250},
		{"Turkish", turkish, charmap.Windows1254, Windows1254}, {"Turkish", turkish, charmap.ISO8859_9, Windows1254},
		{"French", french, charmap.ISO8859_15, Latin9}, {"French", french, charmap.Windows1252, Windows1252},
		{"two French products among Danish ones", "navn;pris\nRødgrød;3\nCrème brûlée;4\nPâté à la façon;5\nSmørrebrød;3\nBlåbær;2\nKødboller;2\nHvidløg;1\nPære;1\n", charmap.Windows1252, Windows1252},
		{"two Polish words", "id;nazwa;cena\n1;masło;6\n2;mydło;3\n", charmap.Windows1250, Windows1250},
		{"signs of another encoding", "name;price\n2009 £¨LHD£©;3\n2010 £¨RHD£©;3\n2011 £¨RHD£©;3\n", charmap.Windows1252, Windows1252},
		{"Spanish and German", "nombre;precio\nJamón;9\nCafé;3\nPiña;2\nMüller Größe;4\nNº 5;3\nNº 6;3\nNº 7;3\n¿Té?;1\n", charmap.Windows1252, Windows1252},
		{"Estonian", "nimi;hind\nõli;3\nJõhvikas;2\nšokolaad;2\nMüsli;4\nPähkel;3\nKõrvits;2\n", charmap.Windows1252, Windows1252},
		{"Icelandic", "nafn;verð\nÞurrkað hvítöl;3\nSkyr með bláberjum;2\nÝsa;2\nFjallagrös í pakka;3\n", charmap.Windows1252, Windows1252},
		{"Portuguese", "nome;preço\nPães e feijões;3\nLimões;2\nMaçãs;2\nBolo de avó;3\nAçúcar;1\n", charmap.Windows1252, Windows1252},
		{"Italian", "nome;prezzo\nCaffè;3\nTè più freddo;2\nRagù;2\nCosì;3\n", charmap.Windows1252, Windows1252},
		{"measures", "name;price\n½ m² tile;3\n3 cm³;2\n20 °C;2\n", charmap.Windows1252, Windows1252},
	} {
		raw, err := test.in.NewEncoder().String(test.text)
		if err != nil {
			t.Fatal(test.name, err)
		}
		d := Detect([]byte(raw), Dialect{})
		if d.Encoding != test.want {
			t.Errorf("%s in %s is found to be %s, want %s", test.name, test.in, d.Encoding, test.want)
			continue
		}
		if text, _ := test.in.NewDecoder().String(raw); d.Text([]byte(raw)) != text {
			t.Errorf("%s in %s is read as\n%s", test.name, test.in, d.Text([]byte(raw)))
		}
	}
}
