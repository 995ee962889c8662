package english

// entry gives phrases, separated by commas, a class and a sense.
type entry struct {
	class   Class
	sense   int
	phrases string
}

// The senses of Up and Down.
const (
	Verb     = 0 // may begin a rule
	Particle = 1 // only beside an amount or a verb: "10% higher", "go up"
)

// EndNoun is the sense of an EndIn that follows its amount: ".99 endings".
const EndNoun = 2

// Extra is the sense of filler that tells an amount to add from a price: "charge
// an extra $2".
const Extra = 1

// ReportBy is the sense of a Report that somebody may follow: "asked by the
// owner to".
const ReportBy = 1

// Modal is the sense of filler that makes a question where it stands first:
// "should yoga go up 5%?"
const Modal = 2

// OfPrice is the sense of filler that says what an amount is a part of: "at 80%
// of its current price".
const OfPrice = 3

// Status is the sense of filler that says that the stock is meant, and no price.
const Status = 4

// In and out of stock, the senses of Stock.
const (
	OutOfStock = 0
	InStock    = 1
)

// vocabulary is the English the planner knows. To widen it, add a phrase to
// its class, or a class with a rule that consumes it. A phrase in braces has
// its verb inflected: {raise} stands for raise, raises, raised and raising.
// The longest phrase wins. Hyphens and spaces are the same.
var vocabulary = []entry{
	{Up, Verb, "{gain}, {upgrade} by, {augment}, {escalate}, {crank} up, {crank}, {ratchet} up, {beef} up, {dial} up, {tack} on, {tack}, {hoist}, {put} up, {bring} up, {take} up, {hike} up, {increase}, {raise}, {hike}, {bump}, {bump} up, {lift}, {boost}, {mark} up, {markup}, {move} up, {push} up, {nudge} up, {nudge}, {add}, {jack} up, {step} up, " +
		"{ramp} up, {scale} up, {elevate}, {upcharge}, price increase, price hike, {uplift}, uplift of, price rise, price raise, {inflate}"},
	{Up, Particle, "above the current price, above current price, above the current prices, above their current price, up, more, higher, more expensive, pricier, dearer, upward, upwards, surcharge, {rise}, {climb}"},
	{Down, Verb, "{lose}, {put} down, {pare}, {pare} back, {pare} down, {scale} back, {dial} down, {dial} back, {ease} down, {whittle} down, {strip}, wipe off, {cut} back, {tone} down, {decrease}, {reduce}, {lower}, {cut}, {drop}, {slash}, {discount}, {mark} down, {markdown}, {trim}, {knock}, {knock} down, {bring} down, {shave}, {deduct}, {subtract}, " +
		"{bump} down, {move} down, {nudge} down, {push} down, {step} down, {scale} down, {chop}, {cheapen}, {pull} down, {shrink}, {lop}, {dock}, {slice}, {decrement}, {cut} down, {trim} down, {mark} back"},
	{Down, Particle, "off sale, below the current price, below current price, below the current prices, below their current price, off, off of, less, cheaper, down, downward, downwards, reduction, reductions, price cut, price reduction, price drop, {fall}, minus, rebate, less expensive"},
	{Do, 0, "come, comes, coming, fix, have, having, goes, has, {set}, {make}, {put}, {mark}, {flag}, list, listed, lists, tag, {label}, {give}, {apply}, {take}, {offer}, {finish}, end, {stick}, {slap}, {pop}, {run}, {bring}, get, {sell}, {charge}, {let}, {go}, " +
		"start a, launch a, do a, do an, {implement}, {impose}, introduce a, introduce an, institute a, institute an, enact a, effect a, action a, put through a, needs a, need a, needs an, need an, deserves a, deserve a, takes a, {reprice}, {turn}, {switch}, {move}, place, {show}, {declare}, {designate}, {class}, {classify}, use, {assign}, {reset}, {knock} back, gets, receive, receives, see, sees"},
	{Change, 0, "{change}, {adjust}, {update}, {modify}, {alter}, {edit}, {revise}, {amend}, {touch}, {tweak}"},
	{Times, -50, "{halve}, {cut} in half, half price, half off, half the price, in half, {slash} in half"},
	{Times, 100, "{double}, twice as expensive, twice as much, twice the price, twice the current price, twofold"},
	{Times, 200, "{triple}, {treble}, three times the price, threefold"},
	{Times, 300, "{quadruple}, four times the price, fourfold"},
	{Stock, InStock, "in stock = yes, in stock: yes, in stock yes, in stock: true, in stock true, in stock = 1, back to in stock, in stock to true, in stock to yes, in stock = true, stock to true, stock status to true, in stock, available, back in stock, in stock again, back into stock, into stock, available again, back in stock again, not out of stock, not sold out, instock, on hand, currently in stock, stocked, " +
		"currently available, still in stock, still available, not unavailable, purchasable, available to buy, available for purchase, available for sale"},
	{Stock, OutOfStock, "in stock = no, in stock: no, in stock no, in stock: false, in stock false, that we don't have in stock, that we do not have in stock, we don't have in stock, we do not have in stock, that we don't have, we don't currently have in stock, that aren't on hand, that we have none of, that we are out of, that we're out of, that we have run out of, that we ran out of, that have sold out, that has sold out, which have sold out, which has sold out, in stock to false, in stock to no, in stock = false, stock to false, stock status to false, out of stock, gone, all gone, sold out, unavailable, not in stock, not available, no longer available, no longer in stock, oos, isn't in stock, aren't in stock, isn't available, " +
		"aren't available, currently out of stock, currently unavailable, currently sold out, all sold out, out of stock again, outofstock, not currently in stock, not currently available, not stocked"},
	{Restock, InStock, "{restock}, we restocked, we just restocked, we have restocked, we've restocked"},
	{Restock, OutOfStock, "ran out, has run out, have run out, just ran out, has just run out, have just run out, went out of stock, has gone out of stock, have gone out of stock, ran out of stock, we ran out of, we just ran out of, we have run out of, we've run out of, we are out of, we're out of, we are all out of, we're all out of, we sold out of, we've sold out of, we have sold out of, we are sold out of, we're sold out of, we no longer have, we don't have any, we have no more, ran out of, all out of, sold out of, run out of"},
	{Copula, 0, "should be priced at, must be priced at, will be priced at, to be priced at, is, are, be, become, becomes, should be, must be, shall be, will be, to be, should cost, must cost, will cost, to cost, should sell for, should sell at, will sell for, sells for, sells at, " +
		"retail at, retail for, retails at, retails for, should all be, should all cost, is to be, are to be, needs to be, need to be, should become, being, should now be, should now cost, are now, is now, costs, cost"},
	{Rel, 0, "what we have, what we've got, whatever we have, what we currently have, what i have, that we've got, we've got in the shop, that we currently have, that is, that are, which is, which are, that's, who are, that cost, which cost, that costs, which costs, costing, priced, priced at, that are priced, that are priced at, which are priced, which are priced at, " +
		"whose price is, whose prices are, where the price is, where price is, where prices are, with a price, with a price of, with prices, with prices of, selling for, selling at, that sell for, that sell at, which sell for, " +
		"that sells for, that is priced, that is priced at, which is priced, that have a price, that have a price of, having a price of, with a price tag, with a price tag of, with a price tag at, with price, that retail for, valued at, currently priced, currently priced at, " +
		"currently costing, currently selling for, that currently cost, that are currently, which are currently, with a current price, marked as, listed as, flagged as, shown as, that we have, we have, what is, what's, whatever is, whatever's, the ones that are, the ones which are, those that are, those which are, only the ones, only those, just the ones, just those"},
	{If, 0, "provided it's, provided they're, so long as it's, as long as it's, as long as they're, if, when, where, whenever, as long as, provided, provided that, provided they are, so long as, if they are, if they're, if it is, if it's, when they are, when it is, as long as they are, " +
		"only if they are, while they are, as long as it is, if the product is, if the item is, if the price is, when the price is, if it costs, if they cost, when they cost, where the product is, where the item is"},
	{Unless, 0, "unless, unless they are, unless they're, unless it is, unless it's"},
	{OnSale, 0, "on sale, on offer, on special offer, on promotion, on special, a sale, a flash sale, a promotion, a promo, a special, a clearance sale"},
	{Again, 0, "same for, do the same for, do the same with, and the same for, and same for, the same goes for, same goes for, and the same goes for, ditto, ditto for, likewise for, same with, do the same to, the same applies to, same applies to, and the same applies to, and the same with, and do the same for, and do the same with, the same thing for, and ditto for"},
	{Cause, 0, "because, because of, due to, owing to, thanks to, in light of, given that, given the, in view of, in response to, on account of, as a result of, seeing as, seeing that, now that, as discussed, as agreed, as requested, as mentioned, as promised, as planned, as we discussed, as i mentioned, as per, " +
		"per our, per my, per your, following our, following up on, approved by, as approved by, signed off by, agreed by, agreed with, requested by, as requested by, as instructed by, authorised by, authorized by, as instructed, as directed, as directed by, ordered by, at the request of, on behalf of, in line with, in accordance with, according to our, since, to make room for, to make space for, to free up space, to free up room, to clear, to clear out, to stay competitive, to remain competitive, to keep up with, to cover, to offset, to reflect, to account for, to compensate for, to move inventory, to move stock, to drive sales, to boost sales, " +
		"in order to make room for, in order to clear, in order to stay competitive, with rising, with higher, with increasing, with increased, with all the, in preparation for, to celebrate, for clarity, as you know, as always, as usual"},
	{Fact, 0, "is waiting, are waiting, is asking, are asking, has been asking, is getting impatient, needs this, need this, wants this, want this, wants it done, asked for this, has signed off, have signed off, has agreed to this, agreed to this, those are the new prices, these are the new prices, those are the new set prices, those are our new prices, these are our new prices, those are the prices, those are the final prices, that is the new price, that's the new price, that is the new price list, that's the new price list, this is the new price list, we got, we just got, we've got, we received, we just received, we've been, we have been, we've had, we have had, we had, we just had, we're overstocked, we are overstocked, we overordered, we over ordered, we ordered too, we bought too, we have too, we've got too, we need to make room, we need to make space, we need room, we need space, " +
		"i talked, i just talked, i spoke, i just spoke, i checked, i just checked, i noticed, we noticed, we've noticed, it's been, it has been, business is, business has been, sales are, sales have, sales were, sales dropped, sales of, costs are, costs have, costs went up, our costs, the costs, costs rose, margins are, our margins, margin is, customers have, customers keep, customers are, customers love, customers complain, customers complained, our customers, " +
		"demand is, demand has, demand for, our supplier, our suppliers, the supplier, the suppliers, our vendor, our vendors, the vendor, our manufacturer, the manufacturer, our wholesaler, our distributor, the distributor, our competitors, our competitor, competitors have, competitors are, the competition, our rent, shipping costs, shipping got, shipping has, freight costs, inflation is, inflation has, " +
		"tariffs, the tariffs, tariffs are, wholesale prices, wholesale costs, raw materials, raw material prices, material costs, the season is over, summer is over, winter is over, the market, went up, went down, went through the roof, gone up, gone down, have risen, has risen, have increased, has increased, have dropped, has dropped, are rising, is rising, keep rising, got more expensive, got cheaper, isn't selling, aren't selling, is not selling, are not selling, has become, have become, became, has been slow, have been slow, been selling"},
	{By, 0, "by"},
	{To, 0, "to, into, up to a price of, to a price of, ->, =>, →, =, to a flat"},
	{At, 0, "at, at a price of, at only, at just"},
	{For, 0, "for, for just, for only"},
	{From, 0, "from, anywhere from"},
	{Of, 0, "of"},
	{In, 0, "in, whose category is, where category is, where the category is, with category, with the category, of category, of the category, in category, in the category, whose categories are, on, across, within, throughout, inside, under the, onto, belonging to, that belong to, which belong to, in the, regarding, concerning, among, when it comes to, as for, as regards, with regard to, with regards to, with respect to, in terms of, in the case of"},
	{With, 0, "with, using"},
	{As, 0, "as, as being"},
	{And, 0, "and, &, as well as, plus also, and also, together with, along with, and likewise, or, and/or, +/, /, both"},
	{Which, 0, "which"},
	{Arrived, 0, "back, back again, have arrived, has arrived, just arrived, arrived, have just arrived, has just arrived, have come in, has come in, came in, just came in, have been delivered, has been delivered, got delivered, were delivered, have landed, landed, is here, are here, are finally here, is finally here, came back, came back in, just landed, have been restocked, has been restocked, were restocked, was restocked"},
	{Report, 0, "says, said, says that, said that, wants, wanted, would like, would love, wants us to, wants me to, wanted us to, wanted me to, would like us to, would like me to, would like it if, would like to see, wants to see, told me to, told us to, tells me to, tells us to, asked me to, asked us to, asks me to, asks us to, asked for, asks for, has asked for, has asked that, " +
		"has asked me to, has asked us to, asked that, asks that, has agreed that, have agreed that, agreed that, agrees that, has decided that, have decided that, decided that, has decided on, requested, requests, has requested, requested that, has requested that, requests that, insists that, reads, has approved, approved, signed off on, has signed off on, has ordered, ordered, proposes, suggests, recommends, prefers, just told me to, just asked me to, just said, thinks we should, wants you to, would like you to, has told me to, has told us to, is asking us to, is asking me to, is asking for, is asking to"},
	{Report, ReportBy, "have been asked, has been asked, been asked, was asked, were asked, was told, were told, have been told, been told, have been instructed, was instructed, were instructed, have been requested, was requested"},
	{Respectively, 0, "respectively, correspondingly, in that order, in this order"},
	{Otherwise, 0, "otherwise, else, or else, and otherwise, in all other cases, in any other case, in other cases"},
	{But, 0, "but, while, however, whereas, yet, though, although"},
	{Then, 0, "then, and then, after that, and after that, afterwards, afterward, next, finally, and finally, lastly, subsequently, secondly, thirdly, once that is done, and lastly, and next, followed by"},
	{Noise, 0, "i'd say, i would say, thanks so much, thank you so much, hope you're well, hope you are well, hope you're doing well, hope you are doing well, hope all is well, hope this finds you well, i hope you're well, i hope you are well, i hope all is well, and nothing else, but nothing else, please, kindly, the, our, my, a, an, your, hi, hello, hey, dear, hi there, hello there, hey there, good morning, good afternoon, good evening, thanks, thank you, thanks a lot, many thanks, thank you very much, thanks in advance, " +
		"thank you in advance, cheers, could u, can u, would u, will u, could you, can you, would you, will you, could we, can we, may we, i want to, i want you to, i'd like to, i'd like you to, i would like to, i would like you to, we want to, we'd like to, we would like to, " +
		"we need to, i need to, i need you to, we need you to, need to, needs to, want to, wants to, have to, has to, let's, let us, go ahead and, make sure, make sure that, making sure, making sure that, ensure, ensure that, ensuring, " +
		"ensuring that, just, simply, also, too, as well, now, currently, current, existing, right now, today, immediately, right away, asap, as soon as possible, so, so that, such that, can, " +
		"respective, all the way, from today, from now, as from today, starting from today, look at, look into, we sell, we carry, we offer, that we sell, that we carry, that we offer, you sell, on our site, on the site, on our website, on the website, inclusive, please note that, note that, please be aware that, be aware that, be advised that, just so you know, basically, certainly, obviously, essentially, a total of, first, firstly, first of all, flat, a piece, apiece, per item, per product, " +
		"per unit, each one, from its current price, from their current price, from their current prices, from the current price, " +
		"from now on, going forward, effective immediately, starting today, starting now, as of today, as of now, effective today, with immediate effect, accordingly, i want, i need, we want, we need, i'd like, we'd like, i would like, we would like, here is, here's, it would be great if you could, if you could, " +
		"would you mind, do me a favor and, be so kind as to, be so good as to, if possible, if you can, okay, ok, alright, so please, in order to, straight away, at once, in price, in our shop, in our store, in the shop, in the store, " +
		"in the catalog, in the catalogue, in my shop, in my store, in our catalogue, in our catalog, from our catalogue, from our shop, of ours, your task is to, as follows, the following changes, these changes, the changes below, " +
		"decided to, have decided to, we have decided to, i have decided to, we decided to, we've decided to, it is time to, it's time to, time to, we are going to, we're going to, i'm going to, i am going to, i was wondering if you could, wondering if you could, i'd appreciate it if you could, we'd appreciate it if you could, i would appreciate it if you could, would it be possible to, is it possible to, can we please, it'd be great if you could, it would be great to, we should, we have to, we've got to, i have to, i've got to, we're planning to, we are planning to, we plan to, we're looking to, we are looking to, " +
		"we'd love to, i'd love to, i think we should, let me, we decided, we will, we'll, i will, we are, we're, you should, you can, feel free to, much appreciated, appreciate it, i appreciate it, i'd appreciate it, additionally, in addition, on top of that, besides that, apart from that, while you're at it, while you are at it, as well please, for now, for me, for us, if that's ok, if that works, when you get a chance, when you can, " +
		"when you have a moment, when you have time, thx, ty, thanks again, thank you again, pls, plz, kind regards, best regards, regards, hope that helps, that's all, that is all, that's it, that is it, nothing more, with that said, that said, gonna, going to, ought to, wanna, gotta, ever, ok so, okay so, yes, great, perfect, to be safe, fyi, nothing else, nothing else should change, nothing else changes, nothing else should be changed, nothing else needs to change, effective now, please and thank you, if you please, if you would, if you don't mind, across all channels, um, uh, umm, erm, uhm, hmm, er, arrange, kindly arrange, please arrange, please action, please do, please sort, please sort it, please handle, please take care of it, please see to it, make it happen, please update accordingly, arrange accordingly, get it done, please process, please proceed, please implement, please execute, anywhere, anywhere in the shop, anywhere in the store, no other changes, no other change, no further changes, no other price changes"},
	{Noise, Status, "the stock of, stock of, status, stock status, status of, the status of, stock status of, the stock status of, availability, the availability of, availability of, to stock status, their status, their stock status"},
	{Noise, Modal, "should, must, shall, will"},
	{Noise, Extra, "extra, additional, another, further, an extra, an additional"},
	{All, 0, "all, every, each, all of, every single, any, all the, each of, every one of, the entire, the whole, entire, whole, complete, the complete, both of, any of, every last, each and every, each single, each individual, all our, all of our, all of the"},
	{Everything, 0, "the entire product line, the whole product line, entire product line, the full range, our full range, the full catalogue, the full catalog, our full catalogue, the entire lineup, the whole lineup, the lot, the whole lot, everything, anything, all of it, storewide, store wide, sitewide, site wide, across the board, shop wide, range wide, company wide, the full shop, the full store, the whole store, the entire store, the whole shop, the entire shop, the whole catalogue, the entire catalogue, the whole catalog, the entire catalog, " +
		"whole store, entire store, whole shop, entire shop, whole catalogue, entire catalogue, whole catalog, entire catalog, the catalog, the catalogue, our catalog, our catalogue, the whole inventory, the entire inventory, whole inventory, entire inventory, " +
		"every thing, the store, the shop, our store, our shop, my shop, my store, my catalogue, my catalog, whole range, the whole range, the entire range, entire range, the whole assortment, the entire assortment, all categories, every category, all skus, every sku, each sku, catalogue wide, catalog wide, catalogwide, shopwide"},
	{Rest, 0, "the rest of the shop, the rest of the store, the rest of the catalog, the rest of the catalogue, the rest of the range, the rest of the inventory, the rest of our shop, the rest of our store, the rest of our catalog, the rest of our catalogue, the rest of them, the rest of the stuff, everything else in the shop, everything else in the store, everything else we sell, everything besides that, everything but that, everything other than that, everything else, anything else, all else, the rest, the rest of, rest of the, the rest of the, rest, all other, all the other, all others, all the others, the other, the others, other, others, the remaining, remaining, all remaining, all the remaining, " +
		"all the rest, all of the rest, the remainder, any other, no other, every remaining, all of the other, all of the others"},
	{Pronoun, 0, "every one, every single one, the following, its, their, them, it, these, those, they, all of them, these ones, both of them, them all, results, result"},
	{Only, 0, "only, exclusively, solely, only for"},
	{Product, 0, "product, products, item, items, ones, articles, article, things, thing, listings, listing, stuff, merchandise, inventory, product line up, lines of products, entries, rows, product listings, catalogue items, catalog items, stock items, variants"},
	{Price, 0, "what we charge for, what we currently charge for, what we now charge for, what i charge for, what you charge for, what we ask for, what we are asking for, what we're asking for, what we are charging for, what we're charging for, the amount we charge for, the price we charge for, the prices we charge for, price, prices, pricing, cost of, costs of, price point, price points, price level, price levels, the cost of, retail price, retail prices, list price, list prices, selling price, selling prices, sale price, unit price, unit prices, new price, new prices, resulting price, resulting prices, final price, final prices"},
	{CatNoun, 0, "category, categories, section, department, sections, departments, product category, product categories"},
	{SKUNoun, 0, "sku, skus, product code, product codes, item number, item numbers, item code, item codes, product number, product numbers, article number, article numbers, sku number, sku numbers, sku code, sku codes"},
	{Under, 0, "under, below, less than, cheaper than, lower than, beneath, less expensive than, <, fewer than, smaller than, strictly under, strictly below"},
	{Over, 0, "over, above, more than, greater than, higher than, more expensive than, exceeding, >, dearer than, pricier than, upwards of, in excess of, north of, strictly over, strictly above, larger than, that exceed, which exceed, exceeds, surpasses"},
	{AtLeast, 0, "priced at or above, priced at or over, priced at least, but not less than, but no less than, at least, no less than, not less than, starting at, starting from, a minimum of, minimum of, >=, ≥, no cheaper than, not cheaper than, greater than or equal to, more than or equal to, equal to or more than, equal to or greater than, at or above, at or over, equal to or above, from at least"},
	{AtMost, 0, "priced at or below, priced at or under, priced at most, but not more than, but no more than, no dearer than, no pricier than, at most, up to, up to and including, no more than, not more than, a maximum of, maximum of, <=, ≤, less than or equal to, lower than or equal to, equal to or less than, at or below, at or under, equal to or below, no greater than, not greater than, not exceeding"},
	{Exactly, 0, "exactly, equal to, equals, precisely, exactly at"},
	{Between, 0, "between, anywhere between, in between, in the range of, ranging from, ranging between, in the range, in the range from"},
	{AndUp, 0, "+, plus, and up, and above, and over, or more, or above, or over, or higher, and higher, or up, and more, and upwards, or greater, and greater, or upwards, and beyond, or pricier, or dearer, or more expensive"},
	{AndDown, 0, "and under, and below, or less, or under, or below, or lower, and less, or cheaper, and down, and downwards, or fewer, and cheaper, or down"},
	{Except, 0, "except, non, outside, outside of, except for, excluding, but not, other than, apart from, aside from, save for, not including, without, with the exception of, leaving out, skipping, ignoring, but excluding, but exclude, minus the, omitting, exclusive of, " +
		"besides, without touching, without changing, without affecting, not touching, not counting, except those, exempting, bar, but skip, but leave out, but not for, not for, except on, except in, excluding those, barring, with the exclusion of, that are not, which are not, that aren't, which aren't, that is not, that isn't, not"},
	{DoNot, 0, "should not be, shouldn't be, must not be, mustn't be, may not be, are not to be, is not to be, do not, don't, dont, never, should not, shouldn't, must not, mustn't, please don't, not to, cannot, can't, no need to, avoid"},
	{Leave, 0, "{leave}, {keep}, left, kept, {hold}, held, {stay}, remain, remains, {preserve}, should stay, should remain, must stay, must remain, will stay, will remain"},
	{Alone, 0, "excluded, excepted, exempted, is excluded, are excluded, is exempt, are exempt, not included, are not included, is not included, alone, unchanged, untouched, as is, as they are, as it is, the way they are, the way it is, intact, out, out of it, unaltered, unmodified, where they are, where it is, where they stand, as it stands, as they stand, at their current price, at their current prices, at its current price, at the current price, at current prices, constant, " +
		"as they were, exactly as they are, exactly as is, steady, at the same price, at the same prices, the same, the same price, unaffected, not affected, is not affected, are not affected, isn't affected, aren't affected, won't change, stay put, stays put, stable, at current price, just as they are"},
	{Skip, 0, "don't bother with, do not bother with, steer clear of, hands off, skip, exclude, this excludes, that excludes, ignore, omit, spare, exempt, disregard"},
	{NoChange, 0, "no change, no changes, no price change, no price changes, nothing changes, no change in price, this does not apply, this doesn't apply, does not apply, doesn't apply, do not apply this, don't apply this, do not apply it, don't apply it, do not apply, don't apply, do not include, don't include"},
	{Floor, 0, "lowest price allowed, lowest allowed price, lowest price, the lowest price, down to a minimum of, down to a min of, never to below, never to less than, never to under, but never to below, but never to less than, no price should go below, no price should fall below, no price should be below, no price may fall below, prices must not fall below, never below, never under, never lower than, with a floor of, with a floor at, with a minimum of, with a minimum price of, floor of, floor at, floor, minimum price, minimum price of, min price, min price of, price floor, price floor of, don't go below, do not go below, " +
		"don't go under, do not go under, don't drop below, do not drop below, don't fall below, without going below, without going under, without dropping below, never go below, never go under, never drop below, never goes below, never drops below, never falls below, " +
		"never fall below, does not go below, doesn't go below, does not fall below, doesn't fall below, does not drop below, doesn't drop below, don't let it go below, don't let them go below, don't let prices go below, don't let the price go below, " +
		"nothing below, nothing under, nothing goes below, nothing falls below, nothing drops below, no price below, no price under, no prices below, with a min of, a floor of, a minimum price of, must not go below, must not fall below, must not drop below, should not go below, should not fall below, should not drop below, " +
		"not dropping below, not going below, not falling below, do not let prices go below, do not let prices fall below, don't let prices fall below, don't let prices drop below, do not let any price fall below, do not let any price go below, cannot go below, can't go below, no price goes below, no price falls below, " +
		"don't let anything go below, don't let anything drop below, don't let anything go under, do not let anything go below, do not let anything drop below, do not let anything fall below, don't let them drop below, don't let them fall below, don't let it drop below, don't let it fall below, do not let it fall below, do not let it go below, but keep a floor of, keep a floor of, keep a minimum of, keep a minimum price of, don't price below, never price below, don't let anything fall below, shouldn't go below, shouldn't fall below, with floor, never cheaper than, never less than"},
	{Cap, 0, "never past, without going past, don't go past, do not go past, never go past, never to above, never to more than, never to over, but never to above, but never to more than, no price should go above, no price should exceed, no price should be above, no price may exceed, capped, capping, never above, never over, never higher than, with a cap of, with a cap at, with a ceiling of, with a maximum of, with a maximum price of, {cap} at, cap of, cap, ceiling of, ceiling at, ceiling, {cap} it at, {cap} them at, {cap} prices at, {cap} the price at, maximum price, maximum price of, max price, max price of, " +
		"price cap, price cap of, price ceiling, price ceiling of, don't go above, do not go above, don't go over, do not go over, do not exceed, don't exceed, without exceeding, without going above, without going over, never go above, never go over, never goes above, never goes over, never exceed, never exceeding, " +
		"never exceeds, does not exceed, doesn't exceed, does not go above, doesn't go above, doesn't go over, must not exceed, should not exceed, shouldn't exceed, up to a maximum of, up to a max of, up to a max, to a max of, highest price allowed, highest allowed price, highest price, the highest price, to a maximum of, nothing above, nothing over, no price above, no price over, no prices above, with a max of, a cap of, a ceiling of, " +
		"a maximum price of, don't let prices go above, do not let prices exceed, don't let prices exceed, don't let it go above, don't let them go above, do not let prices go above, cannot exceed, can't exceed, no price exceeds, topping out at, maxing out at, {limit} to, limit of, don't let any price exceed, don't let anything exceed, keep a cap of, mustn't exceed, with cap"},
	{NotUnder, Bare, "min, minimum"},
	{NotOver, Bare, "max, maximum"},
	{NotUnder, 0, "but not to less than, but not to below, but not to under, not to less than, not to below, not to under, but not below, but not under, but not lower than, not below, not under, not lower than, no lower than, not any lower than, no less expensive than"},
	{NotOver, 0, "but not to more than, but not to above, but not to over, not to more than, not to above, not to over, not past, but not past, but not above, but not over, but not higher than, not above, not over, not higher than, no higher than, no more expensive than"},
	{Round, 0, "{round}, {round} off, {round} to"},
	{Nearest, 0, "nearest, closest, the nearest, the closest, to the nearest, to the closest"},
	{Digits, 0, "decimal, decimals, decimal place, decimal places, digits after the point, digits after the decimal point, places, decimal digits, decimal points"},
	{NoDigits, 0, "no decimals, without decimals, no cents, without cents, no decimal places, zero cents, drop the cents, no pennies, without pennies, no pence, without pence, whole numbers only, with no decimals, with no cents"},
	{RoundUnit, 0, "whole dollar, whole dollars, full dollar, full dollars, even dollar, even dollars, whole euro, whole euros, whole pound, whole pounds, whole number, whole numbers, integer, integers, pound, quid, whole unit, round dollar, round dollars, dollar, euro, full euro, full euros, whole amounts"},
	{RoundUnit, 1, "dime, tenth, tenth of a dollar"},
	{RoundUnit, 2, "cent, penny, whole cent, whole cents, full cent, hundredth, whole penny"},
	{EndIn, 0, "end in, ends in, end with, ends with, end on, ends on, end at, ends at, finish in, finish with, finish on, all end in, all end with, should end in, should end with, must end in, ended in, ended with"},
	{EndIn, 1, "ending in, ending with, ending on, ending at, finishing in, finishing with, an ending of, endings of, ending of, price endings of, price ending of"},
	{EndIn, EndNoun, "ending, endings, price ending, price endings"},
	{Comma, 0, "\\,, (, ), –, —, --, ["},
	{Dash, 0, "-, through, thru"},
	{Colon, 0, ":"},
}
