# Two databases, so that neither side can read the other's: plans, executions
# and audit in one, conversations in the other. indexes.json says which indexes
# their queries need and which fields are left out of indexing, in the form of
# Firebase's firestore.indexes.json; a test compares it with the queries.

locals {
  indexes = jsondecode(file("${path.module}/indexes.json"))

  composite_indexes = merge([for database, described in local.indexes : {
    for index in described.indexes :
    join("/", concat([database, index.collectionGroup], [for field in index.fields : field.fieldPath])) => merge(index, { database = database })
  }]...)
}

resource "google_firestore_database" "this" {
  for_each = local.databases

  name                              = each.value
  location_id                       = var.region
  type                              = "FIRESTORE_NATIVE"
  concurrency_mode                  = "OPTIMISTIC"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  delete_protection_state           = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy                   = var.deletion_protection ? "ABANDON" : "DELETE"

  dynamic "cmek_config" {
    for_each = local.kms_key[*]
    content {
      kms_key_name = cmek_config.value
    }
  }

  depends_on = [time_sleep.services]
}

# What the functions may do with documents, where roles/datastore.user would
# let them do more. IAM knows databases, not collections: who may update an
# execution's record may update its audit documents too. Their hash chain tells
# of it (planwright verify). The session function deletes sessions, and has the
# whole role.
# https://cloud.google.com/firestore/docs/security/iam#required_permissions
resource "google_project_iam_custom_role" "database" {
  for_each = {
    planner  = ["create", "get", "list", "update"]
    executor = ["create", "get", "list", "update"]
  }

  role_id     = "${replace(var.prefix, "-", "_")}_${each.key}"
  title       = "Planwright (${var.prefix}): documents of the ${each.key}"
  permissions = concat(["datastore.databases.get"], [for verb in each.value : "datastore.entities.${verb}"])

  depends_on = [time_sleep.services]
}

resource "google_firestore_index" "composite" {
  for_each = local.composite_indexes

  database    = google_firestore_database.this[each.value.database].name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

# Point-in-time recovery reaches back seven days and ends with its database; a
# backup outlives it.
resource "google_firestore_backup_schedule" "weekly" {
  for_each = local.databases

  database  = google_firestore_database.this[each.key].name
  retention = "${28 * 24 * 3600}s"

  weekly_recurrence {
    day = "SUNDAY"
  }
}
