package console

// imports say how a file is imported where it comes from, by the platform's profile: where
// to find it there, and what to choose.
var imports = map[string][2]string{
	"shopify": {
		"In Shopify open Products, then Import, and choose this file.",
		"Tick “Overwrite products with matching handles”, and press Upload and preview.",
	},
	"woocommerce": {
		"In WooCommerce open All Products, then Import beside Add New, and choose this file.",
		"Tick “Update existing products”, press Continue, then Run the importer.",
	},
	"prestashop": {
		"In PrestaShop open Advanced Parameters, then Import. Choose “Products” and this file.",
		"Tick “Use product reference as key”, or force the ids, and match the columns.",
	},
	"prestashop-list": {
		"In PrestaShop open Advanced Parameters, then Import. Choose “Products” and this file.",
		"Tick “Use product reference as key”, or force the ids, and match the columns.",
	},
	"magento": {"In Magento open System, Data Transfer, Import. Choose “Products”, then “Add/Update”, never “Replace”.", "Choose this file, press Check Data, then Import."},
	"bigcommerce": {
		"In BigCommerce open Products, then Import, and choose this file.",
		"Have existing products updated: they are found by their ID, so leave that column as it is.",
	},
	"bigcommerce-legacy": {
		"In BigCommerce open Products, then Import, and choose this file.",
		"Have existing products updated: they are found by their ID, so leave that column as it is.",
	},
	"wix": {
		"In Wix open Store Products, then More Actions, Import.",
		"Choose this file. Products with the same handle are updated.",
	},
	"square": {
		"In Square open Items & services, Items, then Actions, “Import library”.",
		"Choose “Modify item library”, never “Replace”, then this file.",
	},
	"etsy": {
		"Etsy itself imports no product files.",
		"Take the new prices over in your shop manager, or import the file with your listing tool.",
	},
	"google": {
		"In Merchant Center open Products, then Feeds, and your feed.",
		"Choose “Upload a file”, and this one.",
	},
	"shopware": {
		"In Shopware open Settings, Import/Export.",
		"Choose the profile of your export and this file, and start the import.",
	},
	"odoo": {
		"In Odoo open Products, then the menu, “Import records”.",
		"Choose this file. Rows with the same External ID are updated.",
	},
	"ecwid": {
		"In Ecwid open Catalog, Products, then “Import Products”, and choose this file.",
		"Leave “Delete all products and categories before importing” unticked.",
	},
	"loyverse": {
		"In Loyverse’s Back Office open Items, Item list, then Import.",
		"Choose this file. Items with the same handle and SKU are updated.",
	},
	"loyverse-spanish": {
		"In Loyverse’s Back Office open Items, Item list, then Import.",
		"Choose this file. Items with the same handle and SKU are updated.",
	},
	"zoho": {
		"In Zoho open Items, then the menu, “Import Items”, and choose this file.",
		"For items that are there already choose “Overwrite”.",
	},
}

// importLines are those of a profile, or what holds of any shop.
func importLines(profile string) [2]string {
	if lines, known := imports[profile]; known {
		return lines
	}
	return [2]string{
		"Import this file where your export came from, in the same way.",
		"Choose to update existing products, and not to add new ones.",
	}
}
