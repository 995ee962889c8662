package reader

import (
	"testing"

	"github.com/planwright/planwright/shared/planning"
)

// home is a list of categories before which a verb may be a part of the name.
var home = planning.Names{Categories: []string{
	"Bikes", "Lamps", "Tables", "Boots", "Flowers", "Bread", "Earrings", "Pens", "Racks", "Chairs", "Scooters",
	"Dresses", "Beds", "Boxes", "Cards", "Mats", "Bags", "Boards", "Lights", "Clips", "Plates", "Poles", "Knives",
}}

// A verb that a rule can do without may be a part of the name behind it, and is asked about.
func TestAVerbMayBeAPartOfAName(t *testing.T) {
	asked := []string{
		"Push bikes 10% off", "Push bikes: 10% off", "Push bikes - 10% off", "Push bikes, 10% off", "Please push bikes 10% off", "can you push bikes 10% off?",
		"Push bikes over $200 10% off", "Push bikes that are in stock 10% off", "Push bikes and scooters 10% off", "Push scooters and bikes 10% off",
		"Push bikes half price", "Push bikes 20% cheaper", "Push bikes +10%", "Push bikes on sale at 10% off", "10% off push bikes", "Everything 5% off except push bikes",
		"Lamps 10% off and push bikes 5% off", "Touch lamps 10% off", "Touch lamps up 10%", "Touch lamps: 10% off", "Touch lamps to $20", "Touch lamps -10%",
		"Raise touch lamps by 5%", "Leave touch lamps alone, everything else up 5%", "Mark touch lamps as out of stock", "Touch lamps at 10% off",
		"Set tables 5% off", "Set tables $5 off", "Set tables up 5%", "Set tables +5%", "Set tables: 50", "please set tables 5% off",
		"Raise everything by 5%, but set tables 5% off", "Set tables 5% off and lamps 10% off", "Drop earrings 10% off", "Drop earrings up 10%", "Drop earrings -10%",
		"Cut flowers 10% off", "Cut flowers up 10%", "Cut flowers +10%", "Lift chairs 5% off", "Lift chairs +5%", "Mark pens 5% off", "Mark pens +5%",
		"Sale racks 10% off", "Sale racks up 5%", "Sale racks to $20", "Kick scooters 10% off", "Kick scooters at $50", "Shift dresses 10% off", "Shift dresses half price",
		"Double beds", "Double beds 10% off", "Double beds to $300", "Bump boxes 10% off", "Change mats 10% off", "Carry bags 10% off", "Display racks 10% off",
		"Stock boxes up 5%", "Floor lamps at $20", "Floor lamps 10% off", "Round tables to $50", "Round tables up 5%", "Stick pens 10% off", "Clip lamps 10% off",
		"Strip lights 10% off", "Show racks 10% off", "Show racks sold out", "Switch plates 10% off", "Switch plates out of stock", "Flag poles out of stock",
		"Label boxes sold out", "List cards sold out", "Turn tables out of stock", "Slap bags 5% off", "Run boards 10% off", "List cards 10% off", "Chop boards -5%",
		"Trim knives 10% off", "Move boxes 10% off", "Place mats 10% off", "Place mats to $5", "Fix clips 10% off", "Turn tables up 5%", "Grow lights 10% off",
		"Fall boots 10% off", "Roll mats 10% off", "End tables to $50", "Stop lights up 5%", "Skip bags 10% off", "Leave cards 10% off", "Hold boxes 10% off",
	}
	for _, said := range asked {
		if u := New().Read(planning.Request{Instruction: said, Names: home}); u.Asked == nil {
			t.Errorf("%q is planned as %v", said, u.Candidates[0].Sentences)
		}
	}
	u := New().Read(planning.Request{Instruction: "Push bikes 10% off", Names: home})
	if len(u.Candidates) != 1 || u.Candidates[0].Operations[0].Filter.Categories[0] != "Bikes" {
		t.Errorf("push bikes are offered as %+v", u.Candidates)
	}
}

// What is put with a verb makes it an order.
func TestAVerbWithWhatItIsPutWithIsAnOrder(t *testing.T) {
	bikes := func(does string) string { return does + " for products in category Bikes" }
	reads(t, home, map[string]string{
		"Push bikes up 10%": bikes("Increase the price by 10%"), "Push bikes down 10%": bikes("Decrease the price by 10%"),
		"Push all bikes 10% off": bikes("Decrease the price by 10%"), "Push our bikes 10% off": bikes("Decrease the price by 10%"),
		"Push bikes to $500": bikes("Set the price to 500"), "Set bikes to $500": bikes("Set the price to 500"), "Set bikes at $500": bikes("Set the price to 500"),
		"Put bikes 10% off": bikes("Decrease the price by 10%"), "Give bikes 10% off": bikes("Decrease the price by 10%"), "Make bikes 10% cheaper": bikes("Decrease the price by 10%"),
		"Raise bikes 5%": bikes("Increase the price by 5%"), "Raise bikes +5%": bikes("Increase the price by 5%"), "Drop bikes by 10%": bikes("Decrease the price by 10%"),
		"Drop bikes 10%": bikes("Decrease the price by 10%"), "Cut bikes by $5": bikes("Decrease the price by an amount of 5"), "Mark bikes down 5%": bikes("Decrease the price by 5%"),
		"Mark bikes as out of stock": "Mark as out of stock for products in category Bikes.", "Mark bikes out of stock": "Mark as out of stock for products in category Bikes.",
		"Double bike prices": bikes("Increase the price by 100%"), "Double the bikes": bikes("Increase the price by 100%"),
		"Don't touch lamps. Raise everything by 5%":      "Increase the price by 5% for all products, except category Lamps",
		"Raise everything by 5% but do not touch lamps.": "Increase the price by 5% for all products, except category Lamps",
		"Raise everything by 5%, lamps don't touch":      "Increase the price by 5% for all products, except category Lamps",
	})
}

// Where a product's name has verb and name, both are rather a name, whatever follows.
func TestAVerbInAProductsNameIsAQuestion(t *testing.T) {
	shop := planning.Names{Categories: []string{"Bikes", "Flowers", "Lamps"}, Products: []string{"Push Bike 26", "Fresh Cut Flowers", "Road Bike", "Lamp"}, Whole: true}
	reads(t, shop, map[string]string{
		"Push bikes up 10%": "", "Push bikes to $500": "", "Cut flowers by 10%": "", "Cut flowers to $10": "", "Mark push bikes as out of stock": "",
		"Raise bikes by 10%": "Increase the price by 10% for products in category Bikes", "Push lamps up 10%": "Increase the price by 10% for products in category Lamps",
	})
}

// A name that says whose its products are is not told by its last word alone.
func TestAPossessiveIsNoneOfAllTheProducts(t *testing.T) {
	for name, said := range map[string]string{
		"Kids' Clothing": "clothing", "Kid's Clothing": "clothing", "Kids Clothing": "clothing", "Kids’ Clothing": "clothing", "Men's Shoes": "shoes", "Mens Shoes": "shoes",
		"Men Shoes": "shoes", "Women's Bags": "bags", "Womens Bags": "bags", "Ladies Bags": "bags", "Ladies' Bags": "bags", "Girls' Dresses": "dresses", "Girls Dresses": "dresses",
		"Boys Shirts": "shirts", "Children’s Books": "books", "Childrens Books": "books", "Children Books": "books", "Baby Clothing": "clothing", "Junior Bikes": "bikes",
		"Toddler Toys": "toys", "Teen Fiction": "fiction", "Youth Jackets": "jackets", "Adult Bikes": "bikes", "Babies' Toys": "toys", "Teachers' Gifts": "gifts",
		"Dogs' Beds": "beds", "Men's & Boys' Jackets": "jackets", "Gentlemen's Hats": "hats",
	} {
		list := planning.Names{Categories: []string{name, "Mugs"}}
		for _, sentence := range []string{"increase _ by 5%", "10% off _", "10% off all _", "_ to $20", "mark _ as out of stock"} {
			instruction := replaced(sentence, said)
			u := New().Read(planning.Request{Instruction: instruction, Names: list})
			if u.Asked == nil {
				t.Errorf("%q with %s is planned as %v", instruction, name, u.Candidates[0].Sentences)
			}
			whole := New().Read(planning.Request{Instruction: replaced(sentence, name), Names: list})
			if whole.Asked != nil && sentence != "10% off all _" {
				t.Errorf("%q is asked about: %v", replaced(sentence, name), whole.Asked)
			}
		}
	}
	for name, said := range map[string]string{"Fishing Rods": "rods", "Garden Tools": "tools", "Dress Shoes": "shoes", "Glass Jars": "jars", "Dog Beds": "beds", "Wine Glasses": "glasses"} {
		u := New().Read(planning.Request{Instruction: "increase " + said + " by 5%", Names: planning.Names{Categories: []string{name, "Mugs"}}})
		if u.Asked != nil || u.Candidates[0].Operations[0].Filter.Categories[0] != name {
			t.Errorf("%s are read as %v", said, u)
		}
	}
}
