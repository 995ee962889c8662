package reader

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/planning"
)

var besideShop = []string{"Mugs", "Lamps", "Green Tea", "Road Bikes", "Mountain Bikes", "Leather Goods"}

// What carries nothing is passed over: facts, reasons, greetings, chat.
func TestRemarksThatCarryNothingArePassedOver(t *testing.T) {
	for _, said := range []string{
		"Hi Karen,\n\nFreight went up again. Mugs 10% off.\n\nCheers,\nDave", "Mugs 10% off. Hope the weekend was good!",
		"Mugs 10% off 😊", "Morning Lucy, raise mugs by 5% and round them to whole dollars.", "Our supplier raised prices, so please take Mugs up by 10%.", "Thanks for your help yesterday. Mugs 10% off.",
		"Mugs 10% off.\n\nBest regards\nH. Vogt\nArea Manager",
		"Mugs 10% off because the summer was awful.", "As freight went up again, raise mugs by 10%", "Hi Karen, Tom here from the office. Mugs 10% off.",
		"Mugs 10% off, the cellar is full.", "Hello from a very wet Bristol. Mugs 10% off. My knees are killing me.\nKisses, Jo",
		"The bills are steep, hence mugs up 10%.", "Mugs 10% off. The team is exhausted, what a week!",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: besideShop}})
		if u.Asked != nil || len(u.Candidates) != 1 || len(u.Candidates[0].Operations) != 1 || strings.Join(u.Candidates[0].Operations[0].Filter.Categories, ",") != "Mugs" {
			t.Errorf("%q: %+v", said, u)
		}
	}
	for _, said := range []string{
		"The Bosch range is under a price agreement. Mugs 10% off.", "Half of the shelf is marked down. Mugs 10% off.",
		"Karen promised Mr Hill the old price. Mugs 10% off.", "The supplier sets the prices. Mugs 10% off.",
		"Customers who have a card get it. Mugs 10% off", "Mugs 10% off. Only members get it.", "We mean the blue ones. Mugs 10% off",
		"Mugs 10% off. I changed my mind.", "Mugs 10% off. We don't want that.", "Mugs 10% off. Our customers pay 2 dollars more.",
		"Mugs 10% off. I forgot the lamps.", "Mugs 10% off. We start on Monday.", "Hope you can do lamps. Take 10% off them and mugs.",
		"I like lamps that glow. 10% off them.", "Mugs 10% off. My boss disagrees.", "Customers in Germany, mugs 10% off", "Mugs 10% off. We keep those.",
		"Mugs 10% off. They are in the window.", "Mugs 10% off. The ceramic is what I had in mind.", "Mugs 10% off. I was joking.",
		"Mugs 10% off. Jim is against the idea.", "Mugs 10% off. I was thinking of Ikea.", "It's for members. Mugs 10% off.",
		"The website is where we do this. Mugs 10% off.", "The launch is on Friday. Mugs 10% off.", "Friday is when we go live. Mugs 10% off.",
		"We are closed until Friday. Mugs 10% off.", "After the fair has ended, mugs 10% off.", "Once the fair has closed, mugs 10% off.",
		"As the fair is on, mugs 10% off.", "The blue ones came in. Mugs 10% off.", "Our rule is no lamps. Mugs 10% off.",
		"Everything in the shop goes up a tenth. On second thought, no", "Double all prices. We told you not to.",
		"Mugs 10% off because the blue ones are ugly", "Mugs 10% off, since the boss wants the old ones gone.", "As soon as the boss is back, mugs 10% off",
		"As long as the weather is cold, mugs 10% off", "Mugs (our costs went up) and lamps 10% off", "Mugs 10% off. Thanks for doing it this evening.",
		"Mugs 10% off. Thanks, for the weekend.", "Mugs 10% off, today thanks", "Mugs 10% off, customers in town thanks",
		"Mugs 10% off. The prices are the supplier's.", "Mugs 10% off, prices are higher in town.", "Hello only for members, mugs 10% off",
		"Mugs 10% off. It went up at the weekend.", "Mugs 10% off. It is up to my boss.", "Mugs 10% off. The cellar is dry.", "Mugs 10% off for customers, sorry.",
		"Mugs 10% off. My boss would sleep on it.", "Mugs 10% off. Thanks, lamps", "Mugs 10% off on our website",
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: besideShop}}); u.Asked == nil {
			t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
		}
	}
	for _, said := range []string{ // without a list, of words that are of reasons and may be names
		"Christmas mail, cards and pens up 5%", "Bags up 5%, packaging down", "Winter work, hats and mugs up 5%", "Mugs 5% off, sales up",
		"Easter late, mugs and hats 5% off", "Take 5% off mugs, gas down",
	} {
		if u := New().Read(planning.Request{Instruction: said}); u.Asked == nil && len(u.Candidates[0].Assumes) > 0 {
			t.Errorf("%q is planned as %v, %v", said, u.Candidates[0].Sentences, u.Candidates[0].Assumes)
		}
	}
}

// What tells of the world before the rules is passed over only where the explanation says
// so, and so is a name alone at the end of a mail.
func TestUnusedWordsAreReported(t *testing.T) {
	for said, passed := range map[string][]string{
		"The harvest was bad again. Mugs 10% off.":  {"The harvest was bad again"},
		"Hi Tom,\nmugs 10% off.\nJo":                {"Jo"},
		"Hi Tom, mugs 10% off for the bank holiday": {"for the bank holiday"},
	} {
		u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: besideShop}})
		var want []string
		for _, words := range passed {
			want = append(want, `Passed over "`+words+`".`)
		}
		if u.Asked != nil {
			t.Errorf("%q is asked about: %v", said, u.Asked)
		} else if diff := cmp.Diff(want, u.Candidates[0].Assumes); diff != "" {
			t.Errorf("%q (-want +got):\n%s", said, diff)
		}
	}
}

// What stands around a rule is left open beside it, and so is what its words are supposed
// to be meant for.
func TestDraftsKeepTheRuleNextToOpenParts(t *testing.T) {
	for said, categories := range map[string]string{
		"quick one before the rush: mugs to 2.80":                                                   "Mugs",
		"I spoke to Anna yesterday and she was glad. Mugs 10% off. Thanks, Ed":                      "Mugs",
		"Mugs 10% off. The boxes are next to the back door.":                                        "Mugs",
		"Mugs 10% off. I'm away until Friday.":                                                      "Mugs",
		"Mugs 10% off. Nobody bought a thing this morning, so I was bored.":                         "Mugs",
		"Our Easter deal on mugs: mugs 10% off":                                                     "Mugs",
		"For the January clear-out please put mugs on sale at 20% off":                              "Mugs",
		"Black Friday! Mugs 10% off, from 27 November 2026 to the end of 30 November 2026, UK time": "Mugs",
		"Mugs 10% off from 10 May 2027, and put them back to the old prices on 17 May 2027":         "Mugs",
		"The lovely mugs are selling like mad. Please raise them by 4%.":                            "Mugs",
		"Mugs 10% off until Friday.":                                                                "Mugs",
		"Mugs 10% off. Starting Friday.":                                                            "Mugs",
		"Mugs 10% off, starting 1 March 2027 at 8am":                                                "Mugs",
		"bikes 10% off":   "Road Bikes,Mountain Bikes",
		"Leather 10% off": "Leather Goods",
	} {
		d := New().Draft(planning.DraftRequest{Request: planning.Request{Instruction: said, Names: planning.Names{Categories: besideShop}, CreatedAt: noon}})
		if d.Complete || len(d.Open) == 0 || len(d.Operations) != 1 || strings.Join(d.Operations[0].Filter.Categories, ",") != categories {
			t.Errorf("%q: %s", said, shown(d))
		}
	}
	for _, said := range []string{
		"Apple mugs 10% off", "Mugs 10% off. Scratch that.", "Mugs 10% off. Jim is against the idea, though.", "Mugs 10% off. Carol needs to agree first.",
		"Mugs 10% off. After ten have been sold, the old price comes back.", "Mugs 10% off. On second thought, maybe 25 is better.", "Mugs 10% off, rounded to one zorb", "In case the delivery fails, mugs 10% off", "For the duration of the fair, mugs 10% off",
		"Mugs are sold out, are they?", "10% off shoes for men", "Only for members. Mugs 10% off.",
		"Hope to have it done this weekend. Mugs 10% off.", "Mugs 10% off. Jim wants 5% more.",
		"For mug club members: mugs 10% off", "Our Easter deal on lamps: mugs 10% off", "For the fair only: mugs 10% off",
		"Lamps up 5%, brass. Wooden ones are from the shed and it's their money.",
		"When the fair has ended, mugs 10% off.", "While I'm away, mugs 10% off.",
	} {
		if u := New().Read(planning.Request{Instruction: said, Names: planning.Names{Categories: besideShop}}); u.Asked == nil || len(u.Candidates) > 0 {
			t.Errorf("%q: %+v", said, u)
		}
	}
}

// Nobody here wrote these: a rule, and a part that restricts it in words that no grammar has.
// None is planned, and its draft asks what that part means.
func TestWhatRestrictsIsNeverLeftOutSilently(t *testing.T) {
	file, err := os.Open("testdata/restricting.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var row struct {
			Instruction, Restricts string
			Categories             []string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		u := New().Read(planning.Request{Instruction: row.Instruction, Names: planning.Names{Categories: row.Categories}})
		if u.Asked == nil {
			t.Errorf("%q is planned as %v", row.Instruction, u.Candidates[0].Sentences)
			continue
		}
		d := New().Draft(planning.DraftRequest{Request: planning.Request{Instruction: row.Instruction, Names: planning.Names{Categories: row.Categories}, CreatedAt: noon}})
		start := strings.Index(row.Instruction, row.Restricts)
		within := func(s planning.Span) bool { return s.Start < start+len(row.Restricts) && start < s.End }
		open := slices.ContainsFunc(d.Open, func(o planning.OpenPart) bool { return within(o.Span) })
		asked := slices.ContainsFunc(d.Operations, func(r planning.DraftRule) bool { return slices.ContainsFunc(r.From, within) && len(r.Ask) > 0 })
		if start < 0 || !open && !asked {
			t.Errorf("%q does not ask what %q restricts: %s", row.Instruction, row.Restricts, shown(d))
		}
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

// Words of titles are offered as such, with the products that have them, and never planned at once.
func TestWordsOfTitlesAreOffered(t *testing.T) {
	shop := planning.Names{
		Categories: []string{"Shirts", "Mugs", "Gift Cards"}, Brands: []string{"Muc-Off", "Stanley"}, Whole: true,
		Products: []string{"Linen Shirt", "Linen Shirts, pack of 2", "Enamel Camp Mug", "Adventure Camp Mug 12oz", "Camp Mug Lid", "Camp Mug Set", "Chain Lube Dry", "Night Shift Espresso"},
	}
	for said, want := range map[string][2]string{
		"set the linen shirts to 64.99":        {`Set the price to 64.99 for products that have "linen shirt" or "linen shirts" in the name; round to 2 decimals, or as many as the prices have.`, `Read "linen shirts" as products with "linen shirt" or "linen shirts" in the name: "Linen Shirt", "Linen Shirts, pack of 2".`},
		"drop the camp mug to $12":             {`Set the price to 12 for products that are priced 12.01 or more and have "camp mug" in the name; round to 2 decimals, or as many as the prices have.`, `Read "camp mug" as products with "camp mug" in the name: "Adventure Camp Mug 12oz", "Camp Mug Lid", "Camp Mug Set" and 1 more.`},
		"Muc-Off chain lubes 50p cheaper each": {`Decrease the price by an amount of 0.5 for products of brand Muc-Off that have "chain lube" in the name; round to 2 decimals, or as many as the prices have.`, `Read "chain lubes" as products with "chain lube" in the name: "Chain Lube Dry".`},
		"Muc-Off chain lubs 50p cheaper each":  {`Decrease the price by an amount of 0.5 for products of brand Muc-Off that have "chain lube" in the name; round to 2 decimals, or as many as the prices have.`, `Read "chain lubs" as products with "chain lube" in the name: "Chain Lube Dry".`},
		"the four camp mugs 10% off":           {`Decrease the price by 10% for products that have "camp mug" in the name; round to 2 decimals, or as many as the prices have.`, `Read "camp mugs" as products with "camp mug" in the name: "Adventure Camp Mug 12oz", "Camp Mug Lid", "Camp Mug Set" and 1 more.`},
		"lube 10% off":                         {`Decrease the price by 10% for products that have lube in the name; round to 2 decimals, or as many as the prices have.`, `Read "lube" as products with "lube" in the name: "Chain Lube Dry".`},
		"camp mugs: the 12oz to 14 dollars":    {`Set the price to 14 for products that have "Adventure Camp Mug 12oz" in the name; round to 2 decimals, or as many as the prices have.`, `Read "camp mugs" as products with "camp mug" in the name: "Adventure Camp Mug 12oz", "Camp Mug Lid", "Camp Mug Set" and 1 more. Read "12oz" as products with "12oz" in the name: "Adventure Camp Mug 12oz".`},
		"Muc-Off gizmos down 5%":               {}, // not all of the brand
		"the three camp mugs 10% off":          {}, // there are four
		"drop the Stanley to 45":               {}, // which of them?
		"drop the travel mugs to $12":          {},
		"10% off espresso lids":                {},
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shop})
		var got [2]string
		if u.Asked == nil {
			t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
		} else if len(u.Candidates) > 0 {
			got = [2]string{strings.Join(u.Candidates[0].Sentences, " "), strings.Join(u.Candidates[0].Assumes, " ")}
		}
		if got != want {
			t.Errorf("%q:\n%q, want\n%q", said, got, want)
		}
	}
}

// Words of a brand's name are supposed to be meant for it; rules that overlap are not planned.
func TestPartsOfBrandsAreOffered(t *testing.T) {
	shop := planning.Names{
		Categories: []string{"Shrubs", "Herbs", "Gift Cards"}, Brands: []string{"Hollow Lane Nursery", "Herb Hill"}, Tags: []string{"kids", "winter"}, Whole: true,
		Products: []string{"Bay Tree", "Box Ball"},
	}
	for said, want := range map[string]string{
		"herbs by Hollow Lane down 5%":              `Decrease the price by 5% for products in category Herbs of brand "Hollow Lane Nursery"; round to 2 decimals, or as many as the prices have.`,
		"shrubs up 5%, Hollow Lane only 3%":         `Increase the price by 5% for products in category Shrubs, except brand "Hollow Lane Nursery"; round to 2 decimals, or as many as the prices have. Increase the price by 3% for products in category Shrubs of brand "Hollow Lane Nursery"; round to 2 decimals, or as many as the prices have.`,
		"shrubs up 5%, Krug only 3%":                "", // whom the shop does not have
		"kids 10% cheaper, kids up 5%":              "",
		"shrubs 10% cheaper, shrubs under 10 up 5%": "",
	} {
		u := New().Read(planning.Request{Instruction: said, Names: shop})
		got := ""
		if u.Asked == nil {
			t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
		} else if len(u.Candidates) > 0 {
			got = strings.Join(u.Candidates[0].Sentences, " ")
		}
		if got != want {
			t.Errorf("%q:\n%q, want\n%q", said, got, want)
		}
	}
}
