# The fields that are left out of indexing, one after the other: Firestore takes
# one such change of a database at a time, and refuses another meanwhile. What
# for_each makes is made at once, so each step is a module that waits for the one
# before. A step beyond the last override does nothing; a test counts them.

locals {
  override_steps = [for step in range(16) : {
    for database, described in local.indexes : local.databases[database] => described.fieldOverrides[step]
    if step < length(described.fieldOverrides)
  }]
}

module "override_01" {
  source     = "./modules/override"
  fields     = local.override_steps[0]
  depends_on = [google_firestore_database.this, google_firestore_index.composite]
}

module "override_02" {
  source     = "./modules/override"
  fields     = local.override_steps[1]
  depends_on = [module.override_01]
}

module "override_03" {
  source     = "./modules/override"
  fields     = local.override_steps[2]
  depends_on = [module.override_02]
}

module "override_04" {
  source     = "./modules/override"
  fields     = local.override_steps[3]
  depends_on = [module.override_03]
}

module "override_05" {
  source     = "./modules/override"
  fields     = local.override_steps[4]
  depends_on = [module.override_04]
}

module "override_06" {
  source     = "./modules/override"
  fields     = local.override_steps[5]
  depends_on = [module.override_05]
}

module "override_07" {
  source     = "./modules/override"
  fields     = local.override_steps[6]
  depends_on = [module.override_06]
}

module "override_08" {
  source     = "./modules/override"
  fields     = local.override_steps[7]
  depends_on = [module.override_07]
}

module "override_09" {
  source     = "./modules/override"
  fields     = local.override_steps[8]
  depends_on = [module.override_08]
}

module "override_10" {
  source     = "./modules/override"
  fields     = local.override_steps[9]
  depends_on = [module.override_09]
}

module "override_11" {
  source     = "./modules/override"
  fields     = local.override_steps[10]
  depends_on = [module.override_10]
}

module "override_12" {
  source     = "./modules/override"
  fields     = local.override_steps[11]
  depends_on = [module.override_11]
}

module "override_13" {
  source     = "./modules/override"
  fields     = local.override_steps[12]
  depends_on = [module.override_12]
}

module "override_14" {
  source     = "./modules/override"
  fields     = local.override_steps[13]
  depends_on = [module.override_13]
}

module "override_15" {
  source     = "./modules/override"
  fields     = local.override_steps[14]
  depends_on = [module.override_14]
}

module "override_16" {
  source     = "./modules/override"
  fields     = local.override_steps[15]
  depends_on = [module.override_15]
}
