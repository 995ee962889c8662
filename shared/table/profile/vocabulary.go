package profile

// What tables of several platforms, and of none, have in common.

// Currency are the titles of a column that says in which currency a row's prices are.
var Currency = Titles{
	"currency", "currency_code", "currency code", "Währung", "Währungscode", "Devise", "Moneda", "Divisa",
	"Valuta",
}

// RegularPrice are the titles of a price without the sale. Where one stands beside what is
// found as the price, and beside a sale price, it is asked which of the two is the price.
var RegularPrice = Titles{
	"regular_price", "regular price", "normal price", "Regulärer Preis", "Normalpreis", "Prix normal",
	"Prix régulier", "Precio normal", "Precio regular", "Prezzo normale", "Normale prijs", "Normalpris",
}

// StockPairs are words for in stock and out of it, in lower case, that a column of no
// platform's may have. A cell gets the pair's word that the column's first rows show, as
// they write it.
var StockPairs = [][2]string{
	{"in stock", "out of stock"}, {"instock", "outofstock"}, {"y", "n"}, {"ja", "nein"}, {"ja", "nee"},
	{"ja", "nej"}, {"ja", "nei"}, {"oui", "non"}, {"sí", "no"}, {"si", "no"}, {"sì", "no"}, {"sim", "não"},
	{"tak", "nie"}, {"ano", "ne"}, {"да", "нет"}, {"是", "否"}, {"有", "无"}, {"はい", "いいえ"},
	{"disponible", "no disponible"}, {"disponible", "agotado"}, {"disponível", "indisponível"},
	{"disponibile", "non disponibile"}, {"disponible", "indisponible"}, {"verfügbar", "nicht verfügbar"},
	{"available", "unavailable"}, {"auf lager", "nicht auf lager"}, {"vorrätig", "ausverkauft"},
	{"lieferbar", "nicht lieferbar"}, {"en stock", "rupture de stock"},
	{"en existencia", "sin existencias"}, {"em estoque", "sem estoque"}, {"em stock", "esgotado"},
	{"in magazzino", "esaurito"}, {"op voorraad", "niet op voorraad"}, {"leverbaar", "uitverkocht"},
	{"i lager", "slut i lager"}, {"på lager", "ikke på lager"}, {"w magazynie", "brak"},
	{"dostępny", "niedostępny"}, {"dostępne", "niedostępne"}, {"skladem", "není skladem"},
	{"na skladě", "vyprodáno"}, {"raktáron", "nincs raktáron"}, {"în stoc", "stoc epuizat"},
	{"var", "yok"}, {"stokta", "stokta yok"}, {"в наличии", "нет в наличии"}, {"есть", "отсутствует"},
	{"є в наявності", "немає в наявності"}, {"在庫あり", "在庫なし"}, {"あり", "なし"}, {"有货", "无货"}, {"有貨", "缺貨"},
	{"现货", "缺货"}, {"재고있음", "재고없음"}, {"판매중", "품절"},
}
